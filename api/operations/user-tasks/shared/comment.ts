import type { z } from 'zod';
import type { UserTaskComment } from '../../../../store/work/user-tasks/comments.js';
import { optional, time } from '../../../contract/wire.js';
import type { userTaskComment } from './schemas.js';

export function toComment({
  createdAt,
  author,
  importedAuthor,
  ...comment
}: UserTaskComment): z.output<typeof userTaskComment> {
  return { ...comment, author: optional(author), importedAuthor: optional(importedAuthor), createdAt: time(createdAt) };
}
