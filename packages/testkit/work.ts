/** Jobs and user tasks of an instance under test. */
import type { CommandBody, JobResult } from '@perdure/engine/contract/commands.js';
import type { FactOf, JobListener } from '@perdure/engine/contract/facts.js';
import { DEFAULT_TASK_PRIORITY } from '@perdure/engine/contract/facts.js';
import type { Variables } from '@perdure/engine/contract/json.js';

/** Sends the instance a command. Throws if it does not apply. */
export type Send = (command: CommandBody) => void;

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
  readonly #number: number;
  readonly #send: Send;

  constructor(created: FactOf<'USER_TASK_CREATED'>, processVariables: Variables, send: Send) {
    this.elementID = created.node;
    this.assignee = created.assignee;
    this.candidateUsers = created.candidateUsers ?? [];
    this.candidateGroups = created.candidateGroups ?? [];
    this.formKey = created.formKey;
    this.formID = created.formID;
    this.dueDate = dateOf(created.dueDate);
    this.followUpDate = dateOf(created.followUpDate);
    this.priority = created.priority ?? DEFAULT_TASK_PRIORITY;
    this.headers = created.headers ?? {};
    this.variables = { ...processVariables, ...created.localVariables };
    this.#number = created.task;
    this.#send = send;
  }

  complete(variables?: Variables): void {
    this.#send({ kind: 'COMPLETE_USER_TASK', execution: this.#number, ...(variables && { variables }) });
  }

  throwError(errorCode: string, variables?: Variables): void {
    this.#send({ kind: 'THROW_USER_TASK_ERROR', execution: this.#number, errorCode, ...(variables && { variables }) });
  }
}

function dateOf(milliseconds: number | undefined): Date | undefined {
  return milliseconds === undefined ? undefined : new Date(milliseconds);
}
