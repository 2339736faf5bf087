/**
 * Plays a version of a process in memory against the world of one recorded instance: what came from outside comes again, in
 * its order and at its moments, as far as the version asks for it. Only what has no counterpart lives in virtual time.
 */
import { hasWork } from '@perdure/engine/behaviors/flow/tokens.js';
import { isHalted } from '@perdure/engine/behaviors/lifecycle/halt.js';
import type { Command, DecisionEvaluation, StartInput } from '@perdure/engine/contract/commands.js';
import type { Fact } from '@perdure/engine/contract/facts.js';
import { decisionRequest, type DecisionRequest } from '@perdure/engine/decisions.js';
import { guardedStep } from '@perdure/engine/guarded-step.js';
import type { Model } from '@perdure/engine/model/model.js';
import { newState, type State } from '@perdure/engine/state/state.js';
import { step, stepPaused, stepRotation } from '@perdure/engine/step.js';
import { Agenda, type Planned } from './world/agenda.js';
import { Answers, isSameTimer } from './world/answers.js';
import { bodyFor, isSameQuestion } from './world/inputs.js';
import { isActiveFor, isKnown, needOf } from './world/named-nodes.js';
import type { Input, Past } from './world/past.js';
import { partThatDiffers, type OtherRequest } from './world/requests.js';
import type { Places } from './places.js';
import { Publications, type Publication } from './world/publications.js';
import type { RecordedCommand } from './recording.js';
import { Trail, type Stop, type Trouble } from './trail.js';

/** Answers to the decisions of the version. */
export interface Decisions {
  /** Whether a question that the recorded run asked too has the recorded answer: for the version that the instance ran. */
  readonly keepAnswers: boolean;
  /**
   * Evaluates a decision.
   * @param used the version that the recorded run used at the counterpart of the task
   * @returns undefined if it cannot be known
   */
  decide(
    request: DecisionRequest,
    used: { definitionID: string; version: number } | undefined,
    now: number,
  ): DecisionEvaluation['outcome'] | undefined;
}

/** Timers and decisions without a counterpart that may move a run. */
const MAX_OWN_MOVES = 10_000;
/** The same once nothing recorded is left. */
const MAX_MOVES_AFTER = 1_000;
/** Facts, besides twice as many as the recorded run has: each such move can spend the budget of a step. */
const MAX_FACTS = 200_000;
/** Steps in a row without waiting for anything, besides twice as many as the recorded run took. The host allows more. */
const MAX_WORK = 100;

interface Plan extends Planned {
  input?: Input;
  /** Where the input goes. */
  to?: Stop | Trouble;
  publication?: Publication;
  outcome?: DecisionEvaluation['outcome'];
}

/** Input of one step. */
interface Given {
  start?: StartInput;
  commands: Command[];
  evaluations: DecisionEvaluation[];
  resumed?: true;
  rotation?: { isAllowed: boolean };
  /** Something is due. */
  isDue?: true;
}

/** One step of the run of a version. */
export interface TakenStep {
  readonly before: State;
  readonly after: State;
  readonly facts: readonly Fact[];
  /** Epoch milliseconds of virtual time. */
  readonly now: number;
}

/** Why a run was stopped before it ended: it did not end by itself. */
export type Endless = 'TOO_MANY_STEPS' | 'ONLY_OWN_MOVES';

export class Play {
  readonly trail: Trail;
  state: State;
  /** Epoch milliseconds of virtual time. */
  now: number;
  endless: Endless | undefined;
  /** Recorded counterparts of what the run asked for. */
  readonly counterparts = new Map<Stop, Stop>();
  readonly knownTroubles = new Set<Trouble>();
  /** Jobs of agents whose request differs from the recorded one, so that its answer does not count. */
  readonly otherRequests = new Map<Stop, OtherRequest>();
  readonly past: Past;
  readonly #model: Model;
  readonly #decisions: Decisions | undefined;
  readonly #onStep: ((step: TakenStep) => void) | undefined;
  readonly #answers: Answers;
  readonly #publications: Publications;
  readonly #agenda = new Agenda<Plan>();
  /** Plans of the agenda that have a recorded input or a result. */
  #inputs = 0;
  /** Commands that name a node which is not active yet, by what they need. */
  readonly #parked = new Map<string, Plan[]>();
  /** Plans that wait for the end of a pause. */
  #held: Plan[] = [];
  /** When open timers fire, or are canceled, if that was late in the recorded run. */
  readonly #late = new Map<number, number>();
  readonly #commands = new Map<number, Command>();
  /** Commands that a step with a spent budget has not reached. */
  #left: Command[] = [];
  #number = 0;
  #paused: boolean;
  #ownMoves = 0;
  #movesAfter = 0;
  #facts = 0;

