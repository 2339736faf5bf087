/**
 * A host in memory with virtual time: the engine without Temporal and Postgres, for tests that run in milliseconds.
 * After every step it folds the recorded facts from scratch and compares: replay must equal processing.
 */
import { strict as assert } from 'node:assert';
import { compile, type CompiledProcess } from '@perdure/bpmn/compile/compile.js';
import { apply } from '@perdure/engine/apply.js';
import { applyChecked } from '@perdure/engine/state/lifecycle.js';
import { isHalted } from '@perdure/engine/behaviors/lifecycle/halt.js';
import { hasWork } from '@perdure/engine/behaviors/flow/tokens.js';
import type {
  ChildOutcome,
  Command,
  CommandBody,
  CommandOutcome,
  DecisionAnswer,
  StartInput,
} from '@perdure/engine/contract/commands.js';
import { decisionRequest, type DecisionRequest } from '@perdure/engine/decisions.js';
import { currentFlags } from '@perdure/engine/state/flags.js';
import { entryPoints } from '@perdure/engine/model/entry-points.js';
import type { Fact, FactOf } from '@perdure/engine/contract/facts.js';
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import { modelOf, type Model } from '@perdure/engine/model/model.js';
import {
  newState,
  ROOT,
  type DefinitionReference,
  type Incident,
  type State,
  type Wait,
} from '@perdure/engine/state/state.js';
import { nextDue, step, stepPaused, type StepInput, type StepResult } from '@perdure/engine/step.js';
import { evaluate } from '@perdure/feel/evaluate.js';
import { arrivedTogether, matches, Subscribers, type Publication, type Subscriber } from './broker.js';
import { Pauses } from './pauses.js';

/** One version of a process. */
interface Deployed {
  processID: string;
  model: Model;
  versionTag?: string;
  /** Number of the deployment, from 1. */
  deployment: number;
}

export interface MemoryInstance {
  workflowID: string;
  model: Model;
  deployment: number;
  state: State;
  /** The start, while a pause keeps the instance from its first step. */
  start?: StartInput;
  /** Pending commands by number; a pause defers them. */
  readonly deferred: Map<number, Command>;
  /** Decisions without a result yet. */
  readonly asked: DecisionRequest[];
  isDeciding: boolean;
  wasPaused: boolean;
  /** The state folded from the recorded facts. */
  replayed: State;
  /** Facts per step, with the step's inputs and time. */
  steps: { stimulus: string; now: number; facts: Fact[] }[];
}

export class MemoryHost {
  now = Date.parse('2026-01-01T00:00:00Z');
  readonly instances = new Map<string, MemoryInstance>();
  /** Newest last. */
  private readonly deployed: Deployed[] = [];
  private deployments = 0;
  private readonly buffered: Publication[] = [];
  private readonly subscribers = new Subscribers();
  private readonly pauses = new Pauses();
  /** Messages delivered to instances that cannot take them while paused, by id. */
  private readonly given = new Map<string, Publication>();
  private started = 0;
  private published = 0;
  /** Decision results by id. */
  readonly decisions = new Map<string, (variables: Variables) => Json>();
  /** Evaluates decisions that `decisions` does not contain; without it their tasks fail with DecisionNotFound. */
  evaluateDecision: ((request: DecisionRequest, now: number) => DecisionAnswer['outcome']) | undefined;
  /** Called with the facts of every step. */
  onFacts: ((instance: MemoryInstance, facts: readonly Fact[]) => void) | undefined;
  /**
   * Steps between comparisons (1: after every step), because comparing large states after each of thousands of steps
   * takes long.
   */
  compareEvery = 1;

  /** A host with every executable process of the files; fails the test with all problems if one is rejected. */
  static async deploy(...files: string[]): Promise<MemoryHost> {
    const host = new MemoryHost();
    for (const xml of files) await host.deploy(xml);
    return host;
  }

  async deploy(xml: string): Promise<void> {
    const compiled = await compile(xml);
    const errors = compiled.problems.filter((problem) => problem.severity === 'error');
    assert.deepEqual(errors, [], 'the model is rejected');
    this.add(compiled.processes);
  }

