/**
 * A host in memory with virtual time: the engine without Temporal and Postgres, for tests that run in milliseconds.
 * After every step it folds the recorded facts from scratch and compares: replay must equal processing.
 */
import { compile } from '@perdure/bpmn/compile/compile.js';
import type {
  CommandBody,
  CommandOutcome,
  DecisionEvaluation,
  JobResult,
  StartInput,
} from '@perdure/engine/contract/commands.js';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import type { DecisionRequest } from '@perdure/engine/decisions.js';
import { hasWork } from '@perdure/engine/behaviors/flow/tokens.js';
import { isHalted } from '@perdure/engine/behaviors/lifecycle/halt.js';
import type { DefinitionReference, Incident, Wait } from '@perdure/engine/state/state.js';
import { upgradeGraph, upgradeState } from '@perdure/engine/state/upgrade.js';
import { nextDue, type StepResult } from '@perdure/engine/step.js';
import { ensure } from './ensure.js';
import { Calls } from './memory/calls.js';
import { evaluateRequests, noteRequests, noteWaitingDecisions } from './memory/decision-requests.js';
import { Deployments, type Deployable, type Deployed } from './memory/deployments.js';
import { makeImported, type GivenInstance } from './memory/imports.js';
import { newInstance, openedInstance, type MemoryInstance, type OpenedState } from './memory/instance.js';
import { roundTrip } from './memory/json.js';
import { completedNodes, factsOf, incidentsOf, variablesOf, waitOf, waitsOf } from './memory/lookups.js';
import { Messages } from './memory/messages.js';
import { Pauses } from './memory/pauses.js';
import { compareWithReplay, foldFacts } from './memory/replay-check.js';
import { Steps, type TakenInput } from './memory/steps.js';
import { ModelRefused } from './model-refused.js';

export type { MemoryInstance, OpenedState } from './memory/instance.js';

const HOUR = 3_600_000;

export class MemoryHost {
  now = Date.parse('2026-01-01T00:00:00Z');
  readonly instances = new Map<string, MemoryInstance>();
  readonly deployments = new Deployments();
  readonly pauses = new Pauses();
  /** Decision results by id. */
  readonly decisions = new Map<string, (variables: Variables) => Json>();
  /** Evaluates decisions that `decisions` does not contain; without it their tasks fail with DecisionNotFound. */
  evaluateDecision: ((request: DecisionRequest, now: number) => DecisionEvaluation['outcome']) | undefined;
  /** Called with the facts of every step. */
  onFacts: ((instance: MemoryInstance, facts: readonly Fact[]) => void) | undefined;
  /** Called with the input and the result of every step. */
  onStep: ((instance: MemoryInstance, input: TakenInput, result: StepResult) => void) | undefined;
  /**
   * Steps between comparisons (1: after every step), because comparing large states after each of thousands of steps
   * takes long.
   */
  compareEvery = 1;
  /** Whether calls of processes that are not deployed wait for an answer instead of failing. */
  keepsUnknownCalls = false;
  readonly #messages = new Messages(this);
  readonly #calls = new Calls(this);
  readonly #steps = this.#newSteps();
  #started = 0;

  /** A host with every executable process of the files; fails the test with all problems if one is rejected. */
  static async deploy(...files: string[]): Promise<MemoryHost> {
    const host = new MemoryHost();
    for (const xml of files) await host.deploy(xml);
    return host;
  }

  async deploy(xml: string): Promise<void> {
    const compiled = await compile(xml);
    const errors = compiled.problems.filter((problem) => problem.severity === 'error');
    if (errors.length > 0) throw new ModelRefused('The model', errors);
    this.add(compiled.processes);
  }

  /**
   * Deploys the processes of one file together. Their instances run the graphs as stored.
   * @returns the number of the deployment, from 1
   */
  add(processes: readonly Deployable[]): number {
    const number = this.deployments.add(processes);
    this.#messages.offerBuffered();
    return number;
  }

