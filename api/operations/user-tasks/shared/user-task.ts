import type { z } from 'zod';
import { parseExecutionKey } from '../../../../store/sql/ids.js';
import type { ChangedTask } from '../../../../store/work/user-tasks/assignment.js';
import { findUserTask, type UserTask, type UserTaskKey } from '../../../../store/work/user-tasks/tasks.js';
import { refusalProblem } from '../../../commands/refusal.js';
import type { Refusal } from '../../../../store/sql/refusal.js';
import type { Caller } from '../../../access/caller.js';
import { mayWorkOnTask } from '../../../access/user-task.js';
import type { ApiContext } from '../../../context.js';
import { testMark } from '../../../commands/test-mark.js';
import { commandDeadlineSeconds, submitAndAwait } from '../../../commands/commands.js';
import { commandRequest } from '../../../commands/define-command.js';
import { requestUserTaskChange, type DecidedRequest } from '../../../../store/work/user-tasks/decided.js';
import { isProblem, notFound } from '../../../contract/problem.js';
import type { Problem } from '../../../contract/problem.js';
import { optional, optionalTime, time } from '../../../contract/wire.js';
import type { userTask } from './schemas.js';

/** A user task as the API shows it. */
export function toUserTask(task: UserTask): z.output<typeof userTask> {
  const { id, executionKey, workflowID, nodeID, status, candidateUsers, candidateGroups, variables } = task;
  return {
    id,
    executionKey,
    workflowID,
    parentWorkflowID: optional(task.parentWorkflowID),
    definitionID: task.definitionID,
    processId: task.processID,
    processName: optional(task.processName),
    processVersion: task.processVersion,
    nodeID,
    name: optional(task.name),
    assignee: optional(task.assignee),
    assignedAt: optionalTime(task.assignedAt),
    assignedBy: optional(task.assignedBy),
    candidateUsers,
    candidateGroups,
    formKey: optional(task.formKey),
    formID: optional(task.formID),
    formVersion: optional(task.formVersion),
    dueDate: optionalTime(task.dueDate),
    followUpDate: optionalTime(task.followUpDate),
    priority: task.priority,
    ...(task.isOmitted ? { variablesOmitted: true as const } : { variables }),
    headers: optional(task.headers),
    status,
    cancelReason: optional(task.cancelReason),
    errorCode: optional(task.errorCode),
    completionVariables: optional(task.completionVariables),
    createdAt: time(task.createdAt),
    completedAt: optionalTime(task.completedAt),
    completedBy: optional(task.completedBy),
    failedBy: optional(task.failedBy),
    businessId: optional(task.businessID),
    ...testMark(workflowID),
    listening: optional(task.asked),
    denied: optional(task.denied),
  };
}

export interface FoundTask {
  readonly kind: 'found';
  readonly key: UserTaskKey;
  readonly task: UserTask;
}

/** The task, if the caller may process it: an executor, or a viewer whom it names. Every other caller gets 404. */
export async function findTaskFor(
  { store }: ApiContext,
  caller: Caller,
  { projectID, executionKey }: { projectID: string; executionKey: string },
): Promise<FoundTask | Problem<'NOT_FOUND'>> {
  const parsed = parseExecutionKey(executionKey);
  if (parsed === undefined) return notFound('the execution key names no user task');
  const key = { projectID, ...parsed };
  const task = await findUserTask(store, key);
  if (task === undefined) return notFound(`no user task ${executionKey} in project ${projectID}`);
  if (!mayWorkOnTask(caller, projectID, task))
    return notFound(`user task ${executionKey} does not name the caller, who is not an executor`);
  return { kind: 'found', key, task };
}

/** The declarations that every request has which listeners of a task can decide about. */
export const decidedOperation = {
  waits: 'outcome',
  deadlineSeconds: commandDeadlineSeconds,
  problems: ['CONFLICT', 'INSTANCE_ENDED', 'SUSPENDED'],
} as const;

/** Asks the listeners of the task, and answers with the task when they have agreed in time. */
export async function askListeners(
  input: Parameters<typeof commandRequest>[0] & { context: ApiContext },
  { key }: FoundTask,
  request: Pick<DecidedRequest, 'update' | 'expectedAssignee' | 'reason'>,
) {
  const { context, headers } = input;
  const submitted = await requestUserTaskChange(context.store, { ...commandRequest(input), ...key, ...request });
  const answer = await submitAndAwait(context, submitted, headers.waitMilliseconds);
  if (isProblem(answer) || answer.status === 202) return answer;
  const task = await findUserTask(context.store, key);
  return task === undefined
    ? notFound(`user task ${key.number} of instance ${key.workflowID} was deleted`)
    : ({ status: 200, body: toUserTask(task) } as const);
}

/** The response to a change of a task. */
export function changedTask<Code extends 'NOT_FOUND' | 'CONFLICT'>(changed: ChangedTask | Refusal<Code>) {
  if (changed.kind === 'refused') return refusalProblem(changed);
  const audit = changed.kind === 'unchanged' ? ({ leavesInstances: true } as const) : undefined;
  return { status: 200, body: toUserTask(changed.task), audit } as const;
}