  /**
   * Deploys the processes of one file together. Their instances run the graphs as stored.
   * @returns the number of the deployment, from 1
   */
  add(processes: readonly Pick<CompiledProcess, 'processID' | 'versionTag' | 'graph'>[]): number {
    this.deployments += 1;
    for (const { processID, versionTag, graph } of processes) {
      this.deployed.push({
        processID,
        model: modelOf(roundTrip(graph)),
        deployment: this.deployments,
        ...(versionTag && { versionTag }),
      });
    }
    this.offerKept();
    return this.deployments;
  }

  start(processID: string, variables: Variables = {}, start: Omit<StartInput, 'variables'> = {}): MemoryInstance {
    const process = this.processes().get(processID);
    assert.ok(process, `process ${processID} is not deployed`);
    assert.ok(!this.pauses.hasDefinition(process.model), `process ${processID} is suspended`);
    return this.begin(this.nextWorkflowID(), process, { ...start, variables });
  }

  private nextWorkflowID(): string {
    this.started += 1;
    return `i${this.started}`;
  }

  /** Suspends an instance and everything it has called. */
  suspend(instance: MemoryInstance): void {
    this.pauses.suspend(instance);
    this.notePaused();
  }

  resume(instance: MemoryInstance): void {
    this.pauses.resume(instance);
    this.continueResumed();
  }

  /** Suspends the newest version of a process: its instances, what they have called, and starts. */
  suspendDefinition(processID: string): void {
    this.pauses.suspendDefinition(this.processes().get(processID)!.model);
    this.notePaused();
  }

  resumeDefinition(processID: string): void {
    this.pauses.resumeDefinition(this.processes().get(processID)!.model);
    this.continueResumed();
    this.offerKept();
  }

  isPaused(instance: MemoryInstance): boolean {
    return this.pauses.isPaused(instance, this.instances);
  }

  private notePaused(): void {
    for (const instance of this.instances.values()) if (this.isPaused(instance)) instance.wasPaused = true;
  }

  private continueResumed(): void {
    for (const instance of this.instances.values()) {
      if (!instance.wasPaused || this.isPaused(instance)) continue;
      instance.wasPaused = false;
      if (instance.state.status !== 'RUNNING') continue;
      const commands = (instance.state.deferred ?? []).map(({ number }) => instance.deferred.get(number)!);
      this.run(instance, commands, { resumed: true });
    }
  }

  /** The newest version of each process. */
  private processes(): Map<string, Deployed> {
    return new Map(this.deployed.map((process) => [process.processID, process]));
  }

