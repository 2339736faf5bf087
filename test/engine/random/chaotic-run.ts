/** One instance of a chaotic model, driven by whatever may come, paused or not. After each step the facts are folded again. */
import { strict as assert } from 'node:assert';
import { apply } from '@perdure/engine/apply.js';
import { applyChecked } from '@perdure/engine/state/lifecycle.js';
import type {
  Command,
  CommandBody,
  CommandOutcome,
  JobResult,
  ModificationInstruction,
  StartInput,
} from '@perdure/engine/contract/commands.js';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { Model } from '@perdure/engine/model/model.js';
import { currentFlags } from '@perdure/engine/state/flags.js';
import { newState, ROOT, type State, type Wait } from '@perdure/engine/state/state.js';
import { nextDue, step, stepPaused, type StepResult } from '@perdure/engine/step.js';
import { frozen } from '../../../packages/testkit/memory/frozen.js';
import type { TakenInput } from '../../../packages/testkit/memory/steps.js';
import { Recorder } from '../../backtest/support/recorder.js';
import type { Random } from './random.js';

export class ChaoticRun {
  state: State = newState('i');
  readonly #replayed: State = newState('i');
  readonly facts: Fact[] = [];
  now = Date.parse('2026-01-01T00:00:00Z');
  #number = 0;
  #paused = false;
  /** Some are left alone, so that they get far. */
  readonly #steering: number;
  readonly #kept = new Map<number, Command>();
  readonly recorder: Recorder;
  /** The last stimulus, for the report of a failure. */
  readonly log: string[] = [];

  constructor(
    public model: Model,
    readonly random: Random,
    readonly targets: ReadonlyMap<string, Model>,
  ) {
    this.recorder = new Recorder('i', model);
    this.#steering = random.pick([0, 0.05, 0.3]);
    this.#take({ start: { variables: { go: false, bad: false }, flags: currentFlags() } });
  }

