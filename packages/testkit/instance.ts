/** An instance under test: its waits, the actions on it, and the expectations of it. */
import type { CommandBody, CommandKind, CommandOutcome } from '@perdure/engine/contract/commands.js';
import type { FactOf } from '@perdure/engine/contract/facts.js';
import { equalJson, type Json, type Variables } from '@perdure/engine/contract/json.js';
import type { ErrorType, InstanceStatus } from '@perdure/engine/state/state.js';
import { describeInstance } from './describe.js';
import type { MemoryHost, MemoryInstance } from './memory-host.js';
import { expectAllowedSize } from './payload-limit.js';
import { headersOf, taskNow, TestJob, TestTask, type TaskNow } from './work.js';

/** An instance is not in the state that the test expects. */
export class ExpectationFailed extends Error {
  override name = 'ExpectationFailed';
}

/** Commands for which the REST API returns 409 SUSPENDED; a job's result is accepted from the holder of the lease. */
const REFUSED_DURING_A_PAUSE: ReadonlySet<CommandKind> = new Set<CommandKind>([
  'COMPLETE_USER_TASK',
  'CHANGE_USER_TASK',
  'THROW_USER_TASK_ERROR',
  'TRIGGER_AD_HOC',
]);

export class TestInstance {
  readonly #host: MemoryHost;
  readonly #instance: MemoryInstance;
  readonly #attempts = new Map<number, number>();
  readonly #called: (workflowID: string) => TestInstance;

  /** @param called returns the instance with a given name */
  constructor(host: MemoryHost, instance: MemoryInstance, called: (workflowID: string) => TestInstance) {
    this.#host = host;
    this.#instance = instance;
    this.#called = called;
  }

  get workflowID(): string {
    return this.#instance.workflowID;
  }

  get processID(): string {
    return this.#instance.model.graph.processID;
  }

  get status(): InstanceStatus {
    return this.#instance.state.status;
  }

  /** Cancel reason; undefined unless it was canceled. */
  get cancelReason(): string | undefined {
    return this.#host.facts(this.#instance).find((fact) => fact.kind === 'INSTANCE_CANCELED')?.reason;
  }

  /** The process's own variables. */
  get variables(): Variables {
    return this.#host.variables(this.#instance);
  }