  start(processID: string, variables: Variables = {}, start: Omit<StartInput, 'variables'> = {}): MemoryInstance {
    const process = this.#newest(processID);
    ensure(!this.pauses.hasDefinition(process.model), `process ${processID} is suspended`);
    return this.begin(process, { ...start, variables });
  }

  /** Starts an instance of this version; its id is the next one unless given. */
  begin(process: Deployed, start: StartInput, workflowID = this.#nextWorkflowID()): MemoryInstance {
    const instance = newInstance(workflowID, process, start);
    this.instances.set(workflowID, instance);
    this.#steps.run(instance, []);
    return instance;
  }

  /**
   * Imports a running instance and all that it calls.
   * @throws ImportRefused
   */
  import(given: GivenInstance): MemoryInstance {
    const context = { workflowID: this.#nextWorkflowID(), now: this.now };
    const imported = makeImported(given, (processID) => this.#newest(processID), context).map(
      ({ process, fact, state }) => {
        const instance = { ...newInstance(state.workflowID, process), state };
        this.instances.set(state.workflowID, instance);
        this.#note(instance, 'import', roundTrip([fact]));
        return instance;
      },
    );
    for (const instance of imported) this.#steps.run(instance, []);
    return imported[0]!;
  }

  /**
   * Opens the state of an instance of a host, as `GetBpmnInstanceEngineState` returns it, and continues from there: it
   * runs to its next wait state if it has work, and asks for the decisions that it waits for. Time continues at its
   * moment, if this is later. Instances that it has called are those with their ids here, or none; commands that a pause
   * deferred are not part of a state.
   */
  open({ graph, state: stored, now, isInside }: OpenedState): MemoryInstance {
    const given = upgradeGraph(roundTrip(graph));
    const { processID, versionTag } = given;
    this.deployments.add([{ processID, graph: given, ...(versionTag !== undefined && { versionTag }) }]);
    const { deferred: _, ...state } = upgradeState(roundTrip(stored));
    ensure(state.status !== 'RUNNING' || state.lastID > 0, `instance ${state.workflowID} has not begun`);
    ensure(!this.instances.has(state.workflowID), `instance ${state.workflowID} is open already`);
    const instance = openedInstance(this.deployments.newest().get(processID)!, state);
    this.instances.set(state.workflowID, instance);
    this.now = Math.max(this.now, now);
    if (isInside) return instance;
    this.#messages.open(instance);
    noteWaitingDecisions(instance);
    if (hasWork(state) && !isHalted(state)) this.#steps.run(instance, []);
    evaluateRequests(instance, this, (evaluations) => this.#steps.run(instance, [], { evaluations }));
    return instance;
  }

  /** Suspends an instance and everything it has called. */
  suspend(instance: MemoryInstance): void {
    this.pauses.suspend(instance);
    this.#notePaused();
  }

  resume(instance: MemoryInstance): void {
    this.pauses.resume(instance);
    this.#continueResumed();
  }

  /** Suspends the newest version of a process: its instances, what they have called, and starts. */
  suspendDefinition(processID: string): void {
    this.pauses.suspendDefinition(this.#newest(processID).model);
    this.#notePaused();
  }

  resumeDefinition(processID: string): void {
    this.pauses.resumeDefinition(this.#newest(processID).model);
    this.#continueResumed();
    this.#messages.offerBuffered();
  }

  isPaused(instance: MemoryInstance): boolean {
    return this.pauses.isPaused(instance, this.instances);
  }

  /** The target of a migration to the newest version of the instance's process. */
  newestVersion({ model }: MemoryInstance): DefinitionReference {
    return this.deployments.newestVersion(model.graph.processID);
  }

  /** Migrates to the newest version of its process; `mappings` by current ids. */
  migrate(
    instance: MemoryInstance,
    mappings: { [source: string]: string } = {},
    variables?: Variables,
  ): CommandOutcome {
    return this.command(instance, {
      kind: 'MIGRATE',
      target: this.newestVersion(instance),
      mappings: Object.entries(mappings).map(([source, target]) => ({ source, target })),
      ...(variables && { variables }),
    });
  }

  /**
   * Publishes a message: the subscription that has waited longest takes it; otherwise one process starts; otherwise it
   * is buffered.
   */
  publishMessage(name: string, correlation?: Json, variables: Variables = {}, ttl = HOUR): void {
    this.#messages.publishMessage(name, correlation, variables, ttl);
  }

  /** Broadcasts a signal to all subscriptions, to start events, and to subscriptions opened within a day. */
  throwSignal(name: string, variables: Variables = {}, ttl = 24 * HOUR): void {
    this.#messages.throwSignal(name, variables, ttl);
  }

  /** Starts an instance at every conditional start event whose condition is true with the variables. */
  evaluateConditions(variables: Variables): void {
    this.#messages.evaluateConditions(variables);
  }

  /** Sends one command and returns its outcome. */
  command(instance: MemoryInstance, body: CommandBody): CommandOutcome {
    const outcome = this.send(instance, body);
    ensure(outcome, `${body.kind} is deferred until ${instance.workflowID} is resumed`);
    return outcome;
  }

  /** Sends one command and returns its outcome; undefined if it is deferred until resume. */
  send(instance: MemoryInstance, body: CommandBody & { reason?: string }): CommandOutcome | undefined {
    const number = instance.state.lastCommand + 1;
    return this.#steps.run(instance, [{ ...body, number }]).find((outcome) => outcome.number === number);
  }

  completeJob(instance: MemoryInstance, nodeID: string, variables?: Variables, result?: JobResult): CommandOutcome {
    const { id } = this.wait(instance, 'job', nodeID);
    return this.command(instance, {
      kind: 'COMPLETE_JOB',
      execution: id,
      ...(variables && { variables }),
      ...(result && { result }),
    });
  }

  throwJobError(instance: MemoryInstance, nodeID: string, errorCode: string, variables?: Variables): CommandOutcome {
    const { id } = this.wait(instance, 'job', nodeID);
    return this.command(instance, {
      kind: 'THROW_JOB_ERROR',
      execution: id,
      errorCode,
      ...(variables && { variables }),
    });
  }

  completeTask(instance: MemoryInstance, nodeID: string, variables?: Variables): CommandOutcome {
    const { id } = this.wait(instance, 'userTask', nodeID);
    return this.command(instance, { kind: 'COMPLETE_USER_TASK', execution: id, ...(variables && { variables }) });
  }

  resolve(instance: MemoryInstance, nodeID: string, variables?: Variables): CommandOutcome {
    const incident = this.incidents(instance).find((open) => open.node === nodeID);
    ensure(incident, `no open incident at ${nodeID}`);
    return this.command(instance, { kind: 'RESOLVE_INCIDENT', incident: incident.id, ...(variables && { variables }) });
  }

  /** Advances time; every timer that falls due on the way fires at its own time. */
  advance(milliseconds: number): void {
    const until = this.now + milliseconds;
    for (;;) {
      const due = this.nextDue();
      if (due > until) break;
      this.now = Math.max(this.now, due);
      for (const instance of this.instances.values())
        if (this.#dueOf(instance) <= this.now) this.#steps.run(instance, []);
    }
    this.now = until;
  }

  /** When the next timer is due, in epoch milliseconds; infinite without one. */
  nextDue(): number {
    return [...this.instances.values()].reduce(
      (earliest, instance) => Math.min(earliest, this.#dueOf(instance)),
      Infinity,
    );
  }

  wait<K extends Wait['kind']>(instance: MemoryInstance, kind: K, nodeID: string): Extract<Wait, { kind: K }> {
    return waitOf(instance, kind, nodeID);
  }

  /** The waits of the instance: `job ship`, `timer late`. */
  waiting(instance: MemoryInstance): string[] {
    return waitsOf(instance);
  }

  incidents(instance: MemoryInstance): Incident[] {
    return incidentsOf(instance);
  }

  variables(instance: MemoryInstance): Variables {
    return variablesOf(instance);
  }

  facts(instance: MemoryInstance): Fact[] {
    return factsOf(instance);
  }

  /** The nodes completed so far, in order, each by its id at the time. */
  completed(instance: MemoryInstance): string[] {
    return completedNodes(instance);
  }

  child(instance: MemoryInstance, nodeID: string): MemoryInstance {
    const child = this.instances.get(this.wait(instance, 'child', nodeID).workflowID);
    ensure(child, `the instance called by ${nodeID} was refused`);
    return child;
  }

  #newSteps(): Steps {
    return new Steps({
      now: () => this.now,
      isPaused: (instance) => this.isPaused(instance),
      targets: () => this.deployments.targets(),
      commit: (instance, stimulus, result, input) => {
        this.onStep?.(instance, input, result);
        this.#commit(instance, stimulus, result);
      },
      idle: (instance) => this.#messages.catchUp(instance),
    });
  }

  #newest(processID: string): Deployed {
    const process = this.deployments.newest().get(processID);
    ensure(process, `process ${processID} is not deployed`);
    return process;
  }

  #nextWorkflowID(): string {
    this.#started += 1;
    return `i${this.#started}`;
  }

  #notePaused(): void {
    for (const instance of this.instances.values()) if (this.isPaused(instance)) instance.wasPaused = true;
  }

  #continueResumed(): void {
    for (const instance of this.instances.values()) {
      if (!instance.wasPaused || this.isPaused(instance)) continue;
      instance.wasPaused = false;
      if (instance.state.status !== 'RUNNING') continue;
      const commands = (instance.state.deferred ?? []).map(({ number }) => instance.deferred.get(number)!);
      this.#steps.run(instance, commands, { resumed: true });
    }
  }

  #dueOf(instance: MemoryInstance): number {
    const { state } = instance;
    return state.status === 'RUNNING' && !this.isPaused(instance) ? (nextDue(state) ?? Infinity) : Infinity;
  }

