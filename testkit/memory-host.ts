/**
 * A host in memory with virtual time: the engine without Temporal and Postgres, for tests that run in
 * milliseconds. After every step it folds the recorded facts anew and compares: replay must equal processing.
 */
import { strict as assert } from 'node:assert';
import { compile, type CompiledProcess } from '../bpmn/compile.js';
import { apply } from '../engine/apply.js';
import type { ChildOutcome, Command, CommandBody, CommandOutcome, DecisionAnswer, StartInput } from '../engine/commands.js';
import type { Effect } from '../engine/effects.js';
import { entryPoints } from '../engine/entry-points.js';
import type { Fact, FactOf } from '../engine/facts.js';
import type { Json, Variables } from '../engine/json.js';
import { modelOf, type Model } from '../engine/model.js';
import { newState, ROOT, type DefinitionReference, type Incident, type State, type SubscriptionWait, type Wait } from '../engine/state.js';
import { nextDue, step } from '../engine/step.js';
import { evaluate } from '../feel/evaluate.js';
import { matches, type Publication } from './broker.js';

/** One version of a process. */
interface Deployed {
  processID: string;
  model: Model;
  versionTag?: string;
  /** Which file brought it, from 1. */
  deployment: number;
}

export interface MemoryInstance {
  workflowID: string;
  model: Model;
  deployment: number;
  state: State;
  /** What folding the recorded facts gives. */
  replayed: State;
  /** Facts per step, with what led to it and its time. */
  steps: { stimulus: string; now: number; facts: Fact[] }[];
}

export class MemoryHost {
  now = Date.parse('2026-01-01T00:00:00Z');
  readonly instances = new Map<string, MemoryInstance>();
  /** Newest last. */
  private readonly deployed: Deployed[] = [];
  private deployments = 0;
  private readonly buffered: Publication[] = [];
  private started = 0;
  private published = 0;
  /** How decisions come out, by id. */
  readonly decisions = new Map<string, (variables: Variables) => Json>();
  /** Evaluates the decisions that `decisions` does not name; without it their tasks fail with DecisionNotFound. */
  evaluateDecision: ((effect: Effect, now: number) => DecisionAnswer['outcome']) | undefined;
  /** Told of the facts of every step. */
  onFacts: ((instance: MemoryInstance, facts: readonly Fact[]) => void) | undefined;
  /** Comparing large states after every one of thousands of steps takes long: 1 compares after every step. */
  compareEvery = 1;

  /** A host with every executable process of the files; fails the test with all problems when one is refused. */
  static async deploy(...files: string[]): Promise<MemoryHost> {
    const host = new MemoryHost();
    for (const xml of files) await host.deploy(xml);
    return host;
  }

  async deploy(xml: string): Promise<void> {
    const compiled = await compile(xml);
    const errors = compiled.problems.filter((problem) => problem.severity === 'error');
    assert.deepEqual(errors, [], 'the model is refused');
    this.add(compiled.processes);
  }

  /**
   * Deploys the processes of one file together; their instances run the graphs as they are stored.
   * @returns the number of the deployment, from 1
   */
  add(processes: readonly Pick<CompiledProcess, 'processID' | 'versionTag' | 'graph'>[]): number {
    this.deployments += 1;
    for (const { processID, versionTag, graph } of processes) {
      this.deployed.push({ processID, model: modelOf(roundTrip(graph)), deployment: this.deployments, ...(versionTag && { versionTag }) });
    }
    return this.deployments;
  }

  start(processID: string, variables: Variables = {}, start: Omit<StartInput, 'variables'> = {}): MemoryInstance {
    this.started += 1;
    const process = this.processes().get(processID);
    assert.ok(process, `process ${processID} is not deployed`);
    return this.begin(`i${this.started}`, process, { ...start, variables });
  }

  /** The newest version of each process. */
  private processes(): Map<string, Deployed> {
    return new Map(this.deployed.map((process) => [process.processID, process]));
  }

