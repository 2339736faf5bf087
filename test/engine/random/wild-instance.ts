/** One instance of a wild model, stepped by hand: anything may come at any moment, and after every step everything must still hold. */
import { expect } from 'vitest';
import { apply } from '@perdure/engine/apply.js';
import { applyChecked } from '@perdure/engine/state/lifecycle.js';
import { isHalted } from '@perdure/engine/behaviors/lifecycle/halt.js';
import { MAX_VARIABLES_BYTES } from '@perdure/engine/behaviors/lifecycle/size.js';
import { hasWork } from '@perdure/engine/behaviors/flow/tokens.js';
import type {
  Command,
  CommandBody,
  DecisionEvaluation,
  ModificationInstruction,
} from '@perdure/engine/contract/commands.js';
import { modelOf, type Model } from '@perdure/engine/model/model.js';
import type { Graph } from '@perdure/engine/model/graph.js';
import { redactFact } from '@perdure/engine/redaction/facts.js';
import { redactVariables } from '@perdure/engine/redaction/variables.js';
import { currentFlags } from '@perdure/engine/state/flags.js';
import { newState, type State, type Wait } from '@perdure/engine/state/state.js';
import { step, stepPaused, stepRotation, type StepResult } from '@perdure/engine/step.js';
import { frozen } from '../../../packages/testkit/memory/frozen.js';
import type { TakenInput } from '../../../packages/testkit/memory/steps.js';
import { Recorder } from '../../backtest/support/recorder.js';
import type { Random } from './random.js';
import { wildValue, wildVariables } from './wild.js';

/**
 * Facts of one step, next to what its commands bring: the budget of 256 Ki characters, of which JSON takes up to six
 * bytes each (`\u0001`), and one value that is as large as an instance may hold, because a budget is checked before.
 */
const MAX_BYTES_PER_STEP = 6 * 256 * 1024 + MAX_VARIABLES_BYTES;
/** Their values are redacted in one of the folds. */
const REDACTED: ReadonlySet<string> = new Set(['x', 'list', '__proto__']);
const MAX_STEPS_TO_REST = 2000;
/** A loop around a decision asks as long as it is answered. */
const MAX_STEPS_WITH_ANSWERS = 100;

export class WildInstance {
  readonly #random: Random;
  readonly #where: string;
  readonly #target: Model;
  #model: Model;
  #state: State = newState('i');
  readonly #replayed: State = newState('i');
  readonly #redacted: State = newState('i');
  #now = Date.parse('2026-01-01T00:00:00Z');
  #isPaused = false;
  #wasPaused = false;
  /** Commands that a pause or a spent budget has left. */
  #waiting: Command[] = [];
  steps = 0;
  readonly recorder: Recorder;

