import { includesRole } from '../contract/roles.js';
import type { Caller } from './caller.js';

/** The people that a user task names. */
export interface TaskAssignment {
  readonly assignee?: string | null | undefined;
  readonly candidateUsers?: readonly string[] | null | undefined;
  readonly candidateGroups?: readonly string[] | null | undefined;
}

/** Whether the task names the caller: as assignee, as candidate user, or through a group of the token. */
export function concernsCaller(caller: Caller, task: TaskAssignment): boolean {
  return (
    task.assignee === caller.subject ||
    (task.candidateUsers ?? []).includes(caller.subject) ||
    (task.candidateGroups ?? []).some((group) => caller.groups.has(group))
  );
}

/**
 * Whether the caller can get, complete, or fail this task: executors can, and so can a viewer whom the task names. The
 * exception lowers the role, never the membership. An operation that uses it declares the role `viewer` and returns the
 * constant 404 when the result is false.
 */
export function mayWorkOnTask(caller: Caller, projectID: string, task: TaskAssignment): boolean {
  if (caller.projectRole(projectID) === undefined) return false;
  return isExecutor(caller, projectID) || concernsCaller(caller, task);
}

/** Whether the caller can work on every task of the project. */
export function isExecutor(caller: Caller, projectID: string): boolean {
  const role = caller.projectRole(projectID);
  return role !== undefined && includesRole(role, 'executor');
}