  /**
   * The elements at which it waits, in the order in which the waits were opened, including listening boundary events
   * and event sub-processes.
   */
  get waitingAt(): string[] {
    return Object.values(this.#instance.state.waits).map(({ node }) => node);
  }

  /** The elements completed so far, in order. */
  get completed(): string[] {
    return this.#host.completed(this.#instance).filter((node) => node !== this.#instance.model.root.id);
  }

  /** Open incidents. */
  get incidents(): { elementID: string; errorType: ErrorType; errorCode: string | undefined; message: string }[] {
    return this.#host
      .incidents(this.#instance)
      .map(({ node, errorType, errorCode, message }) => ({ elementID: node, errorType, errorCode, message }));
  }

  /** Open jobs, in the order in which they were created. */
  get jobs(): TestJob[] {
    return this.#open('JOB_CREATED', ({ job }) => job).map((created) => {
      const task = created.task && this.#tasks().find(({ task: number }) => number === created.task!.number);
      const headers = headersOf(created, task);
      return new TestJob({ ...created, headers }, this.variables, this.#attempts, this.#send);
    });
  }

  /** Open user tasks, in the order in which they were created. */
  get tasks(): TestTask[] {
    return this.#tasks().map((task) => new TestTask(task, this.variables, this.#send));
  }

  /** The open job at the element; the first one if several instances of the element are active. */
  job(elementID: string): TestJob {
    return this.jobs.find((job) => job.elementID === elementID) ?? this.#fail(`a job at ${elementID}`);
  }

  /** The open user task at the element; the first one if several instances of the element are active. */
  task(elementID: string): TestTask {
    return this.tasks.find((task) => task.elementID === elementID) ?? this.#fail(`a user task at ${elementID}`);
  }

  /** The instance that the call activity has started and waits for. */
  called(elementID: string): TestInstance {
    const wait = Object.values(this.#instance.state.waits).find(
      ({ kind, node }) => kind === 'child' && node === elementID,
    );
    return wait?.kind === 'child' ? this.#called(wait.workflowID) : this.#fail(`a called instance at ${elementID}`);
  }

  /** Retries the element of an open incident. */
  resolveIncident(elementID: string, variables?: Variables): void {
    const incident =
      this.#host.incidents(this.#instance).find(({ node }) => node === elementID) ??
      this.#fail(`an incident at ${elementID}`);
    this.#send({ kind: 'RESOLVE_INCIDENT', incident: incident.id, ...(variables && { variables }) });
  }

  /** Sets variables of the process; null removes one. */
  setVariables(variables: Variables): void {
    this.#send({ kind: 'SET_VARIABLES', variables });
  }

  cancel(reason?: string): void {
    this.#send({ kind: 'CANCEL_INSTANCE', ...(reason !== undefined && { reason }) });
  }

  /**
   * Suspends the instance and everything it has called. Commands that arrive in the meantime are deferred until
   * `resume`.
   */
  suspend(): void {
    this.#host.suspend(this.#instance);
  }

  resume(): void {
    this.#host.resume(this.#instance);
  }

  /** Whether it, its process or a parent instance is suspended. */
  get isPaused(): boolean {
    return this.#host.isPaused(this.#instance);
  }

  /**
   * Migrates to the newest deployed version of its process.
   * @param mappings for active elements whose id differs in the new version: old id to new id
   */
  migrate(mappings: { readonly [elementID: string]: string } = {}, variables?: Variables): void {
    this.#expectApplied('MIGRATE', this.#host.migrate(this.#instance, mappings, variables));
  }

  /** Starts one activity of an ad-hoc sub-process. */
  triggerAdHoc(adHocElementID: string, elementID: string): void {
    this.#send({ kind: 'TRIGGER_AD_HOC', node: adHocElementID, nodeID: elementID });
  }

  /** Expects it to wait at all of these elements, and possibly at others. */
  expectWaitingAt(...elementIDs: string[]): void {
    const missing = elementIDs.filter((id) => !this.waitingAt.includes(id));
    if (missing.length > 0) this.#fail(`to wait at ${missing.join(', ')}`);
  }

  /** Expects these elements to have completed in this order, possibly with others before, between and after. */
  expectPassed(...elementIDs: string[]): void {
    let from = 0;
    const { completed } = this;
    for (const elementID of elementIDs) {
      const found = completed.indexOf(elementID, from);
      if (found < 0) this.#fail(`${elementID} to have completed${from > 0 ? ` after ${completed[from - 1]}` : ''}`);
      from = found + 1;
    }
  }

  /** Expects the process to have these variables with these values, and possibly others. */
  expectVariables(expected: Variables): void {
    for (const [name, value] of Object.entries(expected)) {
      const found = this.variables[name];
      if (found === undefined || !equalJson(found, value))
        this.#fail(`the variable ${name} to be ${JSON.stringify(value)}, found ${printed(found)}`);
    }
  }

  /** Expects it to have completed, at the given end event if any. */
  expectCompleted(endEventID?: string): void {
    if (this.status !== 'COMPLETED') this.#fail('to have completed');
    if (endEventID !== undefined && !this.completed.includes(endEventID))
      this.#fail(`to have completed at ${endEventID}`);
  }

  /** Expects an open incident at the element. */
  expectIncident(elementID: string, errorType?: ErrorType): void {
    const found = this.incidents.some(
      (incident) => incident.elementID === elementID && (errorType === undefined || incident.errorType === errorType),
    );
    if (!found) this.#fail(`an incident${errorType === undefined ? '' : ` ${errorType}`} at ${elementID}`);
  }

  #tasks(): TaskNow[] {
    const facts = this.#host.facts(this.#instance);
    return this.#open('USER_TASK_CREATED', ({ task }) => task).map((created) => taskNow(created, facts));
  }

  /** A migration may have changed the id of its element since. */
  #open<Kind extends 'JOB_CREATED' | 'USER_TASK_CREATED'>(
    kind: Kind,
    numberOf: (fact: FactOf<Kind>) => number,
  ): FactOf<Kind>[] {
    const { waits } = this.#instance.state;
    return this.#host.facts(this.#instance).flatMap((fact) => {
      const wait = fact.kind === kind && waits[numberOf(fact as FactOf<Kind>)];
      return wait ? [{ ...(fact as FactOf<Kind>), node: wait.node }] : [];
    });
  }

  readonly #send = (command: CommandBody & { reason?: string }): void => {
    if ('variables' in command) expectAllowedSize(command.variables);
    if (this.isPaused && REFUSED_DURING_A_PAUSE.has(command.kind))
      this.#fail(`${command.kind} to apply; it is refused while the instance is suspended`);
    const outcome = this.#host.send(this.#instance, command);
    if (outcome) this.#expectApplied(command.kind, outcome);
  };

  #expectApplied(kind: CommandKind, { status, message, issues = [] }: CommandOutcome): void {
    if (status === 'REJECTED') this.#fail(`${kind} to apply; it was rejected: ${[message, ...issues].join('; ')}`);
  }

  #fail(expected: string): never {
    throw new ExpectationFailed(`Expected ${expected}, but\n${describeInstance(this.#host, this.#instance)}`);
  }
}

function printed(value: Json | undefined): string {
  return value === undefined ? 'none' : JSON.stringify(value);
}