  /** Something happens: an answer to a wait, a command of an operator, a pause, time. */
  happen(): void {
    const { random, state } = this;
    if (random.chance(0.1)) return this.#turn();
    if (random.chance(this.#steering)) return void this.command(this.#modification());
    if (random.chance(this.#steering / 4)) return void this.command(this.#migration());
    if (random.chance(0.1))
      return void this.command({
        kind: 'SET_VARIABLES',
        variables: { go: random.chance(0.5), bad: random.chance(0.5) },
      });
    if (random.chance(0.06)) {
      this.now += 60_000;
      this.#take({});
      return;
    }
    const waits = Object.values(state.waits);
    const incidents = Object.values(state.incidents);
    const chosen = random.below(waits.length + incidents.length + 1);
    const incident = incidents[chosen - waits.length];
    if (incident)
      return void this.command({
        kind: 'RESOLVE_INCIDENT',
        incident: incident.id,
        variables: random.chance(0.5) ? { missing: true, go: random.chance(0.5) } : {},
      });
    const wait = waits[chosen];
    if (wait) this.#answer(wait);
    else this.#triggerAdHoc();
  }

  command(...bodies: CommandBody[]): CommandOutcome[] {
    const commands = bodies.map((body): Command => ({ ...body, number: (this.#number += 1) }));
    for (const command of commands) this.#kept.set(command.number, command);
    this.log.push(`${this.#paused ? '(paused) ' : ''}${JSON.stringify(bodies)}`);
    return this.#take({});
  }

  resume(): void {
    if (this.#paused) this.#turn();
  }

  /** A pause begins or ends. */
  #turn(): void {
    this.#paused = !this.#paused;
    this.log.push(this.#paused ? 'pause' : 'resume');
    if (this.#paused) return;
    this.#take({ resumed: true });
  }

  /** Steps until nothing moves. */
  #take(input: { start?: StartInput; resumed?: true }): CommandOutcome[] {
    const { now, targets } = this;
    this.state = frozen(this.state);
    const given = { ...input, commands: this.#open(), now };
    if (this.#paused)
      return this.#note(stepPaused(this.model, this.state, { ...given, targets }), { ...given, paused: true });
    let result = step(this.model, this.state, { ...given, targets });
    const outcomes = this.#note(result, given);
    while (result.yielded) {
      this.state = frozen(this.state);
      const next = { commands: this.#open(), now };
      result = step(this.model, this.state, { ...next, targets });
      outcomes.push(...this.#note(result, next));
    }
    return outcomes;
  }

  /** Every step is given the commands that no step has handled, as by a workflow: those that a pause deferred come first. */
  #open(): Command[] {
    const { deferred = [], lastCommand } = this.state;
    const waiting = this.#paused ? [] : deferred.map(({ number }) => this.#kept.get(number)!);
    return [...waiting, ...[...this.#kept.values()].filter(({ number }) => number > lastCommand)];
  }

  #note(result: StepResult, input: TakenInput): CommandOutcome[] {
    const { facts, outcomes, model } = result;
    this.recorder.note(input, result);
    this.model = model;
    for (const fact of facts) applyChecked(apply, this.#replayed, fact, this.now);
    this.facts.push(...facts);
    if (JSON.stringify(this.#replayed) !== JSON.stringify(this.state)) assert.deepEqual(this.#replayed, this.state);
    return outcomes;
  }

  /** Only these are changed by their instance. */
  #isListenedTask(id: string): boolean {
    const node = this.model.node(id);
    return node.kind === 'userTask' && node.taskListeners !== undefined;
  }

  #ofListener({ kind }: { kind: string }): { result?: JobResult } {
    if (kind !== 'TASK' || this.random.chance(0.5)) return {};
    return { result: this.random.chance(0.4) ? { denied: true } : { corrections: { assignee: '', priority: 3 } } };
  }

  #answer(wait: Wait): void {
    const { random } = this;
    switch (wait.kind) {
      case 'job':
        return void this.command(
          random.chance(0.25)
            ? { kind: 'THROW_JOB_ERROR', execution: wait.id, errorCode: random.pick(['E', 'F']) }
            : {
                kind: 'COMPLETE_JOB',
                execution: wait.id,
                variables: random.chance(0.2) ? { go: true } : {},
                ...(wait.listener ? this.#ofListener(wait.listener) : this.#decision(wait.node)),
              },
        );
      case 'userTask':
        if (this.#isListenedTask(wait.node) && random.chance(0.3))
          return void this.command({
            kind: 'CHANGE_USER_TASK',
            execution: wait.id,
            changes: { assignee: random.pick(['ada', null]), ...(random.chance(0.5) && { priority: 7 }) },
          });
        return void this.command(
          random.chance(0.25)
            ? { kind: 'THROW_USER_TASK_ERROR', execution: wait.id, errorCode: random.pick(['E', 'F']) }
            : { kind: 'COMPLETE_USER_TASK', execution: wait.id, variables: random.chance(0.2) ? { go: true } : {} },
        );
      case 'subscription':
        return void this.command({
          kind: wait.type === 'message' ? 'CORRELATE_MESSAGE' : 'DELIVER_SIGNAL',
          execution: wait.id,
          publicationID: 'any',
          variables: random.chance(0.3) ? { go: random.chance(0.5) } : {},
        });
      case 'timer':
        if (random.chance(0.2)) return void this.command({ kind: 'FIRE_TIMER', timer: wait.id, node: wait.node });
        if (random.chance(0.2))
          return void this.command({
            kind: 'UPDATE_TIMER',
            timer: wait.id,
            node: wait.node,
            due: this.now + random.below(120_000),
          });
        this.now = Math.max(this.now, nextDue(this.state) ?? this.now);
        this.log.push('timer');
        return void this.#take({});
      case 'condition':
        return void this.command({
          kind: 'SET_VARIABLES',
          variables: { go: random.chance(0.5), bad: random.chance(0.5) },
        });
      case 'child':
        if (random.chance(0.2))
          return void this.command({ kind: 'ESCALATE_CHILD', execution: wait.id, escalationCode: 'X' });
        return void this.command({
          kind: 'END_CHILD',
          execution: wait.id,
          outcome: random.pick([
            { status: 'COMPLETED' as const, variables: {} },
            { status: 'ERROR' as const, errorCode: 'E' },
            { status: 'CANCELED' as const },
            { status: 'REFUSED' as const, message: 'no' },
          ]),
        });
      default:
        throw new Error(`Nothing answers a wait of kind ${wait.kind}`);
    }
  }

  /** The answer of the worker of an ad-hoc sub-process; sometimes one that does not apply. */
  #decision(node: string): { result?: JobResult } {
    const { random, model } = this;
    const adHoc = model.node(node);
    if (adHoc.kind !== 'adHocSubProcess' || !adHoc.elements) return {};
    if (random.chance(0.3))
      return { result: { isCompletionConditionFulfilled: true, isCancelRemainingInstances: random.chance(0.5) } };
    const activateElements = Array.from({ length: random.below(4) }, () => ({
      elementId: random.pick(adHoc.elements!).elementId,
      variables: { go: random.chance(0.5) },
    }));
    return { result: { activateElements, isCancelRemainingInstances: random.chance(0.2) } };
  }

  #triggerAdHoc(): void {
    const { random, model, state } = this;
    const open = Object.values(state.elements).filter(({ node }) => model.node(node).kind === 'adHocSubProcess');
    if (open.length === 0) return;
    const { node } = random.pick(open);
    const adHoc = model.node(node);
    const inside = model.inside((adHoc.kind === 'adHocSubProcess' && adHoc.innerInstance) || node);
    if (inside.length > 0) this.command({ kind: 'TRIGGER_AD_HOC', node, nodeID: random.pick(inside).id });
    else this.command({ kind: 'SET_AD_HOC_VARIABLES', node, variables: { go: random.chance(0.5) } });
  }

  #modification(): CommandBody {
    return {
      kind: 'MODIFY',
      instructions: Array.from({ length: 1 + this.random.below(3) }, () => this.#instruction()),
    };
  }

  #instruction(): ModificationInstruction {
    const { random, model, state } = this;
    const elements = Object.values(state.elements);
    const nodeID = random.chance(0.5) ? random.pick(elements).node : random.pick(model.graph.nodes).id;
    const scope = random.chance(0.3) ? { scope: random.pick(elements).id } : {};
    return { type: random.chance(0.4) ? 'CANCEL_TOKEN' : 'START_BEFORE_NODE', nodeID, ...scope };
  }

  #migration(): CommandBody {
    const { random, model } = this;
    const graphSha256 = random.pick([...this.targets.keys()]);
    const alike = (id: string) => model.graph.nodes.filter(({ kind }) => kind === model.node(id).kind);
    const source = random.pick(model.graph.nodes).id;
    const mappings = random.chance(0.5) ? [] : [{ source, target: random.pick(alike(source)).id }];
    return {
      kind: 'MIGRATE',
      target: { definitionID: `${graphSha256} ${this.#number}`, version: 2, graphSha256 },
      mappings,
    };
  }

  /** Invariants after every step. Throws the first violation. */
  check(): void {
    const { state } = this;
    const ends = this.facts.filter(({ kind }) =>
      ['INSTANCE_COMPLETED', 'INSTANCE_CANCELED', 'INSTANCE_FAILED'].includes(kind),
    ).length;
    assert.equal(ends, state.status === 'RUNNING' ? 0 : 1, 'an instance ends once');
    this.#checkElements();
    if (state.status !== 'RUNNING')
      return assert.deepEqual([state.waits, state.incidents], [{}, {}], 'nothing is waited for after the end');
    if (!this.#paused) this.#checkProgress();
  }

  #checkElements(): void {
    const { state, model } = this;
    if (state.status !== 'RUNNING') return;
    const failed = Object.values(state.incidents).filter(({ element, node }) => state.elements[element]?.node === node);
    assert.equal(new Set(failed.map(({ element }) => element)).size, failed.length, 'an element waits at one incident');
    const inside = new Map<number, number>();
    const count = (scope: number) => inside.set(scope, (inside.get(scope) ?? 0) + 1);
    for (const element of Object.values(state.elements)) if (element.id !== ROOT) count(element.scope);
    for (const token of [...state.moving, ...state.arrived]) count(token.scope);
    for (const scope of inside.keys()) assert.ok(state.elements[scope], `scope ${scope} is there`);
    for (const element of Object.values(state.elements)) {
      assert.equal(element.inside, inside.get(element.id) ?? 0, `counter of ${element.node} ${element.id}`);
      assert.ok(model.find(element.node), `node ${element.node}`);
    }
    for (const { element, node } of [...Object.values(state.waits), ...Object.values(state.incidents)]) {
      assert.ok(state.elements[element], `${node} waits in something that is there`);
      assert.ok(model.find(node), `node ${node}`);
    }
    assert.deepEqual(state.moving, this.#paused || this.#held ? state.moving : []);
  }

  get #held(): boolean {
    return Object.values(this.state.incidents).some(
      ({ element, errorType }) =>
        element === ROOT && ['RotationLimitError', 'SnapshotSizeExceeded', 'EngineError'].includes(errorType),
    );
  }

  /** Everything that is active waits for something: a wait, an incident, something inside, a command to an ad-hoc sub-process. */
  #checkProgress(): void {
    const { state, model } = this;
    if (this.#held) return;
    assert.equal(state.continuing, undefined, 'no continuation is left');
    const busy = new Set(
      [...Object.values(state.waits), ...Object.values(state.incidents)].map(({ element }) => element),
    );
    for (const element of Object.values(state.elements)) {
      if (element.inside > 0 || busy.has(element.id)) continue;
      if (element.compensation)
        assert.ok(state.elements[element.compensation.running ?? 0], `the compensation of ${element.node} runs`);
      if (element.compensation) continue;
      const its = model.node(element.node);
      // It waits for another one in its sequential ad-hoc sub-process, or until an operator has resolved its incident.
      const around = state.elements[element.scope]!;
      if (
        its.kind === 'adHocFlow' &&
        element.data?.['begun'] === 0 &&
        (around.inside > 1 || around.incident !== undefined)
      )
        continue;
      if (
        its.kind === 'adHocSubProcess' &&
        !its.job &&
        !element.loop &&
        element.data?.['entered'] === true &&
        element.data['interrupted'] !== true
      )
        continue;
      assert.fail(`${element.node} ${element.id} is active and waits for nothing: ${JSON.stringify(element)}`);
    }
    // Tokens that wait at joins: somewhere in their scope something can still happen.
    for (const { scope } of state.arrived) {
      const alive =
        Object.values(state.elements).some((element) => element.scope === scope) ||
        Object.values(state.incidents).some(({ element }) => element === scope);
      assert.ok(alive, `tokens wait in scope ${scope}, in which nothing else is`);
    }
  }
}