  /**
   * The target of a migration to the newest version of the instance's process; a version is identified by its position
   * among the deployments.
   */
  newestVersion({ model }: MemoryInstance): DefinitionReference {
    const version = this.deployed.findLastIndex(({ processID }) => processID === model.graph.processID);
    return { definitionID: String(version), version, graphSha256: String(version) };
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

  private begin(workflowID: string, { model, deployment }: Deployed, start: StartInput): MemoryInstance {
    const instance: MemoryInstance = {
      workflowID,
      model,
      deployment,
      state: newState(workflowID),
      replayed: newState(workflowID),
      start,
      deferred: new Map(),
      asked: [],
      isDeciding: false,
      wasPaused: false,
      steps: [],
    };
    this.instances.set(workflowID, instance);
    this.run(instance, []);
    return instance;
  }

  /**
   * Publishes a message: the subscription that has waited longest takes it; otherwise one process starts; otherwise it
   * is buffered.
   */
  publishMessage(name: string, correlation?: Json, variables: Variables = {}, ttl = 3_600_000): void {
    this.published += 1;
    this.offer({
      id: `m${this.published}`,
      type: 'message',
      name,
      variables,
      expires: this.now + ttl,
      reached: new Set(),
      heldFor: new Set(),
      ...(correlation !== undefined && { correlation }),
    });
  }

  private offer(message: Publication): void {
    for (const subscriber of this.subscribers.oldestFirst(this.instances)) {
      if (matches(message, subscriber.wait) && this.give(subscriber, message)) return;
    }
    if (!this.startByMessage(message) && message.expires > this.now) this.buffered.push(message);
  }

  /** Broadcasts a signal to all subscriptions, to start events, and to subscriptions opened within a day. */
  throwSignal(name: string, variables: Variables = {}, ttl = 86_400_000): void {
    this.published += 1;
    const signal: Publication = {
      id: `s${this.published}`,
      type: 'signal',
      name,
      variables,
      expires: this.now + ttl,
      reached: new Set(),
      heldFor: new Set(),
    };
    for (const subscriber of this.subscribers.oldestFirst(this.instances))
      if (matches(signal, subscriber.wait)) this.give(subscriber, signal);
    for (const start of this.startsOf(signal))
      if (!this.startBy(signal, start)) signal.heldFor.add(start.process.processID);
    if (ttl > 0) this.buffered.push(signal);
  }

  /** Starts an instance at every conditional start event whose condition is true with the variables. */
  evaluateConditions(variables: Variables): void {
    for (const { processID, model } of this.processes().values()) {
      for (const { node, trigger, what } of entryPoints(model, this.now)) {
        if (what.kind !== 'conditional') continue;
        const condition = model.resolve(what.condition);
        const outcome =
          'literal' in condition
            ? { ok: true, value: condition.literal }
            : evaluate(condition.compiled, variables, { now: this.now, mode: 'strict' });
        if (outcome.ok && outcome.value === true)
          this.start(processID, variables, { startNode: node, startTrigger: trigger });
      }
    }
  }

  /** @returns whether it is taken, or will be when the instance is resumed */
  private give({ instance, wait }: Subscriber, publication: Publication): boolean {
    const { id, type, variables, reached } = publication;
    reached.add(instance.workflowID);
    const kind = type === 'message' ? 'CORRELATE_MESSAGE' : 'DELIVER_SIGNAL';
    const isDeferred = this.isPaused(instance);
    if (isDeferred && type === 'message') this.given.set(id, publication);
    const outcome = this.send(instance, { kind, execution: wait.id, publicationID: id, variables });
    return outcome === undefined || outcome.status === 'APPLIED';
  }

  /** The start events at which it would start a process, in the order of deployment. */
  private startsOf({ type, name }: Publication): Start[] {
    return [...this.processes().values()].flatMap((process) =>
      entryPoints(process.model, this.now).flatMap(({ node, trigger, together, what }) =>
        what.kind === type && what.name === name ? [{ process, node, trigger, ...(together && { together }) }] : [],
      ),
    );
  }

  /** One process takes it, the first that is not suspended. */
  private startByMessage(message: Publication): boolean {
    return this.startsOf(message).some((start) => this.startBy(message, start));
  }

  /** @returns false if the process is suspended, or other events must occur too */
  private startBy(publication: Publication, start: Start): boolean {
    const { process, node, trigger, together } = start;
    if (this.pauses.hasDefinition(process.model)) return false;
    if (together) return this.startTogether(publication, start);
    this.begin(this.nextWorkflowID(), process, {
      variables: {},
      startNode: node,
      startTrigger: trigger,
      payload: publication.variables,
    });
    return true;
  }

  /** Publications that were buffered for a process that was not deployed, or suspended, may start it now. */
  private offerKept(): void {
    for (const publication of this.buffered.filter(({ expires }) => expires > this.now)) {
      if (publication.type === 'message') {
        if (this.startByMessage(publication)) this.buffered.splice(this.buffered.indexOf(publication), 1);
        continue;
      }
      for (const start of this.startsOf(publication)) {
        if (publication.heldFor.has(start.process.processID) && this.startBy(publication, start))
          publication.heldFor.delete(start.process.processID);
      }
    }
  }

  /** A parallel multiple start event starts an instance once a publication is buffered for each of its triggers. */
  private startTogether(publication: Publication, { process, node }: Start): boolean {
    const wanted = entryPoints(process.model, this.now).flatMap(({ node: other, what }) =>
      other === node && (what.kind === 'message' || what.kind === 'signal')
        ? [{ type: what.kind, name: what.name }]
        : [],
    );
    const place = `${process.processID} ${node}`;
    const arrived = arrivedTogether(
      wanted,
      publication,
      this.buffered.filter(({ expires }) => expires > this.now),
      place,
    );
    if (!arrived) return false;
    for (const each of arrived) {
      if (each.type === 'signal') each.reached.add(place);
      else if (each !== publication) this.buffered.splice(this.buffered.indexOf(each), 1);
    }
    const payload = Object.assign({}, ...arrived.map(({ variables }) => variables)) as Variables;
    this.begin(this.nextWorkflowID(), process, { variables: {}, startNode: node, payload });
    return true;
  }

  /** A subscription that has just opened takes what was buffered for it. */
  private catchUp(instance: MemoryInstance): void {
    for (const subscriber of this.subscribers.oldestFirst([[instance.workflowID, instance]])) {
      const { wait } = subscriber;
      const kept = this.buffered.find(
        (publication) =>
          publication.expires > this.now && matches(publication, wait) && !publication.reached.has(instance.workflowID),
      );
      if (!kept || instance.state.waits[wait.id] !== wait) continue;
      if (this.give(subscriber, kept) && kept.type === 'message') this.buffered.splice(this.buffered.indexOf(kept), 1);
    }
  }

  /** Sends one command and returns its outcome. */
  command(instance: MemoryInstance, body: CommandBody): CommandOutcome {
    const outcome = this.send(instance, body);
    assert.ok(outcome, `${body.kind} is deferred until ${instance.workflowID} is resumed`);
    return outcome;
  }

  /** Sends one command and returns its outcome; undefined if it is deferred until resume. */
  send(instance: MemoryInstance, body: CommandBody & { reason?: string }): CommandOutcome | undefined {
    const command: Command = { ...body, number: instance.state.lastCommand + 1 };
    return this.run(instance, [command]).find(({ number }) => number === command.number);
  }

  completeJob(instance: MemoryInstance, nodeID: string, variables?: Variables): CommandOutcome {
    const wait = this.wait(instance, 'job', nodeID);
    return this.command(instance, { kind: 'COMPLETE_JOB', execution: wait.id, ...(variables && { variables }) });
  }

  throwJobError(instance: MemoryInstance, nodeID: string, errorCode: string, variables?: Variables): CommandOutcome {
    const wait = this.wait(instance, 'job', nodeID);
    return this.command(instance, {
      kind: 'THROW_JOB_ERROR',
      execution: wait.id,
      errorCode,
      ...(variables && { variables }),
    });
  }

  completeTask(instance: MemoryInstance, nodeID: string, variables?: Variables): CommandOutcome {
    const wait = this.wait(instance, 'userTask', nodeID);
    return this.command(instance, { kind: 'COMPLETE_USER_TASK', execution: wait.id, ...(variables && { variables }) });
  }

  resolve(instance: MemoryInstance, nodeID: string, variables?: Variables): CommandOutcome {
    const incident = this.incidents(instance).find((open) => open.node === nodeID);
    assert.ok(incident, `no open incident at ${nodeID}`);
    return this.command(instance, { kind: 'RESOLVE_INCIDENT', incident: incident.id, ...(variables && { variables }) });
  }

  /** Advances time; every timer that falls due on the way fires at its own time. */
  advance(milliseconds: number): void {
    const until = this.now + milliseconds;
    for (;;) {
      const due = [...this.instances.values()].reduce(
        (earliest, instance) => Math.min(earliest, this.dueOf(instance)),
        Infinity,
      );
      if (due > until) break;
      this.now = Math.max(this.now, due);
      for (const instance of this.instances.values()) if (this.dueOf(instance) <= this.now) this.run(instance, []);
    }
    this.now = until;
  }

  private dueOf(instance: MemoryInstance): number {
    const { state } = instance;
    return state.status === 'RUNNING' && !this.isPaused(instance) ? (nextDue(state) ?? Infinity) : Infinity;
  }

  wait<K extends Wait['kind']>(instance: MemoryInstance, kind: K, nodeID: string): Extract<Wait, { kind: K }> {
    const found = Object.values(instance.state.waits).find((wait) => wait.kind === kind && wait.node === nodeID);
    assert.ok(
      found,
      `nothing waits for a ${kind} at ${nodeID}; waiting: ${this.waiting(instance).join(', ') || 'nothing'}`,
    );
    return found as Extract<Wait, { kind: K }>;
  }

  /** The waits of the instance: `job ship`, `timer late`. */
  waiting(instance: MemoryInstance): string[] {
    return Object.values(instance.state.waits).map((wait) => `${wait.kind} ${wait.node}`);
  }

  incidents(instance: MemoryInstance): Incident[] {
    return Object.values(instance.state.incidents);
  }

  variables(instance: MemoryInstance): Variables {
    return instance.state.elements[ROOT]?.variables ?? {};
  }

  facts(instance: MemoryInstance): Fact[] {
    return instance.steps.flatMap(({ facts }) => facts);
  }

  /** The nodes completed so far, in order, each by its id at the time. */
  completed(instance: MemoryInstance): string[] {
    const nodes = new Map<number, string>();
    const done: string[] = [];
    for (const fact of this.facts(instance)) {
      if (fact.kind === 'ELEMENT_ACTIVATED') nodes.set(fact.element, fact.node);
      if (fact.kind === 'ELEMENT_COMPLETED') done.push(nodes.get(fact.element)!);
      if (fact.kind === 'INSTANCE_MIGRATED')
        for (const [element, node] of nodes) nodes.set(element, new Map(fact.nodes).get(node) ?? node);
    }
    return done;
  }

  child(instance: MemoryInstance, nodeID: string): MemoryInstance {
    const wait = this.wait(instance, 'child', nodeID);
    const child = this.instances.get(wait.workflowID);
    assert.ok(child, `the instance called by ${nodeID} was refused`);
    return child;
  }

  /** Takes steps until the instance is idle, as its workflow would. */
  private run(
    instance: MemoryInstance,
    commands: readonly Command[],
    { answers = [], resumed }: { answers?: readonly DecisionAnswer[]; resumed?: boolean } = {},
  ): CommandOutcome[] {
    for (const command of commands) instance.deferred.set(command.number, command);
    if (this.isPaused(instance)) return this.runPaused(instance, commands);
    const { start } = instance;
    delete instance.start;
    const first = { ...(start && { start: { flags: currentFlags(), ...start } }), ...(resumed && { resumed }) };
    const outcomes = this.advanceOnce(instance, stimulusOf(commands, start, answers), { commands, answers, ...first });
    for (
      let left = this.leftOf(instance, commands, answers);
      left && !this.isPaused(instance);
      left = this.leftOf(instance, left.commands, left.answers)
    ) {
      outcomes.push(...this.advanceOnce(instance, 'continues', left));
    }
    this.catchUp(instance);
    return outcomes;
  }

  private advanceOnce(
    instance: MemoryInstance,
    stimulus: string,
    input: Pick<StepInput, 'commands' | 'answers' | 'start' | 'resumed'>,
  ): CommandOutcome[] {
    return this.take(instance, stimulus, (given) => step(instance.model, instance.state, { ...given, ...input }))
      .outcomes;
  }

  /** Work that a step with a spent budget has not reached; undefined if nothing is left. */
  private leftOf(
    { state }: MemoryInstance,
    commands: readonly Command[],
    answers: readonly DecisionAnswer[],
  ): { commands: Command[]; answers: DecisionAnswer[]; yielded: boolean } | undefined {
    if (state.status !== 'RUNNING') return undefined;
    const left = {
      commands: commands.filter(
        ({ number }) => number > state.lastCommand || state.deferred?.some((deferred) => deferred.number === number),
      ),
      answers: answers.filter(({ execution }) => state.waits[execution]?.kind === 'decision'),
      yielded: hasWork(state) && !isHalted(state),
    };
    return left.yielded || left.commands.length > 0 || left.answers.length > 0 ? left : undefined;
  }

  /** While paused, an instance does not take its first step, unless a command requires it. */
  private runPaused(instance: MemoryInstance, commands: readonly Command[]): CommandOutcome[] {
    instance.wasPaused = true;
    if (commands.length === 0) return [];
    const { start } = instance;
    delete instance.start;
    return this.take(instance, stimulusOf(commands, start), (given) =>
      stepPaused(instance.model, instance.state, { ...given, commands, ...(start && { start }) }),
    ).outcomes;
  }

  /** Takes one step and applies its effects as the store does. */
  private take(
    instance: MemoryInstance,
    stimulus: string,
    compute: (given: { now: number; targets: ReadonlyMap<string, Model> }) => StepResult,
  ): StepResult {
    const targets = new Map(this.deployed.map(({ model }, version) => [String(version), model]));
    const result = compute({ now: this.now, targets });
    instance.model = result.model;
    instance.deployment = this.deployed.find(({ model }) => model === result.model)!.deployment;
    this.note(instance, stimulus, roundTrip(result.facts));
    this.release(instance, result.outcomes);
    this.perform(instance, result.facts);
    this.decide(instance, result.facts);
    return result;
  }

  /** A message that was delivered to an instance during a pause and not taken in the end is offered to others. */
  private release(instance: MemoryInstance, outcomes: readonly CommandOutcome[]): void {
    for (const { number, status } of outcomes) {
      const command = instance.deferred.get(number);
      instance.deferred.delete(number);
      if (command?.kind !== 'CORRELATE_MESSAGE') continue;
      const message = this.given.get(command.publicationID);
      this.given.delete(command.publicationID);
      if (message && status === 'REJECTED') this.offer(message);
    }
  }

  private note(instance: MemoryInstance, stimulus: string, facts: Fact[]): void {
    instance.steps.push({ stimulus, now: this.now, facts });
    this.onFacts?.(instance, facts);
    this.subscribers.note(instance.workflowID, facts);
    for (const fact of facts) applyChecked(apply, instance.replayed, fact, this.now);
    if (instance.steps.length % this.compareEvery !== 0 && instance.state.status === 'RUNNING') return;
    // Texts are compared first, which is fast, and they are nearly always identical, including the order of members.
    if (JSON.stringify(instance.replayed) === JSON.stringify(instance.state)) return;
    assert.deepEqual(
      roundTrip(instance.replayed),
      roundTrip(instance.state),
      'folding the facts gives a different state than processing did',
    );
  }

  /**
   * All requests of one step are answered in one step, as on Temporal. One loop handles requests caused by the answers,
   * so that a model that asks again and again does not overflow the stack.
   */
  private decide(instance: MemoryInstance, facts: readonly Fact[]): void {
    const { state, asked } = instance;
    const waits = facts
      .flatMap((fact) => (fact.kind === 'DECISION_REQUESTED' ? [state.waits[fact.decision]] : []))
      .filter((wait) => wait?.kind === 'decision');
    asked.push(...waits.map((wait) => decisionRequest(state, wait)));
    if (asked.length === 0 || instance.isDeciding) return;
    instance.isDeciding = true;
    try {
      while (asked.length > 0 && !isHalted(instance.state)) {
        const answers = asked.splice(0).map((request): DecisionAnswer => ({
          kind: 'DECISION_EVALUATED',
          execution: request.wait,
          outcome: this.outcomeOf(request),
        }));
        this.run(instance, [], { answers });
      }
    } finally {
      instance.isDeciding = false;
    }
  }

  private outcomeOf(request: DecisionRequest): DecisionAnswer['outcome'] {
    const { decisionID, variables } = request;
    const decide = this.decisions.get(decisionID);
    if (decide) return { status: 'EVALUATED', value: decide(variables), definitionID: decisionID, version: 1 };
    return (
      this.evaluateDecision?.(request, this.now) ?? {
        status: 'FAILED',
        errorType: 'DecisionNotFound',
        message: `No decision ${decisionID} is deployed`,
      }
    );
  }

  /**
   * Starts, cancels and reports called instances, and publishes messages and signals, based on facts as the store does.
   */
  private perform(instance: MemoryInstance, facts: Fact[]): void {
    for (const fact of facts) {
      if (fact.kind === 'MESSAGE_PUBLISHED') this.publishMessage(fact.name, fact.correlation, fact.variables, fact.ttl);
      if (fact.kind === 'SIGNAL_THROWN') this.throwSignal(fact.name, fact.variables, fact.ttl);
      if (fact.kind === 'ESCALATION_THROWN' && fact.caught === 'CALLER') this.escalate(instance, fact);
      if (fact.kind === 'CHILD_CALLED') this.call(instance, fact);
      if (fact.kind === 'CHILD_CANCELED') {
        const child = this.instances.get(fact.workflowID);
        if (child?.state.status === 'RUNNING')
          this.send(child, { kind: 'CANCEL_INSTANCE', reason: 'The parent instance no longer waits for it' });
      }
    }
    if (facts.some((fact) => fact.kind.startsWith('INSTANCE_') && fact.kind !== 'INSTANCE_STARTED'))
      this.reportToCaller(instance, facts);
  }

  private call(parent: MemoryInstance, fact: FactOf<'CHILD_CALLED'>): void {
    const called = this.called(parent, fact);
    if (!called) {
      const outcome: ChildOutcome = { status: 'REFUSED', message: `No process ${fact.processID} is deployed` };
      this.send(parent, { kind: 'END_CHILD', execution: fact.child, outcome });
      return;
    }
    this.begin(fact.workflowID, called, {
      variables: fact.variables,
      caller: { workflowID: parent.workflowID, wait: fact.child },
      caughtErrors: fact.caughtErrors,
      depth: fact.depth,
      ...(fact.caughtEscalations && { caughtEscalations: fact.caughtEscalations }),
    });
  }

  private called({ deployment }: MemoryInstance, { processID, binding }: FactOf<'CHILD_CALLED'>): Deployed | undefined {
    return this.deployed.findLast(
      (process) =>
        process.processID === processID &&
        (binding.kind !== 'deployment' || process.deployment === deployment) &&
        (binding.kind !== 'versionTag' || process.versionTag === binding.versionTag),
    );
  }

  private escalate({ state }: MemoryInstance, { escalationCode, variables }: FactOf<'ESCALATION_THROWN'>): void {
    const { workflowID, wait } = state.caller!;
    this.send(this.instances.get(workflowID)!, {
      kind: 'ESCALATE_CHILD',
      execution: wait,
      ...(escalationCode !== undefined && { escalationCode }),
      ...(variables && { variables }),
    });
  }

  private reportToCaller(instance: MemoryInstance, facts: Fact[]): void {
    const { caller, status } = instance.state;
    const parent = caller && this.instances.get(caller.workflowID);
    if (!caller || parent?.state.status !== 'RUNNING' || !parent.state.waits[caller.wait]) return;
    this.send(parent, {
      kind: 'END_CHILD',
      execution: caller.wait,
      outcome: status === 'COMPLETED' ? { status, variables: this.variables(instance) } : outcomeOf(facts),
    });
  }
}

/** A start event, or an equivalent entry point. */
interface Start {
  process: Deployed;
  node: string;
  trigger: number;
  together?: true;
}

/** The end of an instance that has not completed, as reported to its parent. */
function outcomeOf(facts: readonly Fact[]): ChildOutcome {
  const failure = facts.find((fact) => fact.kind === 'INSTANCE_FAILED');
  if (failure?.errorCode !== undefined)
    return {
      status: 'ERROR',
      errorCode: failure.errorCode,
      message: failure.reason,
      ...(failure.variables && { variables: failure.variables }),
    };
  const reason = failure?.reason ?? facts.find((fact) => fact.kind === 'INSTANCE_CANCELED')?.reason;
  return { status: 'CANCELED', ...(reason !== undefined && { reason }) };
}

function stimulusOf([command]: readonly Command[], start?: StartInput, answers?: readonly DecisionAnswer[]): string {
  if (start) return `start ${JSON.stringify(start.variables)}`;
  if (answers && answers.length > 0) return 'decision evaluated';
  return command ? command.kind : 'time passes';
}

function roundTrip<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
