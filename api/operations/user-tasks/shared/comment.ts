import type { z } from 'zod';
import type { UserTaskComment } from '../../../../store/work/user-tasks/comments.js';
import { time } from '../../../contract/wire.js';
import type { userTaskComment } from './schemas.js';

export function toComment({ createdAt, ...comment }: UserTaskComment): z.output<typeof userTaskComment> {
  return { ...comment, createdAt: time(createdAt) };
}
