import type { Caller } from '../../../access/caller.js';
import { includesRole } from '../../../contract/roles.js';
import { notFound, type Problem } from '../../../contract/problem.js';

/** Starting at given nodes moves tokens as a modification does, so it needs the role of one. */
export function refusalToStartAt(
  caller: Caller,
  projectID: string,
  startAt: readonly unknown[] | undefined,
): Problem<'NOT_FOUND'> | undefined {
  const role = caller.projectRole(projectID);
  const mayPlace = role !== undefined && includesRole(role, 'admin');
  return startAt === undefined || mayPlace ? undefined : notFound('startAt is for admins');
}
