/**
 * A host in memory with virtual time: the engine without Temporal and Postgres, for tests that run in
 * milliseconds. After every step it folds the recorded facts anew and compares: replay must equal processing.
 */
import { strict as assert } from 'node:assert';
import { compile } from '../../bpmn/compile.js';
import { apply } from '../../engine/apply.js';
import type { ChildOutcome, Command, CommandBody, CommandOutcome, StartInput } from '../../engine/commands.js';
import type { Fact, FactOf } from '../../engine/facts.js';
import type { Variables } from '../../engine/json.js';
import { modelOf, type Model } from '../../engine/model.js';
import { newState, ROOT, type Incident, type State, type Wait } from '../../engine/state.js';
import { nextDue, step } from '../../engine/step.js';

export interface MemoryInstance {
  workflowID: string;
  model: Model;
  state: State;
  /** Facts per step, with the step's time. */
  steps: { now: number; facts: Fact[] }[];
}

export class MemoryHost {
  now = Date.parse('2026-01-01T00:00:00Z');
  readonly instances = new Map<string, MemoryInstance>();
  private readonly models = new Map<string, Model>();
  private started = 0;

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
    for (const process of compiled.processes) this.models.set(process.processID, modelOf(roundTrip(process.graph)));
  }

  start(processID: string, variables: Variables = {}, start: Omit<StartInput, 'variables'> = {}): MemoryInstance {
    this.started += 1;
    return this.begin(`i${this.started}`, processID, { ...start, variables });
  }

  private begin(workflowID: string, processID: string, start: StartInput): MemoryInstance {
    const model = this.models.get(processID);
    assert.ok(model, `process ${processID} is not deployed`);
    const instance: MemoryInstance = { workflowID, model, state: newState(workflowID), steps: [] };
    this.instances.set(workflowID, instance);
    this.run(instance, [], start);
    return instance;
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
      for (const instance of [...this.instances.values()]) {
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

  /** The nodes completed so far, in order. */
  completed(instance: MemoryInstance): string[] {
    const nodes = new Map<number, string>();
    const done: string[] = [];
    for (const fact of this.facts(instance)) {
      if (fact.kind === 'ELEMENT_ACTIVATED') nodes.set(fact.element, fact.node);
      if (fact.kind === 'ELEMENT_COMPLETED') done.push(nodes.get(fact.element)!);
    }
    return done;
  }

  child(instance: MemoryInstance, nodeID: string): MemoryInstance {
    const wait = this.wait(instance, 'child', nodeID);
    const child = this.instances.get(wait.workflowID);
    assert.ok(child, `the instance called by ${nodeID} was refused`);
    return child;
  }

  private run(instance: MemoryInstance, commands: Command[], start?: StartInput): CommandOutcome[] {
    const outcomes: CommandOutcome[] = [];
    let yielded = true;
    for (let first = true; yielded; first = false) {
      const result = step(instance.model, instance.state, { ...(first && start && { start }), commands: first ? commands : [], now: this.now });
      instance.steps.push({ now: this.now, facts: roundTrip(result.facts) });
      outcomes.push(...result.outcomes);
      yielded = result.yielded;
      assertReplayEqualsProcessing(instance);
      this.perform(instance, result.facts);
    }
    return outcomes;
  }

  /** Starts, cancels and reports called instances, as the store does from facts. */
  private perform(instance: MemoryInstance, facts: Fact[]): void {
    for (const fact of facts) {
      if (fact.kind === 'CHILD_CALLED') this.call(instance, fact);
      if (fact.kind === 'CHILD_CANCELED') {
        const child = this.instances.get(fact.workflowID);
        if (child?.state.status === 'RUNNING') this.command(child, { kind: 'CANCEL_INSTANCE' });
      }
    }
    if (facts.some((fact) => fact.kind.startsWith('INSTANCE_') && fact.kind !== 'INSTANCE_STARTED')) this.reportToCaller(instance, facts);
  }

  private call(parent: MemoryInstance, fact: FactOf<'CHILD_CALLED'>): void {
    if (!this.models.has(fact.processID)) {
      const outcome: ChildOutcome = { status: 'REFUSED', message: `No process ${fact.processID} is deployed` };
      this.command(parent, { kind: 'END_CHILD', execution: fact.child, outcome });
      return;
    }
    this.begin(fact.workflowID, fact.processID, {
      variables: fact.variables,
      caller: { workflowID: parent.workflowID, wait: fact.child },
      caughtErrors: fact.caughtErrors,
      depth: fact.depth,
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

function assertReplayEqualsProcessing(instance: MemoryInstance): void {
  const replayed = newState(instance.workflowID);
  for (const { now, facts } of instance.steps) for (const fact of facts) apply(replayed, fact, now);
  assert.deepEqual(roundTrip(replayed), roundTrip(instance.state), 'folding the facts gives another state than processing did');
}

function roundTrip<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