  /** What a migration to the newest version of the instance's process names; a version goes by its place in what was deployed. */
  newestVersion({ model }: MemoryInstance): DefinitionReference {
    const version = this.deployed.findLastIndex(({ processID }) => processID === model.graph.processID);
    return { definitionID: String(version), version, graphSha256: String(version) };
  }

  /** Migrates to the newest version of its process; `mappings` by the ids of now. */
  migrate(instance: MemoryInstance, mappings: { [source: string]: string } = {}, variables?: Variables): CommandOutcome {
    return this.command(instance, {
      kind: 'MIGRATE',
      target: this.newestVersion(instance),
      mappings: Object.entries(mappings).map(([source, target]) => ({ source, target })),
      ...(variables && { variables }),
    });
  }

  private begin(workflowID: string, { model, deployment }: Deployed, start: StartInput): MemoryInstance {
    const instance: MemoryInstance = { workflowID, model, deployment, state: newState(workflowID), replayed: newState(workflowID), steps: [] };
    this.instances.set(workflowID, instance);
    this.run(instance, [], start);
    return instance;
  }

  /** Publishes a message; one open subscription takes it, else a process starts, else it is kept for an hour. */
  publishMessage(name: string, correlation?: Json, variables: Variables = {}, ttl = 3_600_000): void {
    this.published += 1;
    const publication: Publication = { id: `m${this.published}`, type: 'message', name, variables, expires: this.now + ttl, reached: new Set(), ...(correlation !== undefined && { correlation }) };
    for (const instance of this.instances.values()) {
      for (const wait of this.subscriptions(instance)) {
        if (matches(publication, wait) && this.give(instance, wait, publication)) return;
      }
    }
    if (!this.startBy(publication) && ttl > 0) this.buffered.push(publication);
  }

  /** Throws a signal to everyone who waits, to start events, and to whoever begins to wait within a day. */
  throwSignal(name: string, variables: Variables = {}, ttl = 86_400_000): void {
    this.published += 1;
    const publication: Publication = { id: `s${this.published}`, type: 'signal', name, variables, expires: this.now + ttl, reached: new Set() };
    const open = [...this.instances.values()].flatMap((instance) => this.subscriptions(instance).map((wait) => ({ instance, wait })));
    for (const { instance, wait } of open) if (matches(publication, wait)) this.give(instance, wait, publication);
    this.startBy(publication);
    if (ttl > 0) this.buffered.push(publication);
  }

  /** Starts an instance at every conditional start event whose condition is true with the variables. */
  evaluateConditions(variables: Variables): void {
    for (const { processID, model } of this.processes().values()) {
      for (const { node, trigger, what } of entryPoints(model, this.now)) {
        if (what.kind !== 'conditional') continue;
        const condition = model.resolve(what.condition);
        const outcome = 'literal' in condition ? { ok: true, value: condition.literal } : evaluate(condition.compiled, variables, { now: this.now, mode: 'strict' });
        if (outcome.ok && outcome.value === true) this.start(processID, variables, { startNode: node, startTrigger: trigger });
      }
    }
  }

  private subscriptions(instance: MemoryInstance): SubscriptionWait[] {
    return Object.values(instance.state.waits).filter((wait) => wait.kind === 'subscription');
  }

  private give(instance: MemoryInstance, wait: SubscriptionWait, { id, type, variables, reached }: Publication): boolean {
    reached.add(instance.workflowID);
    const kind = type === 'message' ? 'CORRELATE_MESSAGE' : 'DELIVER_SIGNAL';
    return this.command(instance, { kind, execution: wait.id, publicationID: id, variables }).status === 'APPLIED';
  }

  private startBy({ type, name, variables }: Publication): boolean {
    let started = false;
    for (const { processID, model } of this.processes().values()) {
      for (const { node, trigger, what } of entryPoints(model, this.now)) {
        if (what.kind !== type || what.name !== name) continue;
        this.start(processID, {}, { startNode: node, startTrigger: trigger, payload: variables });
        started = true;
      }
    }
    return started;
  }

