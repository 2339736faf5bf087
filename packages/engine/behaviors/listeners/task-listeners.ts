/**
 * Task listeners: jobs that decide about a user task before it is created, changed, or completed. They run one after
 * another. Each can correct values of the task, and those after the creation can deny the request.
 */
import type { TaskChanges, TaskListenerEvent } from '../../contract/facts.js';
import type { Variables } from '../../contract/json.js';
import type { UserTaskNode } from '../../elements/user-task.js';
import { nextID, nodeOf, record, waitsOf, type Run } from '../../run.js';
import {
  completionOf,
  taskDraftData,
  taskDraftOf,
  taskListeningData,
  taskListeningOf,
  type TaskDraft,
  type TaskListening,
} from '../../state/element-data.js';
import { localVariables } from '../../state/scopes.js';
import type { ElementInstance, JobWait, UserTaskWait } from '../../state/state.js';
import { raiseIncident } from '../lifecycle/failures.js';
import { taskHeard } from '../lifecycle/held-interruptions.js';
import { createJob } from '../waiting/jobs.js';
import { trigger } from '../waiting/waits.js';
import { headersOfRow, listenerHeaders } from './task-headers.js';

/** The decision of one listener. */
export type TaskDecision = { denied: true; reason?: string } | { denied: false; changes: TaskChanges };

interface TaskRequest {
  event: TaskListenerEvent;
  command?: number;
  changes?: TaskChanges;
  /** Of the request to complete the task. */
  variables?: Variables | undefined;
  /** A task that was created in this step. */
  draft?: TaskDraft;
}

/** Creates the task as evaluated, after the listeners of its creation. */
export function offerTask(run: Run, element: ElementInstance, node: UserTaskNode, draft: TaskDraft): void {
  if (!node.taskListeners?.creating) return createTask(run, element, node, draft);
  record(run, { kind: 'ELEMENT_DATA_SET', element: element.id, data: taskDraftData(draft) });
  begin(run, element, { event: 'creating' });
}

/** Whether listeners decide about `event` of the task of this element. */
export function decidesAbout(run: Run, element: ElementInstance, event: TaskListenerEvent): boolean {
  return taskNode(run, element).taskListeners?.[event] !== undefined;
}

/** Runs the listeners of a request. When all have agreed, it takes effect. */
export function requestOfTask(run: Run, element: ElementInstance, task: UserTaskWait, request: TaskRequest): void {
  noteRequest(run, task, request.event, request.command);
  begin(run, element, request);
}

function noteRequest(run: Run, { id }: UserTaskWait, event: TaskListenerEvent, command: number | undefined): void {
  record(run, { kind: 'USER_TASK_REQUESTED', task: id, event, ...(command !== undefined && { command }) });
}

function begin(run: Run, element: ElementInstance, request: TaskRequest): void {
  const { event, command, changes = {}, variables, draft } = request;
  const listening: TaskListening = {
    event,
    at: 0,
    ...(command !== undefined && { command }),
    changes,
    requested: Object.keys(changes) as (keyof TaskChanges)[],
  };
  record(run, { kind: 'ELEMENT_DATA_SET', element: element.id, data: taskListeningData(listening, variables) });
  continueTask(run, element, draft);
}

/** Creates the job of the listener whose turn it is, unless it exists. After the last one the request takes effect. */
export function continueTask(run: Run, element: ElementInstance, draft = taskDraftOf(element)): void {
  const listening = taskListeningOf(element);
  if (!listening || element.incident !== undefined || openTaskListener(run, element)) return;
  const node = taskNode(run, element);
  const { event, at } = listening;
  const job = node.taskListeners?.[event]?.[at];
  if (!job) return takeEffect(run, element, node, listening);
  const headers = { ...listenerHeaders(listening, draft), ...job.headers };
  const task = event === 'creating' ? undefined : taskOf(run, element).id;
  const created = createJob(
    run,
    element,
    { ...job, headers },
    {
      listener: { kind: 'TASK', eventType: event },
      ...(task !== undefined && { task: { number: task, headers: headersOfRow(listening, headers) } }),
    },
  );
  // Nothing in the model catches a failure of a listener.
  if (!created.ok) raiseIncident(run, element, created.failure);
}

/** The job of the listener that runs. */
export function openTaskListener(run: Run, element: ElementInstance): JobWait | undefined {
  return waitsOf(run, element.id).find(
    (wait): wait is JobWait => wait.kind === 'job' && wait.listener?.kind === 'TASK',
  );
}

/** Called when the job of a listener has completed. */
export function listenerDecided(run: Run, element: ElementInstance, decision: TaskDecision): void {
  const listening = taskListeningOf(element)!;
  if (decision.denied) return denyRequest(run, element, listening, decision.reason);
  remember(run, element, {
    ...listening,
    at: listening.at + 1,
    changes: { ...listening.changes, ...decision.changes },
  });
  continueTask(run, element);
}

