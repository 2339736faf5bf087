/**
 * The interpreter: takes a graph, a state, commands and a time, and returns facts. Pure: the same inputs give the same
 * result on every machine. Bounded: a step ends when its budget is spent, and the next one continues (`budget.ts`).
 */
import { unfinishedPass } from './behaviors/waiting/conditions.js';
import { isHalted } from './behaviors/lifecycle/halt.js';
import { startInstance } from './behaviors/lifecycle/instance.js';
import { rotate } from './behaviors/lifecycle/rotation.js';
import { fireDueTimers, skipMissedTicks } from './behaviors/waiting/timers.js';
import { hasWork, runElements } from './behaviors/flow/tokens.js';
import { takeTurn } from './behaviors/flow/turns.js';
import { haltWhenUnbroken } from './behaviors/lifecycle/unbroken-work.js';
import { takeEvaluation } from './handlers/decisions.js';
import { HELD } from './handlers/handler.js';
import { heldOutcomes } from './handlers/held-outcomes.js';
import { endedVerdict, handle, isDeferredByPause } from './handlers/index.js';
import type { Command, CommandOutcome, DecisionEvaluation, StartInput } from './contract/commands.js';
import { CommandDefect } from './defect.js';
import type { Fact } from './contract/facts.js';
import type { Model } from './model/model.js';
import { newRun } from './new-run.js';
import { record, type Run } from './run.js';
import { haltWhenTooLarge } from './behaviors/lifecycle/size.js';
import type { State } from './state/state.js';

export interface StepInput {
  /** First step only. */
  start?: StartInput;
  /**
   * Results of decisions that earlier steps requested, handled before the commands. Results whose wait is still open
   * afterwards were not consumed.
   */
  evaluations?: readonly DecisionEvaluation[];
  /**
   * First commands of `state.deferred`, in its order, then those after `state.lastCommand`, in order of their numbers. The
   * step handles at least one of the latter and leaves the others if its budget is spent, or leaves them to the rest of
   * the deferred ones: `outcomes` shows which it handled.
   */
  commands: readonly Command[];
  /** The first step after a pause. */
  resumed?: boolean;
  /** Why the messages that the step publishes cannot be kept: it is taken again, and the nodes fail. */
  unkept?: string;
  /** Epoch milliseconds. */
  now: number;
  /** Models of the target versions of `MIGRATE` commands, by the content address of their graphs. */
  targets?: ReadonlyMap<string, Model>;
}

export interface StepResult {
  facts: Fact[];
  outcomes: CommandOutcome[];
  /** The model to continue with; a different one after a migration. */
  model: Model;
  /** Work is left: commit, then take the next step at once. */
  yielded: boolean;
}

/**
 * Handles the commands in order, fires due timers, and moves tokens until nothing moves or the budget is spent. Changes
 * `state` in place.
 */
export function step(model: Model, state: State, input: StepInput): StepResult {
  const run = newRun(model, state, input.now, { targets: input.targets ?? new Map(), unkept: input.unkept });
  if (input.resumed) endPause(run);
  if (input.start) startInstance(run, input.start);
  const { outcomes, commands } = takeTurns(run, input.commands);
  runElements(run);
  takeEvaluations(run, input.evaluations ?? []);
  outcomes.push(...handleCommands(run, commands));
  if (!state.deferred && !run.exhausted) fireDueTimers(run);
  outcomes.push(...dropDeferred(run));
  haltWhenTooLarge(run);
  closeStep(run, input.evaluations !== undefined && input.evaluations.length > 0);
  return resultOf(run, outcomes);
}

/**
 * The step in which the host requests a rotation: it is allowed and counted (`INSTANCE_ROTATED`), or the instance is
 * halted at a RotationLimitError. Nothing else happens in it. Changes `state` in place.
 * @param now epoch milliseconds
 * @param limit rotations allowed since the start, or since the limit was last lifted
 */
export function stepRotation(model: Model, state: State, now: number, limit: number): StepResult {
  const run = newRun(model, state, now);
  rotate(run, limit);
  return resultOf(run, []);
}

/**
 * A step while the instance is paused: applies commands that work during a pause, defers the others, and moves nothing.
 * Changes `state` in place.
 */
export function stepPaused(
  model: Model,
  state: State,
  { start, commands, now, targets = new Map() }: Omit<StepInput, 'evaluations' | 'resumed'>,
): StepResult {
  const run = newRun(model, state, now, { targets, paused: true });
  const outcomes: CommandOutcome[] = [];
  if (start) startInstance(run, start);
  for (const [index, command] of commands.entries()) {
    if (index > 0 && !run.budget.allowsCommands) break;
    if (isDeferredByPause(command.kind) && state.status === 'RUNNING')
      record(run, { kind: 'COMMAND_DEFERRED', number: command.number });
    else outcomes.push(...blaming(command, () => handleOne(run, command)));
  }
  outcomes.push(...dropDeferred(run));
  haltWhenTooLarge(run);
  return resultOf(run, outcomes);
}

