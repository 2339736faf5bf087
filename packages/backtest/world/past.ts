/** The recorded run, read once: its path, and what came from outside, by what it answered. */
import { apply } from '@perdure/engine/apply.js';
import { hasWork } from '@perdure/engine/behaviors/flow/tokens.js';
import { isHalted } from '@perdure/engine/behaviors/lifecycle/halt.js';
import type { DecisionEvaluation } from '@perdure/engine/contract/commands.js';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { decisionRequest } from '@perdure/engine/decisions.js';
import { isDeferredByPause } from '@perdure/engine/handlers/index.js';
import { newState, ROOT, type DecisionWait, type State } from '@perdure/engine/state/state.js';
import type { Planned } from './agenda.js';
import { isActiveFor } from './named-nodes.js';
import type { Places } from '../places.js';
import type { RecordedCommand, RecordedStep, Recording } from '../recording.js';
import { Trail, type Stop, type Trouble } from '../trail.js';

/** Something that came from outside. */
export interface Input extends Planned {
  /** Index of its recorded step. */
  readonly step: number;
  readonly what:
    | { readonly kind: 'command'; readonly command: RecordedCommand }
    | { readonly kind: 'evaluation'; readonly outcome: DecisionEvaluation['outcome'] }
    | { readonly kind: 'tick' }
    | { readonly kind: 'pause' }
    | { readonly kind: 'resume' }
    | { readonly kind: 'rotation'; readonly isAllowed: boolean };
}

export type InputOf<K extends Input['what']['kind']> = Input & { what: { kind: K } };

export interface PastStep {
  readonly now: number;
  /** It continued the work of the step before, and nothing came from outside that the instance had asked for before. */
  readonly isContinuation: boolean;
  /** It left work to the next step. */
  readonly yielded: boolean;
  readonly unkept: string | undefined;
  readonly paused: boolean;
}

export interface Asked {
  readonly decisionID: string;
  readonly variables: Variables;
}

export class Past {
  readonly recording: Recording;
  readonly trail: Trail;
  readonly steps: PastStep[] = [];
  /** Inputs that belong to the instance as a whole, in order. */
  readonly free: Input[] = [];
  /** Messages and signals by the subscription that took them. */
  readonly publications: { readonly input: Input; readonly stop: Stop }[] = [];
  readonly #answers = new Map<Stop | Trouble, Input[]>();
  /** Numbers of commands about a node that became active in the step that handled them. */
  readonly handledMidStep = new Set<number>();
  /** The requests of decisions. */
  readonly asked = new Map<Stop, Asked>();
  readonly state: State;
  /** The most steps in a row that it took without waiting for anything. */
  longestWork = 0;
  /** How many facts it has. */
  facts = 0;
  /** The store ended it, because its workflow was gone. */
  wasEndedByStore = false;
  #sequence = 0;
  /** Before the step that is read. */
  #lastID = 0;
  /** Timers that opened and fired in the step that is read: nothing from outside. */
  #ownTicks = 0;
  readonly #given = new Set<number>();
  readonly #commands: ReadonlyMap<number, RecordedCommand>;
  /** Commands that listeners of a user task have decided about. */
  readonly #held: ReadonlySet<number>;

  constructor(recording: Recording, places: Places) {
    this.recording = recording;
    this.#commands = new Map(recording.commands.map((command) => [command.number, command]));
    this.#held = heldCommands(recording);
    this.trail = new Trail(recording.model, places);
    this.state = newState(recording.workflowID);
    for (const [index, step] of recording.steps.entries()) this.#read(index, step);
  }

  get startedAt(): number {
    return this.steps[0]!.now;
  }

  get endedAt(): number {
    return this.steps.at(-1)!.now;
  }

  get variables(): Variables {
    return this.state.elements[ROOT]?.variables ?? {};
  }

  /** The inputs that answered it, in order. */
  answersTo(asked: Stop | Trouble): readonly Input[] {
    return this.#answers.get(asked) ?? [];
  }