  /** Applies the effects of a step, as the store does. */
  #commit(instance: MemoryInstance, stimulus: string, result: StepResult): void {
    instance.model = result.model;
    instance.deployment = this.deployments.numberOf(result.model);
    this.#note(instance, stimulus, roundTrip(result.facts));
    this.#messages.release(instance, result.outcomes);
    this.#perform(instance, result.facts);
    noteRequests(instance, result.facts);
    evaluateRequests(instance, this, (evaluations) => this.#steps.run(instance, [], { evaluations }));
  }

  #note(instance: MemoryInstance, stimulus: string, facts: Fact[]): void {
    instance.steps.push({ stimulus, now: this.now, facts });
    this.onFacts?.(instance, facts);
    this.#messages.note(instance.workflowID, facts);
    foldFacts(instance, facts, this.now);
    if (instance.steps.length % this.compareEvery === 0 || instance.state.status !== 'RUNNING')
      compareWithReplay(instance);
  }

  /**
   * Starts, cancels and reports called instances, and publishes messages and signals, based on facts as the store does.
   */
  #perform(instance: MemoryInstance, facts: readonly Fact[]): void {
    for (const fact of facts) {
      if (fact.kind === 'MESSAGE_PUBLISHED') this.publishMessage(fact.name, fact.correlation, fact.variables, fact.ttl);
      if (fact.kind === 'SIGNAL_THROWN') this.throwSignal(fact.name, fact.variables, fact.ttl);
      if (fact.kind === 'ESCALATION_THROWN' && fact.caught === 'PARENT') this.#calls.escalate(instance, fact);
      if (fact.kind === 'CHILD_CALLED') this.#calls.call(instance, fact);
      if (fact.kind === 'CHILD_CANCELED') this.#calls.cancel(fact);
    }
    if (instance.state.status !== 'RUNNING' && facts.some(({ kind }) => kind.startsWith('INSTANCE_')))
      this.#calls.report(instance, facts);
  }
}