  constructor(past: Past, model: Model, places: Places, decisions?: Decisions, onStep?: (step: TakenStep) => void) {
    this.past = past;
    this.#model = model;
    this.#decisions = decisions;
    this.#onStep = onStep;
    this.#answers = new Answers(past, model);
    this.#publications = new Publications(past);
    this.trail = new Trail(model, places, {
      opened: (stop) => this.#opened(stop),
      raised: (trouble) => this.#raised(trouble),
    });
    this.state = newState(past.recording.workflowID);
    this.now = past.startedAt;
    this.#paused = past.steps[0]!.paused;
  }

  /** Plays until the instance has ended, or nothing is left that could make it continue. */
  run(): void {
    for (const input of this.past.free) this.#add({ at: input.at, sequence: input.sequence, input });
    for (const publication of this.past.publications) this.#addPublication(publication, publication.input.at);
    const { lastCommand: _, ...start } = this.past.recording.start;
    const group = this.#takeGroup((input) => input.step === 0);
    this.#take({ ...this.#gather(group), start: { ...start, flags: this.past.state.flags } }, 0);
    while (this.state.status === 'RUNNING' && !this.endless) {
      const first = this.#agenda.first;
      if (!first) return;
      this.now = Math.max(this.now, first.at);
      const step = first.input?.step;
      const plans =
        step === undefined ? [this.#next()!] : this.#takeGroup((input, at) => input.step === step && at === first.at);
      const given = this.#gather(plans);
      if (needsStep(given) || this.#isBusy) this.#take(given, step);
    }
  }

  #add(plan: Plan): void {
    if (plan.input ?? plan.outcome) this.#inputs += 1;
    this.#agenda.add(plan);
  }

  #addPublication(publication: Publication, at: number): void {
    const { input } = publication;
    this.#add({ at, sequence: input.sequence, input, publication });
  }

