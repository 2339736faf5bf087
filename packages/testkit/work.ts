/** Jobs and user tasks of an instance under test. */
import type { CommandBody, JobResult } from '@perdure/engine/contract/commands.js';
import { valueHeaders } from '@perdure/engine/behaviors/listeners/task-headers.js';
import {
  DEFAULT_TASK_PRIORITY,
  TASK_HEADERS,
  type Fact,
  type FactOf,
  type JobListener,
  type TaskChanges,
  type TaskListenerEvent,
} from '@perdure/engine/contract/facts.js';
import type { Variables } from '@perdure/engine/contract/json.js';

/** Sends the instance a command. Throws if it does not apply. */
export type Send = (command: CommandBody) => void;

/** A user task as it is now, with the last request that a listener has denied, unless another one has followed. */
export interface TaskNow extends Omit<FactOf<'USER_TASK_CREATED'>, 'assignee' | 'dueDate' | 'followUpDate'> {
  assignee?: string | null;
  dueDate?: number | null;
  followUpDate?: number | null;
  denied?: { eventType: TaskListenerEvent; reason: string | undefined } | undefined;
}

/** @param facts those of its instance */
export function taskNow(created: FactOf<'USER_TASK_CREATED'>, facts: readonly Fact[]): TaskNow {
  let task: TaskNow = created;
  for (const fact of facts) {
    if (!('task' in fact) || fact.task !== created.task) continue;
    if (fact.kind === 'USER_TASK_CHANGED') task = { ...task, ...fact.changes };
    if (fact.kind === 'USER_TASK_REQUESTED') task = { ...task, denied: undefined };
    if (fact.kind === 'USER_TASK_DENIED') task = { ...task, denied: { eventType: fact.event, reason: fact.reason } };
  }
  return task;
}

/** The headers of a job. A host reads some of those of a task listener from the row of its task. */
export function headersOf({ headers = {}, task }: FactOf<'JOB_CREATED'>, now: TaskNow | undefined): TestJob['headers'] {
  if (!task || !now) return headers;
  const ofTask: { [name: string]: string } = {
    ...valueHeaders({ priority: DEFAULT_TASK_PRIORITY, ...now }),
    ...(now.formKey !== undefined && { [`${TASK_HEADERS}formKey`]: now.formKey }),
  };
  const read = task.headers.flatMap((header): [string, string][] => {
    const name = TASK_HEADERS + header;
    return ofTask[name] === undefined ? [] : [[name, ofTask[name]]];
  });
  return { ...headers, ...Object.fromEntries(read) };
}

/** A job as a job worker receives it. */
export class TestJob {
  readonly elementID: string;
  readonly type: string;
  readonly headers: { [name: string]: string };
  /** The listener whose job it is; undefined if it is the work of its element. */
  readonly listener: JobListener | undefined;
  /** All variables visible at its element. */
  readonly variables: Variables;
  readonly #number: number;
  readonly #send: Send;
  readonly #attempts: Map<number, number>;

  /** @param attempts remaining attempts by number of the job, where some have been used */
  constructor(created: FactOf<'JOB_CREATED'>, processVariables: Variables, attempts: Map<number, number>, send: Send) {
    this.elementID = created.node;
    this.type = created.taskType;
    this.headers = created.headers ?? {};
    this.listener = created.listener;
    this.variables = { ...processVariables, ...created.localVariables };
    this.#number = created.job;
    this.#send = send;
    this.#attempts = attempts;
    if (!attempts.has(created.job)) attempts.set(created.job, created.retries);
  }

  /** Including the current one. */
  get attemptsLeft(): number {
    return this.#attempts.get(this.#number)!;
  }

  /** @param result the decision, for the job of an ad-hoc sub-process or of a task listener */
  complete(variables?: Variables, result?: JobResult): void {
    this.#send({
      kind: 'COMPLETE_JOB',
      execution: this.#number,
      ...(variables && { variables }),
      ...(result && { result }),
    });
  }

  /** Reports a BPMN error, as a job worker would: an error event may catch it. */
  throwError(errorCode: string, variables?: Variables): void {
    this.#send({ kind: 'THROW_JOB_ERROR', execution: this.#number, errorCode, ...(variables && { variables }) });
  }

  /**
   * A technical failure: the job is available again while it has attempts left; after the last one its error goes to
   * the model.
   */
  fail(message = 'failed by the test'): void {
    const left = this.attemptsLeft - 1;
    if (left > 0) this.#attempts.set(this.#number, left);
    else this.#send({ kind: 'THROW_JOB_ERROR', execution: this.#number, errorCode: 'TECHNICAL_ERROR', message });
  }
}

/** New values of a user task. Null removes a value. */
export interface TaskUpdate extends Omit<TaskChanges, 'dueDate' | 'followUpDate'> {
  dueDate?: Date | null;
  followUpDate?: Date | null;
}

/** A user task as its candidates see it. */
export class TestTask {
  readonly elementID: string;
  readonly assignee: string | undefined;
  readonly candidateUsers: readonly string[];
  readonly candidateGroups: readonly string[];
  readonly formKey: string | undefined;
  readonly formID: string | undefined;
  readonly dueDate: Date | undefined;
  readonly followUpDate: Date | undefined;
  /** 0 to 100. */
  readonly priority: number;
  readonly headers: { [name: string]: string };
  readonly variables: Variables;
  /** The last request that a listener has denied; undefined once there is another request. */
  readonly denied: { eventType: TaskListenerEvent; reason: string | undefined } | undefined;
  readonly #number: number;
  readonly #send: Send;

  constructor(task: TaskNow, processVariables: Variables, send: Send) {
    this.elementID = task.node;
    this.assignee = task.assignee ?? undefined;
    this.candidateUsers = task.candidateUsers ?? [];
    this.candidateGroups = task.candidateGroups ?? [];
    this.formKey = task.formKey;
    this.formID = task.formID;
    this.dueDate = dateOf(task.dueDate);
    this.followUpDate = dateOf(task.followUpDate);
    this.priority = task.priority ?? DEFAULT_TASK_PRIORITY;
    this.headers = task.headers ?? {};
    this.variables = { ...processVariables, ...task.localVariables };
    this.denied = task.denied;
    this.#number = task.task;
    this.#send = send;
  }

  /** Claims, assigns, or changes it. If listeners decide about it, it takes effect with their jobs; so does `complete`. */
  update({ dueDate, followUpDate, ...others }: TaskUpdate): void {
    const changes: TaskChanges = {
      ...others,
      ...(dueDate !== undefined && { dueDate: dueDate?.getTime() ?? null }),
      ...(followUpDate !== undefined && { followUpDate: followUpDate?.getTime() ?? null }),
    };
    this.#send({ kind: 'CHANGE_USER_TASK', execution: this.#number, changes });
  }

  complete(variables?: Variables): void {
    this.#send({ kind: 'COMPLETE_USER_TASK', execution: this.#number, ...(variables && { variables }) });
  }

  throwError(errorCode: string, variables?: Variables): void {
    this.#send({ kind: 'THROW_USER_TASK_ERROR', execution: this.#number, errorCode, ...(variables && { variables }) });
  }
}

function dateOf(milliseconds: number | null | undefined): Date | undefined {
  return typeof milliseconds === 'number' ? new Date(milliseconds) : undefined;
}