  constructor(graph: Graph, random: Random, where: string) {
    this.#model = modelOf(graph);
    this.#target = modelOf(structuredClone(graph));
    this.#random = random;
    this.#where = where;
    this.recorder = new Recorder('i', this.#model);
    const given = {
      start: { variables: wildVariables(random), flags: currentFlags() },
      commands: [],
      now: this.#now,
    };
    this.#take(0, given, () => step(this.#model, this.#state, given));
  }

  get isRunning(): boolean {
    return this.#state.status === 'RUNNING';
  }

  /** Lets anything happen, once. */
  disturb(): void {
    const random = this.#random;
    if (random.chance(0.05)) return this.#pauseOrResume();
    if (random.chance(0.03))
      return void this.#take(0, { commands: [], now: this.#now, rotate: true }, () =>
        stepRotation(this.#model, this.#state, this.#now, random.below(3)),
      );
    if (random.chance(0.15)) this.#now += random.pick([1, 1000, 86_400_000, 40 * 365 * 86_400_000]);
    const commands = Array.from(
      { length: random.below(3) },
      (_, index) => ({ ...this.#command(), number: this.#lastNumber + index + 1 }) as Command,
    );
    this.#handle(commands);
  }

  /** Steps until nothing moves, or only because decisions are answered. */
  rest(): void {
    if (this.#isPaused) this.#pauseOrResume();
    for (
      let steps = 0;
      this.isRunning && (this.#isBusy || (steps < MAX_STEPS_WITH_ANSWERS && this.#decisionWaits().length > 0));
      steps += 1
    ) {
      expect(steps, `${this.#where}: it never rests`).toBeLessThan(MAX_STEPS_TO_REST);
      this.#handle([]);
    }
  }

  /** Cancels it, paused or not. */
  end(): void {
    while (this.isRunning) this.#handle([{ kind: 'CANCEL_INSTANCE', number: this.#lastNumber + 1 }]);
  }

  /** A cancel, at this very moment, ends it in one step. */
  expectCancelable(): void {
    if (!this.isRunning) return;
    const state = structuredClone(this.#state);
    const command: Command = { kind: 'CANCEL_INSTANCE', number: this.#state.lastCommand + 1 };
    const given = { commands: [command], now: this.#now };
    const { outcomes } = this.#isPaused ? stepPaused(this.#model, state, given) : step(this.#model, state, given);
    const outcome = outcomes.find(({ number }) => number === command.number);
    // The instance may end before the command is handled.
    const expected =
      state.status === 'COMPLETED' || state.status === 'FAILED'
        ? [state.status, 'INSTANCE_ENDED']
        : ['CANCELED', undefined];
    expect([state.status, outcome?.code], `${this.#where}: cancel`).toEqual(expected);
    expect(outcome, `${this.#where}: the cancel is handled`).toBeDefined();
    expect(
      [Object.keys(state.waits), Object.keys(state.incidents), state.moving],
      `${this.#where}: left by a cancel`,
    ).toEqual([[], [], []]);
  }

  get #isBusy(): boolean {
    return this.#waiting.length > 0 || (hasWork(this.#state) && !isHalted(this.#state));
  }

  get #lastNumber(): number {
    return Math.max(this.#state.lastCommand, ...this.#waiting.map(({ number }) => number));
  }

  #handle(fresh: readonly Command[]): void {
    const commands = [...this.#waiting, ...fresh];
    const bytes = JSON.stringify(commands).length;
    if (this.#isPaused) {
      const deferred = new Set(this.#state.deferred?.map(({ number }) => number));
      const given = { commands: commands.filter(({ number }) => !deferred.has(number)), now: this.#now };
      this.#take(bytes, { ...given, paused: true }, () =>
        stepPaused(this.#model, this.#state, { ...given, targets: this.targets }),
      );
    } else {
      const answers = this.#random.chance(0.5) || this.#waiting.length === 0 ? this.#evaluations() : [];
      const resumed = this.#wasPaused;
      this.#wasPaused = false;
      const given = { commands, evaluations: answers, now: this.#now, ...(resumed && { resumed }) };
      this.#take(bytes + JSON.stringify(answers).length, given, () =>
        step(this.#model, this.#state, { ...given, targets: this.targets }),
      );
    }
    this.#waiting = this.isRunning
      ? commands.filter(
          ({ number }) =>
            number > this.#state.lastCommand || this.#state.deferred?.some((deferred) => deferred.number === number),
        )
      : [];
  }

  #pauseOrResume(): void {
    this.#isPaused = !this.#isPaused;
    if (!this.#isPaused) this.#wasPaused = true;
    this.#handle([]);
  }

  /** The versions that it can be migrated to. */
  get targets(): ReadonlyMap<string, Model> {
    return new Map([['target', this.#target]]);
  }

  #take(given: number, input: TakenInput & { rotate?: true }, compute: () => StepResult): void {
    this.#state = frozen(this.#state);
    const result = compute();
    this.recorder.note(input, result);
    this.steps += 1;
    this.#model = result.model;
    const facts = JSON.stringify(result.facts);
    expect(facts.length, `${this.#where}: characters of facts`).toBeLessThan(MAX_BYTES_PER_STEP + 2 * given);
    for (const fact of JSON.parse(facts) as typeof result.facts) applyChecked(apply, this.#replayed, fact, this.#now);
    for (const fact of JSON.parse(facts) as typeof result.facts)
      apply(this.#redacted, redactFact(fact, REDACTED), this.#now);
    this.#expectRedacted();
    const state = JSON.stringify(this.#state);
    if (JSON.stringify(this.#replayed) !== state)
      expect(this.#replayed, `${this.#where}: the fold of the facts`).toEqual(JSON.parse(state));
    this.#expectSound();
  }

  /** Folding redacted facts gives the same elements, with null for the redacted variables and all others as they were. */
  #expectRedacted(): void {
    const redacted = this.#redacted.elements;
    expect(Object.keys(redacted), `${this.#where}: elements of the redacted fold`).toEqual(
      Object.keys(this.#state.elements),
    );
    for (const { id, variables } of Object.values(this.#state.elements)) {
      const expected = JSON.stringify(variables && redactVariables(variables, REDACTED));
      if (JSON.stringify(redacted[id]!.variables) !== expected)
        expect(redacted[id]!.variables, `${this.#where}: redacted variables of element ${id}`).toEqual(
          expected && JSON.parse(expected),
        );
    }
  }

  /** It can continue: it moves, waits, has an incident, can be asked to begin something, or is paused. */
  #expectSound(): void {
    const state = this.#state;
    if (state.status !== 'RUNNING')
      return expect(
        [Object.keys(state.waits), state.moving, Object.keys(state.incidents)],
        `${this.#where}: left at its end`,
      ).toEqual([[], [], []]);
    const isOpen = Object.values(state.elements).some(({ data }) => data?.['entered'] === true);
    const waits = Object.keys(state.waits).length + Object.keys(state.incidents).length;
    if (!this.#isPaused && !this.#wasPaused && !isOpen && !hasWork(state) && waits === 0)
      expect.fail(`${this.#where}: it runs, and nothing can make it continue: ${JSON.stringify(state).slice(0, 2000)}`);
    for (const { element } of [...Object.values(state.waits), ...Object.values(state.incidents)])
      if (!state.elements[element]) expect.fail(`${this.#where}: element ${element} is waited at and is not there`);
  }

  #decisionWaits(): number[] {
    return Object.values(this.#state.waits).flatMap(({ id, kind }) => (kind === 'decision' ? [id] : []));
  }

  #evaluations(): DecisionEvaluation[] {
    return this.#decisionWaits().map((wait) => ({
      kind: 'DECISION_EVALUATED',
      execution: wait,
      outcome: this.#random.chance(0.7)
        ? { status: 'EVALUATED', value: wildValue(this.#random), definitionID: 'd', version: 1 }
        : { status: 'FAILED', errorType: 'DecisionNotFound', message: 'not there' },
    }));
  }

  /** For something that is waited for most of the time, else for anything. */
  #command(): CommandBody {
    const random = this.#random;
    const waits = Object.values(this.#state.waits);
    const incidents = Object.keys(this.#state.incidents).map(Number);
    if (incidents.length > 0 && random.chance(0.25))
      return { kind: 'RESOLVE_INCIDENT', incident: random.pick(incidents), variables: wildVariables(random) };
    if (waits.length > 0 && random.chance(0.7)) return this.#answerTo(random.pick(waits));
    const execution = random.below(this.#state.lastID + 3);
    const node = random.pick(this.#model.graph.nodes).id;
    const variables = wildVariables(random);
    return random.pick<CommandBody>([
      { kind: 'SET_VARIABLES', variables },
      { kind: 'SET_VARIABLES', variables: { x: random.below(4) } },
      { kind: 'COMPLETE_JOB', execution, variables },
      { kind: 'THROW_JOB_ERROR', execution, errorCode: 'E', variables },
      { kind: 'CORRELATE_MESSAGE', execution, publicationID: 'm', variables },
      { kind: 'DELIVER_SIGNAL', execution, publicationID: 's', variables },
      { kind: 'END_CHILD', execution, outcome: { status: 'CANCELED' } },
      { kind: 'TRIGGER_AD_HOC', node, nodeID: random.pick(this.#model.graph.nodes).id },
      { kind: 'SET_AD_HOC_VARIABLES', node, variables },
      { kind: 'FIRE_TIMERS', node },
      { kind: 'MODIFY', instructions: Array.from({ length: 1 + random.below(3) }, () => this.#instruction()) },
      {
        kind: 'MIGRATE',
        target: { definitionID: 'd', version: 2, graphSha256: 'target' },
        mappings: random.chance(0.5) ? [] : [{ source: node, target: random.pick(this.#model.graph.nodes).id }],
      },
    ]);
  }

  #answerTo({ kind, id }: Wait): CommandBody {
    const random = this.#random;
    const variables = wildVariables(random);
    switch (kind) {
      case 'job':
        return random.chance(0.7)
          ? { kind: 'COMPLETE_JOB', execution: id, variables }
          : { kind: 'THROW_JOB_ERROR', execution: id, errorCode: random.pick(['E', 'F', '']), variables };
      case 'userTask':
        return random.chance(0.7)
          ? { kind: 'COMPLETE_USER_TASK', execution: id, variables }
          : { kind: 'THROW_USER_TASK_ERROR', execution: id, errorCode: 'E' };
      case 'subscription':
        return {
          kind: random.chance(0.5) ? 'CORRELATE_MESSAGE' : 'DELIVER_SIGNAL',
          execution: id,
          publicationID: 'm',
          variables,
        };
      case 'child':
        if (random.chance(0.2))
          return { kind: 'ESCALATE_CHILD', execution: id, escalationCode: random.pick(['U', 'V']), variables };
        return {
          kind: 'END_CHILD',
          execution: id,
          outcome: random.pick([
            { status: 'COMPLETED' as const, variables },
            { status: 'ERROR' as const, errorCode: 'E', variables },
            { status: 'CANCELED' as const },
            { status: 'REFUSED' as const, message: 'no' },
          ]),
        };
      case 'timer':
        return random.chance(0.5)
          ? { kind: 'FIRE_TIMER', timer: id, node: 'any' }
          : { kind: 'UPDATE_TIMER', timer: id, node: 'any', due: random.below(2) * Number.MAX_SAFE_INTEGER };
      default:
        return { kind: 'SET_VARIABLES', variables };
    }
  }

  #instruction(): ModificationInstruction {
    const random = this.#random;
    const elements = Object.values(this.#state.elements);
    const nodeID =
      elements.length > 0 && random.chance(0.5) ? random.pick(elements).node : random.pick(this.#model.graph.nodes).id;
    const scope = elements.length > 0 && random.chance(0.3) ? { scope: random.pick(elements).id } : {};
    return { type: random.chance(0.35) ? 'CANCEL_TOKEN' : 'START_BEFORE_NODE', nodeID, ...scope };
  }
}