  /** A subscription that has just opened takes what was kept for it. */
  private catchUp(instance: MemoryInstance): void {
    for (const wait of this.subscriptions(instance)) {
      const kept = this.buffered.find((publication) => publication.expires > this.now && matches(publication, wait) && !publication.reached.has(instance.workflowID));
      if (!kept || instance.state.waits[wait.id] !== wait) continue;
      if (this.give(instance, wait, kept) && kept.type === 'message') this.buffered.splice(this.buffered.indexOf(kept), 1);
    }
  }

  /** Sends one command and returns how it ended. */
  command(instance: MemoryInstance, body: CommandBody): CommandOutcome {
    const command: Command = { ...body, number: instance.state.lastCommand + 1 };
    return this.run(instance, [command])[0]!;
  }

  completeJob(instance: MemoryInstance, nodeID: string, variables?: Variables): CommandOutcome {
    const wait = this.wait(instance, 'job', nodeID);
    return this.command(instance, { kind: 'COMPLETE_JOB', execution: wait.id, ...(variables && { variables }) });
  }

  throwJobError(instance: MemoryInstance, nodeID: string, errorCode: string, variables?: Variables): CommandOutcome {
    const wait = this.wait(instance, 'job', nodeID);
    return this.command(instance, { kind: 'THROW_JOB_ERROR', execution: wait.id, errorCode, ...(variables && { variables }) });
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

  /** Lets time pass; every timer that falls due on the way fires at its own time. */
  advance(milliseconds: number): void {
    const until = this.now + milliseconds;
    for (;;) {
      const due = Math.min(...[...this.instances.values()].map(({ state }) => (state.status === 'RUNNING' ? (nextDue(state) ?? Infinity) : Infinity)));
      if (due > until) break;
      this.now = Math.max(this.now, due);
      for (const instance of this.instances.values()) {
        const next = nextDue(instance.state);
        if (instance.state.status === 'RUNNING' && next !== undefined && next <= this.now) this.run(instance, []);
      }
    }
    this.now = until;
  }

  wait<K extends Wait['kind']>(instance: MemoryInstance, kind: K, nodeID: string): Extract<Wait, { kind: K }> {
    const found = Object.values(instance.state.waits).find((wait) => wait.kind === kind && wait.node === nodeID);
    assert.ok(found, `nothing waits for a ${kind} at ${nodeID}; waiting: ${this.waiting(instance).join(', ') || 'nothing'}`);
    return found as Extract<Wait, { kind: K }>;
  }

  /** What the instance waits for: `job ship`, `timer late`. */
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

  /** The nodes completed so far, in order, each by its id of then. */
  completed(instance: MemoryInstance): string[] {
    const nodes = new Map<number, string>();
    const done: string[] = [];
    for (const fact of this.facts(instance)) {
      if (fact.kind === 'ELEMENT_ACTIVATED') nodes.set(fact.element, fact.node);
      if (fact.kind === 'ELEMENT_COMPLETED') done.push(nodes.get(fact.element)!);
      if (fact.kind === 'INSTANCE_MIGRATED') for (const [element, node] of nodes) nodes.set(element, new Map(fact.nodes).get(node) ?? node);
    }
    return done;
  }

  child(instance: MemoryInstance, nodeID: string): MemoryInstance {
    const wait = this.wait(instance, 'child', nodeID);
    const child = this.instances.get(wait.workflowID);
    assert.ok(child, `the instance called by ${nodeID} was refused`);
    return child;
  }

  private run(instance: MemoryInstance, commands: Command[], start?: StartInput, answers?: DecisionAnswer[]): CommandOutcome[] {
    const outcomes: CommandOutcome[] = [];
    let yielded = true;
    for (let first = true; yielded; first = false) {
      const input = first ? { commands, ...(start && { start }), ...(answers && { answers }) } : { commands: [] };
      const targets = new Map(this.deployed.map(({ model }, version) => [String(version), model]));
      const result = step(instance.model, instance.state, { ...input, now: this.now, targets });
      instance.model = result.model;
      instance.deployment = this.deployed.find(({ model }) => model === result.model)!.deployment;
      this.note(instance, first ? stimulusOf(commands, start, answers) : 'goes on', roundTrip(result.facts));
      outcomes.push(...result.outcomes);
      yielded = result.yielded;
      this.perform(instance, result.facts);
      if (result.effects.length > 0) this.decide(instance, result.effects);
    }
    this.catchUp(instance);
    return outcomes;
  }

  private note(instance: MemoryInstance, stimulus: string, facts: Fact[]): void {
    instance.steps.push({ stimulus, now: this.now, facts });
    this.onFacts?.(instance, facts);
    for (const fact of facts) apply(instance.replayed, fact, this.now);
    if (instance.steps.length % this.compareEvery !== 0 && instance.state.status === 'RUNNING') return;
    // Texts are compared first: it is quick, and they nearly always agree down to the order of members.
    if (JSON.stringify(instance.replayed) === JSON.stringify(instance.state)) return;
    assert.deepEqual(roundTrip(instance.replayed), roundTrip(instance.state), 'folding the facts gives another state than processing did');
  }

  /** All that one step has asked for is answered in one step, as on Temporal. */
  private decide(instance: MemoryInstance, effects: readonly Effect[]): void {
    this.run(instance, [], undefined, effects.map((effect) => ({ kind: 'DECISION_EVALUATED', execution: effect.wait, outcome: this.outcomeOf(effect) })));
  }

  private outcomeOf(effect: Effect): DecisionAnswer['outcome'] {
    const { decisionID, variables } = effect;
    const decide = this.decisions.get(decisionID);
    if (decide) return { status: 'EVALUATED', value: decide(variables), definitionID: decisionID, version: 1 };
    return this.evaluateDecision?.(effect, this.now) ?? { status: 'FAILED', errorType: 'DecisionNotFound', message: `No decision ${decisionID} is deployed` };
  }

  /** Starts, cancels and reports called instances, publishes messages and signals, as the store does from facts. */
  private perform(instance: MemoryInstance, facts: Fact[]): void {
    for (const fact of facts) {
      if (fact.kind === 'MESSAGE_PUBLISHED') this.publishMessage(fact.name, fact.correlation, fact.variables, fact.ttl);
      if (fact.kind === 'SIGNAL_THROWN') this.throwSignal(fact.name, fact.variables, fact.ttl);
      if (fact.kind === 'ESCALATION_THROWN' && fact.caught === 'CALLER') this.escalate(instance, fact);
      if (fact.kind === 'CHILD_CALLED') this.call(instance, fact);
      if (fact.kind === 'CHILD_CANCELED') {
        const child = this.instances.get(fact.workflowID);
        if (child?.state.status === 'RUNNING') this.command(child, { kind: 'CANCEL_INSTANCE' });
      }
    }
    if (facts.some((fact) => fact.kind.startsWith('INSTANCE_') && fact.kind !== 'INSTANCE_STARTED')) this.reportToCaller(instance, facts);
  }

  private call(parent: MemoryInstance, fact: FactOf<'CHILD_CALLED'>): void {
    const called = this.called(parent, fact);
    if (!called) {
      const outcome: ChildOutcome = { status: 'REFUSED', message: `No process ${fact.processID} is deployed` };
      this.command(parent, { kind: 'END_CHILD', execution: fact.child, outcome });
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
    this.command(this.instances.get(workflowID)!, {
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
    const failure = facts.find((fact) => fact.kind === 'INSTANCE_FAILED');
    const outcome: ChildOutcome =
      status === 'COMPLETED'
        ? { status, variables: this.variables(instance) }
        : failure
          ? { status: 'ERROR', errorCode: failure.errorCode ?? 'Unknown', message: failure.reason }
          : { status: 'CANCELED' };
    this.command(parent, { kind: 'END_CHILD', execution: caller.wait, outcome });
  }
}

function stimulusOf([command]: readonly Command[], start?: StartInput, answers?: readonly DecisionAnswer[]): string {
  if (start) return `start ${JSON.stringify(start.variables)}`;
  if (answers) return 'decision evaluated';
  return command ? command.kind : 'time passes';
}

function roundTrip<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