export function remember(run: Run, element: ElementInstance, listening: TaskListening | undefined): void {
  record(run, { kind: 'ELEMENT_DATA_SET', element: element.id, data: taskListeningData(listening) });
}

/** Ends the request that listeners decide about. */
export function denyRequest(
  run: Run,
  element: ElementInstance,
  { event, command }: TaskListening,
  reason?: string,
): void {
  record(run, {
    kind: 'USER_TASK_DENIED',
    task: taskOf(run, element).id,
    event,
    ...(command !== undefined && { command }),
    ...(reason !== undefined && { reason }),
  });
  remember(run, element, undefined);
}

function takeEffect(run: Run, element: ElementInstance, node: UserTaskNode, listening: TaskListening): void {
  const { event, changes, command, requested } = listening;
  if (event === 'creating') return createFromDraft(run, element, node, changes);
  if (event === 'canceling') return endTask(run, element, changes);
  if (event === 'assigning' && changesMore(requested) && node.taskListeners?.updating) {
    noteRequest(run, taskOf(run, element), 'updating', command);
    remember(run, element, { ...listening, event: 'updating', at: 0 });
    return continueTask(run, element);
  }
  const task = taskOf(run, element);
  const ofRequest = { task: task.id, ...(command !== undefined && { command }) };
  if (event !== 'completing') {
    record(run, { kind: 'USER_TASK_CHANGED', ...ofRequest, changes });
    return remember(run, element, undefined);
  }
  const variables = completionOf(element);
  record(run, {
    kind: 'USER_TASK_COMPLETED',
    ...ofRequest,
    ...(Object.keys(variables).length > 0 && { variables }),
    ...(Object.keys(changes).length > 0 && { changes }),
  });
  remember(run, element, undefined);
  trigger(run, task, variables);
}

/** An event has interrupted the task, and its listeners have run. */
function endTask(run: Run, element: ElementInstance, changes: TaskChanges): void {
  if (Object.keys(changes).length > 0)
    record(run, { kind: 'USER_TASK_CHANGED', task: taskOf(run, element).id, changes });
  taskHeard(run, element);
}

/** The listeners that decide about a request: `assigning` about the assignee, `updating` about everything else. */
export function eventOf(run: Run, element: ElementInstance, changes: TaskChanges): TaskListenerEvent | undefined {
  const members = Object.keys(changes) as (keyof TaskChanges)[];
  if (members.includes('assignee') && decidesAbout(run, element, 'assigning')) return 'assigning';
  return changesMore(members) && decidesAbout(run, element, 'updating') ? 'updating' : undefined;
}

function changesMore(members: readonly (keyof TaskChanges)[]): boolean {
  return members.some((member) => member !== 'assignee');
}

function createFromDraft(run: Run, element: ElementInstance, node: UserTaskNode, changes: TaskChanges): void {
  const draft = { ...taskDraftOf(element)!, ...changes };
  const given = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== null)) as TaskDraft;
  remember(run, element, undefined);
  record(run, { kind: 'ELEMENT_DATA_SET', element: element.id, data: taskDraftData(undefined) });
  createTask(run, element, node, given);
}

/** The assignee of the model is a request like any other if listeners decide about it. */
function createTask(run: Run, element: ElementInstance, node: UserTaskNode, draft: TaskDraft): void {
  const { assignee, ...unassigned } = draft;
  if (assignee === undefined || !node.taskListeners?.assigning) return openTask(run, element, node, draft);
  openTask(run, element, node, unassigned);
  requestOfTask(run, element, taskOf(run, element), {
    event: 'assigning',
    changes: { assignee },
    draft: unassigned,
  });
}

/** Opens the task without asking a listener. */
export function openTask(run: Run, element: ElementInstance, node: UserTaskNode, draft: TaskDraft): void {
  const local = localVariables(run.state, element);
  const decided = decidedBy(node);
  record(run, {
    kind: 'USER_TASK_CREATED',
    task: nextID(run),
    element: element.id,
    node: node.id,
    ...draft,
    ...(decided.length > 0 && { decided }),
    ...(local && { localVariables: local }),
  });
}

/** The requests of people that listeners of `node` decide about. */
export function decidedBy({ taskListeners = {} }: Pick<UserTaskNode, 'taskListeners'>): TaskListenerEvent[] {
  return (Object.keys(taskListeners) as TaskListenerEvent[]).filter(
    (event) => event !== 'creating' && event !== 'canceling',
  );
}

function taskOf(run: Run, element: ElementInstance): UserTaskWait {
  return waitsOf(run, element.id).find((wait): wait is UserTaskWait => wait.kind === 'userTask')!;
}

function taskNode(run: Run, element: ElementInstance): UserTaskNode {
  return nodeOf(run, element) as UserTaskNode;
}