  #next(): Plan | undefined {
    const plan = this.#agenda.take();
    if (plan && (plan.input ?? plan.outcome)) this.#inputs -= 1;
    return plan;
  }

  /** Inputs of one recorded step come in one step, as long as they come at the same moment. */
  #takeGroup(belongs: (input: Input, at: number) => boolean): Plan[] {
    const group: Plan[] = [];
    for (let first = this.#agenda.first; first?.input && belongs(first.input, first.at); first = this.#agenda.first)
      group.push(this.#next()!);
    return group;
  }

  #gather(plans: readonly Plan[]): Given {
    const given: Given = { commands: [], evaluations: [] };
    for (const plan of plans) {
      const what = plan.input?.what;
      if (what?.kind === 'pause') this.#paused = true;
      else if (what?.kind === 'resume') this.#resume(given);
      else if (what?.kind === 'rotation') given.rotation = what;
      else if (what?.kind === 'command') given.commands.push(...this.#commandsOf(plan, what.command));
      else if (this.#paused) this.#held.push(plan);
      else if (what?.kind === 'evaluation') this.#evaluate(given, plan, what.outcome);
      else if (plan.outcome) this.#evaluateOwn(given, plan, plan.outcome);
      else if (this.#isDue(plan)) given.isDue = true;
    }
    return given;
  }

  #resume(given: Given): void {
    this.#paused = false;
    given.resumed = true;
    for (const plan of this.#held) this.#add({ ...plan, at: Math.max(plan.at, this.now) });
    this.#held = [];
  }

  #evaluate(given: Given, { to }: Plan, outcome: DecisionEvaluation['outcome']): void {
    if (this.state.waits[to!.id]?.kind === 'decision')
      given.evaluations.push({ kind: 'DECISION_EVALUATED', execution: to!.id, outcome });
  }

  #evaluateOwn(given: Given, plan: Plan, outcome: DecisionEvaluation['outcome']): void {
    if (plan.sequence < Infinity || this.#countOwnMove()) this.#evaluate(given, plan, outcome);
  }

  /** A timer without a counterpart does not overtake one that fired late. */
  #isDue(plan: Plan): boolean {
    const { to, input } = plan;
    if (input) this.#late.delete(to!.id);
    const wait = this.state.waits[to!.id];
    if (wait?.kind !== 'timer' || isHalted(this.state)) return false;
    const at = Math.max(wait.due, input ? 0 : this.#overdueUntil());
    if (at <= this.now) return input !== undefined || this.#countOwnMove();
    this.#add({ at, sequence: Infinity, to });
    return false;
  }

  #overdueUntil(): number {
    let until = 0;
    for (const [id, at] of this.#late) {
      const wait = this.state.waits[id];
      if (wait?.kind !== 'timer') this.#late.delete(id);
      else if (wait.due <= this.now) until = Math.max(until, at);
    }
    return until;
  }

  /** @returns false if the run is stopped */
  #countOwnMove(): boolean {
    this.#ownMoves += 1;
    this.#movesAfter = this.#inputs > 0 ? 0 : this.#movesAfter + 1;
    if (this.#movesAfter > MAX_MOVES_AFTER) this.endless = 'ONLY_OWN_MOVES';
    else if (this.#ownMoves > MAX_OWN_MOVES) this.endless = 'TOO_MANY_STEPS';
    return this.endless === undefined;
  }

  #commandsOf(plan: Plan, command: RecordedCommand): Command[] {
    const { publication, to } = plan;
    if (publication)
      return this.#publications
        .takersOf(publication, this.state)
        .map((taker) => this.#numbered(bodyFor(command, taker, this.state)!));
    if (!isKnown(command, this.#model)) return [];
    const mayBecomeActive = this.#isBusy && this.past.handledMidStep.has(command.number);
    if (!mayBecomeActive && !isActiveFor(command, this.state)) {
      this.#park(plan, needOf(command));
      return [];
    }
    const body = bodyFor(command, to, this.state);
    return body ? [this.#numbered(body)] : [];
  }

  #numbered(body: Omit<Command, 'number'>): Command {
    const command = { ...body, number: (this.#number += 1) } as Command;
    this.#commands.set(command.number, command);
    return command;
  }

  /** @param recorded index of the recorded step that it is the counterpart of */
  #take(given: Given, recorded: number | undefined): void {
    this.#step(given, recorded);
    this.#unpark();
    let last = recorded ?? Infinity;
    while (this.#isBusy && !this.endless) {
      const next = this.past.steps[last]?.yielded ? this.past.steps[last + 1] : undefined;
      // Its inputs come now.
      if (next && !next.isContinuation && this.#firstOpen?.input?.step === last + 1) return;
      if (next?.isContinuation) this.now = Math.max(this.now, next.now);
      last = next?.isContinuation ? last + 1 : Infinity;
      this.#step({ commands: [], evaluations: [] }, last);
      this.#unpark();
      if ((this.state.unbroken?.steps ?? 0) > MAX_WORK + 2 * this.past.longestWork) {
        this.endless = 'TOO_MANY_STEPS';
        return;
      }
    }
  }

  /** The next plan whose addressee still waits. */
  get #firstOpen(): Plan | undefined {
    for (;;) {
      const { first } = this.#agenda;
      if (!first?.to || this.state.waits[first.to.id] || this.state.incidents[first.to.id]) return first;
      this.#next();
    }
  }

  get #isBusy(): boolean {
    const { state } = this;
    if (state.status !== 'RUNNING' || this.#paused) return false;
    return this.#left.length > 0 || (hasWork(state) && !isHalted(state));
  }

  #step({ start, commands, evaluations, resumed, rotation }: Given, recorded: number | undefined): void {
    const { now } = this;
    const deferred = this.#paused ? [] : (this.state.deferred ?? []).map(({ number }) => this.#commands.get(number)!);
    const fresh = [...this.#left, ...commands];
    const unkept = recorded === undefined ? undefined : this.past.steps[recorded]?.unkept;
    const input = { now, ...(start && { start }) };
    const taken = guardedStep(
      this.#model,
      this.state,
      { ...input, commands: [...deferred, ...fresh] },
      (state, given) => {
        if (rotation) return stepRotation(this.#model, state, now, rotation.isAllowed ? Infinity : 0);
        if (this.#paused) return stepPaused(this.#model, state, { ...input, commands: given });
        return step(this.#model, state, {
          ...input,
          commands: given,
          evaluations,
          ...(resumed && { resumed }),
          ...(unkept !== undefined && { unkept }),
        });
      },
    );
    this.#onStep?.({ before: this.state, after: taken.state, facts: taken.facts, now });
    this.state = taken.state;
    this.#left = taken.state.status === 'RUNNING' ? fresh.filter(({ number }) => number > taken.state.lastCommand) : [];
    for (const fact of taken.facts) this.trail.note(fact, now);
    this.#facts += taken.facts.length;
    if (this.#facts > MAX_FACTS + 2 * this.past.facts) this.endless = 'TOO_MANY_STEPS';
  }

  /** Plans commands whose node has become active. */
  #unpark(): void {
    for (const [need, plans] of this.#parked) {
      const { what } = plans[0]!.input!;
      if (what.kind !== 'command' || !isActiveFor(what.command, this.state)) continue;
      this.#parked.delete(need);
      for (const plan of plans) this.#add({ ...plan, at: this.now });
    }
  }

  #park(plan: Plan, need: string): void {
    const parked = this.#parked.get(need);
    if (parked) parked.push(plan);
    else this.#parked.set(need, [plan]);
  }

  #raised(trouble: Trouble): void {
    const recorded = this.#answers.counterpartOfTrouble(trouble);
    if (!recorded) return;
    this.knownTroubles.add(trouble);
    for (const input of this.past.answersTo(recorded))
      this.#add({ at: Math.max(input.at, this.now), sequence: input.sequence, input, to: trouble });
  }

  #opened(stop: Stop): void {
    const recorded = this.#answers.counterpartOf(stop);
    if (recorded) this.counterparts.set(stop, recorded);
    if (stop.kind === 'timer') return this.#planTimer(stop, recorded);
    if (stop.kind === 'decision') return this.#planDecision(stop, recorded);
    if (stop.kind === 'subscription') {
      const kept = this.#publications.open(stop, recorded);
      if (kept) this.#addPublication(kept, this.now);
    } else if (recorded && !this.#asksElse(stop, recorded))
      this.#planAnswers(stop, recorded, this.past.answersTo(recorded));
  }

  #asksElse(stop: Stop, recorded: Stop): boolean {
    if (!stop.request || !recorded.request) return false;
    const part = partThatDiffers(
      { model: this.past.recording.model, node: recorded.node, request: recorded.request },
      { model: this.#model, node: stop.node, request: stop.request },
    );
    if (part !== undefined) this.otherRequests.set(stop, { turn: stop.request.turn, part });
    return part !== undefined;
  }

  /** The answers of its counterpart come after the time that they took then. */
  #planAnswers(stop: Stop, recorded: Stop, inputs: readonly Input[]): void {
    for (const input of inputs)
      this.#add({ at: stop.at + input.at - recorded.at, sequence: input.sequence, input, to: stop });
  }

  #planTimer(stop: Stop, recorded: Stop | undefined): void {
    const due = stop.due!;
    const inputs = recorded ? this.past.answersTo(recorded) : [];
    const ticks = inputs.filter(({ what }) => what.kind === 'tick');
    if (!recorded || !isSameTimer(stop, recorded)) {
      if (recorded)
        this.#planAnswers(
          stop,
          recorded,
          inputs.filter((input) => !ticks.includes(input)),
        );
      return this.#add({ at: due, sequence: Infinity, to: stop });
    }
    this.#planAnswers(stop, recorded, inputs);
    for (const { at } of ticks) this.#late.set(stop.id, stop.at + at - recorded.at);
    // Canceled before it fired, however long it was due.
    if (ticks.length === 0) {
      const closed = stop.at + (recorded.closedAt ?? recorded.at) - recorded.at;
      this.#late.set(stop.id, closed);
      this.#add({ at: Math.max(due, closed), sequence: Infinity, to: stop });
    }
  }

  #planDecision(stop: Stop, recorded: Stop | undefined): void {
    const wait = this.state.waits[stop.id];
    if (wait?.kind !== 'decision') return;
    const request = decisionRequest(this.state, wait);
    const inputs = recorded ? this.past.answersTo(recorded) : [];
    const [answer] = inputs;
    const isSame = recorded !== undefined && isSameQuestion(request, this.past.asked.get(recorded));
    // Another version may bind another version of the decision. What was never answered then is not answered now either.
    const isDecidedAgain = this.#decisions?.keepAnswers === false && answer !== undefined;
    if (isSame && !isDecidedAgain) return this.#planAnswers(stop, recorded, inputs);
    const used =
      answer?.what.kind === 'evaluation' && answer.what.outcome.status === 'EVALUATED'
        ? answer.what.outcome
        : undefined;
    const outcome = this.#decisions?.decide(request, used, this.now);
    if (outcome)
      this.#add({
        at: recorded && answer ? stop.at + answer.at - recorded.at : this.now,
        sequence: answer?.sequence ?? Infinity,
        outcome,
        to: stop,
      });
  }
}

function needsStep({ commands, evaluations, resumed, rotation, isDue }: Given): boolean {
  return commands.length > 0 || evaluations.length > 0 || resumed === true || rotation !== undefined || isDue === true;
}