  #read(index: number, step: RecordedStep): void {
    const { now, resumed, rotate, evaluations = [], unkept, paused } = step.inputs;
    const before = this.#sequence;
    this.#lastID = this.state.lastID;
    this.#ownTicks = 0;
    if (paused && this.steps.at(-1)?.paused === false) this.#addFree(index, step, { kind: 'pause' });
    if (resumed) this.#addFree(index, step, { kind: 'resume' });
    if (rotate) this.#addFree(index, step, { kind: 'rotation', isAllowed: isAllowed(step.facts) });
    for (const { execution, outcome } of evaluations)
      this.#addAnswer(index, step, this.trail.stops.get(execution), { kind: 'evaluation', outcome });
    if (step.inputs.endedElsewhere) this.#addEnd(index, step);
    for (const fact of step.facts) if (fact.kind === 'COMMAND_HANDLED') this.#noteActivity(fact.number);
    for (const fact of step.facts) this.#note(index, step, fact);
    this.facts += step.facts.length;
    this.longestWork = Math.max(this.longestWork, this.state.unbroken?.steps ?? 0);
    this.steps.push({
      now,
      unkept,
      paused: paused === true,
      isContinuation: index > 0 && this.#sequence === before + this.#ownTicks,
      yielded: this.state.status === 'RUNNING' && hasWork(this.state) && !isHalted(this.state),
    });
    for (const fact of step.facts) if (fact.kind === 'DECISION_REQUESTED') this.#noteAsked(fact.decision);
  }

  #note(index: number, step: RecordedStep, fact: Fact): void {
    this.trail.note(fact, step.inputs.now);
    apply(this.state, fact, step.inputs.now);
    if (fact.kind === 'TIMER_FIRED') this.#noteTick(index, step, fact.timer);
    if (fact.kind === 'COMMAND_HANDLED' || fact.kind === 'COMMAND_DEFERRED')
      this.#noteCommand(index, step, this.#commands.get(fact.number), fact.kind === 'COMMAND_DEFERRED');
  }

  #noteActivity(number: number): void {
    const command = this.#commands.get(number);
    if (command && !isActiveFor(command, this.state)) this.handledMidStep.add(number);
  }

  #noteTick(index: number, step: RecordedStep, timer: number): void {
    if (timer > this.#lastID) this.#ownTicks += 1;
    this.#addAnswer(index, step, this.trail.stops.get(timer), { kind: 'tick' });
  }

  /** One that a pause deferred came when it was deferred, unless what it is about began with the end of the pause. */
  #noteCommand(index: number, step: RecordedStep, command: RecordedCommand | undefined, isDeferred: boolean): void {
    if (!command || this.#given.has(command.number)) return;
    // Listeners of a user task can deny a request that has led to their jobs.
    const hasEffect = command.status !== 'REJECTED' || this.#held.has(command.number);
    if (isDeferred && hasEffect && 'execution' in command && !this.trail.stops.has(command.execution)) return;
    this.#given.add(command.number);
    if (!hasEffect) return this.#addFree(index, step, { kind: 'command', command: withoutEffect(command) });
    const what = { kind: 'command' as const, command };
    switch (command.kind) {
      case 'COMPLETE_JOB':
      case 'THROW_JOB_ERROR':
      case 'COMPLETE_USER_TASK':
      case 'CHANGE_USER_TASK':
      case 'THROW_USER_TASK_ERROR':
      case 'END_CHILD':
      case 'ESCALATE_CHILD':
        return this.#addAnswer(index, step, this.trail.stops.get(command.execution), what);
      case 'UPDATE_TIMER':
      case 'FIRE_TIMER':
        return this.#addAnswer(index, step, this.trail.stops.get(command.timer), what);
      case 'RESOLVE_INCIDENT':
        return this.#addAnswer(index, step, this.trail.troubles.get(command.incident), what);
      case 'CORRELATE_MESSAGE':
      case 'DELIVER_SIGNAL':
        this.publications.push({
          input: this.#newInput(index, step, what),
          stop: this.trail.stops.get(command.execution)!,
        });
        return;
      default:
        this.#addFree(index, step, what);
    }
  }

  /** The store ended the rows, by a step that the engine did not take; a cancel has the same consequences. */
  #addEnd(index: number, step: RecordedStep): void {
    this.wasEndedByStore = true;
    const command = { kind: 'CANCEL_INSTANCE' as const, number: 0, status: 'APPLIED' as const };
    this.#addFree(index, step, { kind: 'command', command });
  }

  #addAnswer(index: number, step: RecordedStep, to: Stop | Trouble | undefined, what: Input['what']): void {
    if (!to) return;
    const input = this.#newInput(index, step, what);
    const answers = this.#answers.get(to);
    if (answers) answers.push(input);
    else this.#answers.set(to, [input]);
  }

  #addFree(index: number, step: RecordedStep, what: Input['what']): void {
    this.free.push(this.#newInput(index, step, what));
  }

  #newInput(step: number, { inputs }: RecordedStep, what: Input['what']): Input {
    return { at: inputs.now, sequence: (this.#sequence += 1), step, what };
  }

  #noteAsked(decision: number): void {
    const wait = this.state.waits[decision];
    const stop = this.trail.stops.get(decision);
    if (wait?.kind !== 'decision' || !stop) return;
    const { decisionID, variables } = decisionRequest(this.state, wait satisfies DecisionWait);
    this.asked.set(stop, { decisionID, variables });
  }
}

function heldCommands({ steps }: Recording): Set<number> {
  const held = steps.flatMap(({ facts }) =>
    facts.flatMap((fact) => (fact.kind === 'USER_TASK_REQUESTED' ? (fact.command ?? []) : [])),
  );
  return new Set(held);
}

/**
 * A command that is rejected everywhere, for one that was rejected. It still counts, because an instance whose work does
 * not end moves between two commands.
 */
function withoutEffect({ kind, number }: RecordedCommand): RecordedCommand {
  const rest = { number, status: 'REJECTED' as const };
  return isDeferredByPause(kind)
    ? { kind: 'COMPLETE_JOB', execution: 0, ...rest }
    : { kind: 'RESOLVE_INCIDENT', incident: 0, ...rest };
}

function isAllowed(facts: readonly Fact[]): boolean {
  return facts.some(({ kind }) => kind === 'INSTANCE_ROTATED');
}
