/**
 * The interpreter: graph, state, commands and a time go in, facts come out. Pure: the same inputs give the
 * same answer on every machine. Bounded: a step ends when its budget is spent, and the next one continues (`budget.ts`).
 */
import { unfinishedPass } from './behaviors/conditions.js';
import { isHeld } from './behaviors/hold.js';
import { startInstance } from './behaviors/instance.js';
import { rotate } from './behaviors/rotation.js';
import { fireDueTimers, skipMissedTicks } from './behaviors/timers.js';
import { hasWork, runElements } from './behaviors/tokens.js';
import { holdWhenUnbroken } from './behaviors/unbroken-work.js';
import { takeAnswer } from './handlers/decisions.js';
import { endedVerdict, handle, isDeferredByPause } from './handlers/index.js';
import type { Command, CommandOutcome, DecisionAnswer, StartInput } from './commands.js';
import { CommandDefect } from './defect.js';
import type { Fact } from './facts.js';
import type { Model } from './model.js';
import { newRun, record, type Run } from './run.js';
import { holdWhenTooLarge } from './size.js';
import type { State } from './state.js';

export interface StepInput {
  /** Given to the very first step only. */
  start?: StartInput;
  /** Answers to what earlier steps asked of decisions; they come before the commands. Those whose wait is still open afterwards were not taken. */
  answers?: readonly DecisionAnswer[];
  /**
   * First those of `state.deferred`, in its order, then those that follow `state.lastCommand`, in order of their numbers. The step
   * handles at least one of the latter and leaves the others when its budget is spent: `outcomes` tells which it handled.
   */
  commands: readonly Command[];
  /** The first step after a pause. */
  resumed?: boolean;
  /** Epoch milliseconds. */
  now: number;
  /** Models of the versions that `MIGRATE` commands name, by the content address of their graphs. */
  targets?: ReadonlyMap<string, Model>;
}

export interface StepResult {
  facts: Fact[];
  outcomes: CommandOutcome[];
  /** What the instance goes on with: another model than before when it was migrated. */
  model: Model;
  /** Something was left to do: park, then step again at once. */
  yielded: boolean;
}

/**
 * Handles the commands in order, then the timers that are due, and moves tokens until nothing moves or the budget is
 * spent. Changes `state` in place.
 */
export function step(model: Model, state: State, input: StepInput): StepResult {
  const run = newRun(model, state, input.now, { targets: input.targets ?? new Map() });
  if (input.resumed) endPause(run);
  if (input.start) startInstance(run, input.start);
  runElements(run);
  takeAnswers(run, input.answers ?? []);
  const outcomes = handleCommands(run, input.commands);
  if (!state.deferred && !run.exhausted) fireDueTimers(run);
  outcomes.push(...dropDeferred(run));
  holdWhenTooLarge(run);
  closeStep(run, input.answers !== undefined && input.answers.length > 0);
  return resultOf(run, outcomes);
}

/**
 * The step in which the host asks to go on in a new run: allowed and counted (`INSTANCE_ROTATED`), or the instance
 * is held at a RotationLimitError. Nothing else happens in it. Changes `state` in place.
 * @param now epoch milliseconds
 * @param limit rotations allowed since the start, or since the limit was last lifted
 */
export function stepRotation(model: Model, state: State, now: number, limit: number): StepResult {
  const run = newRun(model, state, now);
  rotate(run, limit);
  return resultOf(run, []);
}

/**
 * A step while the instance is paused: commands that work during a pause are done, the others are deferred, and nothing
 * moves. Changes `state` in place.
 */
export function stepPaused(model: Model, state: State, { start, commands, now, targets = new Map() }: Omit<StepInput, 'answers' | 'resumed'>): StepResult {
  const run = newRun(model, state, now, { targets, paused: true });
  const outcomes: CommandOutcome[] = [];
  if (start) startInstance(run, start);
  for (const [index, command] of commands.entries()) {
    if (index > 0 && !run.budget.allowsCommands) break;
    if (isDeferredByPause(command.kind) && state.status === 'RUNNING') record(run, { kind: 'COMMAND_DEFERRED', number: command.number });
    else outcomes.push(blaming(command, () => handleOne(run, command)));
  }
  outcomes.push(...dropDeferred(run));
  holdWhenTooLarge(run);
  return resultOf(run, outcomes);
}

function endPause(run: Run): void {
  record(run, { kind: 'PAUSE_ENDED' });
  skipMissedTicks(run);
}

function takeAnswers(run: Run, answers: readonly DecisionAnswer[]): void {
  for (const [index, answer] of answers.entries()) {
    if (index > 0 && !run.budget.allowsMoves) return;
    run.budget.nextUnit();
    takeAnswer(run, answer);
    runElements(run);
  }
}

/**
 * What a pause deferred waits until nothing else moves, because its order matters. A new command does not: at least one is
 * handled in every step, so that a loop that spends every budget can be canceled.
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
    if (!deferred) handledNew += 1;
    blaming(command, () => {
      outcomes.push(handleOne(run, command));
      runElements(run);
    });
  }
  return outcomes;
}

function handleOne(run: Run, command: Command): CommandOutcome {
  run.budget.nextUnit();
  const outcome = { number: command.number, ...handle(run, command) };
  record(run, { kind: 'COMMAND_HANDLED', number: command.number });
  return outcome;
}

/** Runs `work`, so that what it throws names the command that led to it. */
function blaming<T>({ number }: Command, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new CommandDefect(number, error);
  }
}

/** What a pause has deferred and the end of the instance makes pointless. */
function dropDeferred(run: Run): CommandOutcome[] {
  if (run.state.status === 'RUNNING') return [];
  return (run.state.deferred ?? []).map(({ number }) => {
    record(run, { kind: 'COMMAND_HANDLED', number });
    return { number, ...endedVerdict(run.state) };
  });
}

/** Notes work that is left for the next step, and holds an instance that never stops having some. */
function closeStep(run: Run, answered: boolean): void {
  const { state } = run;
  if (state.status !== 'RUNNING') return;
  const { written } = run.budget;
  const isDeciding = !isHeld(state) && Object.values(state.waits).some(({ kind }) => kind === 'decision');
  if (run.exhausted && !isHeld(state)) {
    const conditions = unfinishedPass(run);
    record(run, { kind: 'STEP_YIELDED', written, ...(conditions && { conditions }) });
    holdWhenUnbroken(run);
  } else if (isDeciding && (answered || (state.unbroken && !state.unbroken.deciding))) {
    // A loop around a decision waits for nothing outside.
    record(run, { kind: 'STEP_YIELDED', written, answered: true });
    holdWhenUnbroken(run);
  } else if (state.unbroken && !isDeciding) {
    record(run, { kind: 'STEP_SETTLED' });
  }
}

function resultOf(run: Run, outcomes: CommandOutcome[]): StepResult {
  const { facts, state, model } = run;
  return { facts, outcomes, model, yielded: hasWork(state) && state.status === 'RUNNING' && !isHeld(state) };
}

/** When the next timer is due in epoch milliseconds; undefined when none runs or the instance is held. */
export function nextDue(state: State): number | undefined {
  if (isHeld(state)) return undefined;
  let next: number | undefined;
  for (const wait of Object.values(state.waits)) {
    if (wait.kind === 'timer' && (next === undefined || wait.due < next)) next = wait.due;
  }
  return next;
}