function endPause(run: Run): void {
  record(run, { kind: 'PAUSE_ENDED' });
  skipMissedTicks(run);
}

/** @returns the commands that are left, and the outcome of the deferred one whose turn it was */
function takeTurns(
  run: Run,
  commands: readonly Command[],
): { outcomes: CommandOutcome[]; commands: readonly Command[] } {
  const [first, ...rest] = commands;
  if (!takeTurn(run) || !first || run.state.deferred?.[0]?.number !== first.number) return { outcomes: [], commands };
  return { outcomes: blaming(first, () => handleOne(run, first)), commands: rest };
}

function takeEvaluations(run: Run, evaluations: readonly DecisionEvaluation[]): void {
  for (const [index, answer] of evaluations.entries()) {
    if (index > 0 && !run.budget.allowsMoves) return;
    run.budget.nextUnit();
    takeEvaluation(run, answer);
    runElements(run);
  }
}

/**
 * Deferred commands wait until nothing else moves, because their order matters. If not all of them are given, a new one
 * that a pause would defer waits for the others, and those of operators do not. In a step without budget for the deferred
 * ones no new command waits: every step handles at least one, so that a loop that spends every budget can be canceled.
 */
function handleCommands(run: Run, commands: readonly Command[]): CommandOutcome[] {
  const outcomes: CommandOutcome[] = [];
  let handledNew = 0;
  for (const command of commands) {
    const deferred = run.state.deferred?.find(({ number }) => number === command.number);
    if (deferred && !run.exhausted) fireDueTimers(run, deferred.at);
    if (deferred && (run.exhausted || !run.budget.allowsMoves)) {
      run.exhausted = true;
      continue;
    }
    if (!deferred && handledNew > 0 && !run.budget.allowsCommands) break;
    if (!deferred && run.state.deferred && !run.exhausted && isDeferredByPause(command.kind)) break;
    if (!deferred) handledNew += 1;
    blaming(command, () => {
      outcomes.push(...handleOne(run, command));
      runElements(run);
    });
  }
  return outcomes;
}

/** @returns the outcome, unless a fact of this step or of a later one determines it */
function handleOne(run: Run, command: Command): CommandOutcome[] {
  run.budget.nextUnit();
  const verdict = handle(run, command);
  record(run, { kind: 'COMMAND_HANDLED', number: command.number });
  return verdict === HELD ? [] : [{ number: command.number, ...verdict }];
}

/** Runs `work` and adds the number of the command to anything it throws. */
function blaming<T>({ number }: Command, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new CommandDefect(number, error);
  }
}

/** Deferred commands that are pointless after the end of the instance. */
function dropDeferred(run: Run): CommandOutcome[] {
  if (run.state.status === 'RUNNING') return [];
  return (run.state.deferred ?? []).map(({ number }) => {
    record(run, { kind: 'COMMAND_HANDLED', number });
    return { number, ...endedVerdict(run.state) };
  });
}

/** Records work left for the next step, and halts an instance that never runs out of work. */
function closeStep(run: Run, evaluated: boolean): void {
  const { state } = run;
  if (state.status !== 'RUNNING') return;
  const { written } = run.budget;
  const isDeciding = !isHalted(state) && Object.values(state.waits).some(({ kind }) => kind === 'decision');
  if (run.exhausted && !isHalted(state)) {
    const conditions = unfinishedPass(run);
    record(run, { kind: 'STEP_YIELDED', written, ...(conditions && { conditions }) });
    haltWhenUnbroken(run);
  } else if (isDeciding && (evaluated || (state.unbroken && !state.unbroken.deciding))) {
    // A loop around a decision does not wait for an external event.
    record(run, { kind: 'STEP_YIELDED', written, evaluated: true });
    haltWhenUnbroken(run);
  } else if (state.unbroken && !isDeciding) {
    record(run, { kind: 'STEP_SETTLED' });
  }
}

function resultOf(run: Run, outcomes: CommandOutcome[]): StepResult {
  const { facts, state, model } = run;
  return {
    facts,
    outcomes: [...outcomes, ...heldOutcomes(facts)],
    model,
    yielded: hasWork(state) && state.status === 'RUNNING' && !isHalted(state),
  };
}

/** Due time of the next timer in epoch milliseconds; undefined if none is open or the instance is halted. */
export function nextDue(state: State): number | undefined {
  if (isHalted(state)) return undefined;
  let next: number | undefined;
  for (const wait of Object.values(state.waits)) {
    if (wait.kind === 'timer' && (next === undefined || wait.due < next)) next = wait.due;
  }
  return next;
}
