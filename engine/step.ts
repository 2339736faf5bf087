/**
 * The interpreter: graph, state, commands and a time go in, facts and effects come out. Pure: the same inputs
 * give the same answer on every machine, for ever.
 */
import { isHeld } from './behaviors/hold.js';
import { startInstance } from './behaviors/instance.js';
import { rotate } from './behaviors/rotation.js';
import { fireDueTimers, skipMissedTicks } from './behaviors/timers.js';
import { hasWork, newBudget, runElements } from './behaviors/tokens.js';
import { takeAnswer } from './handlers/decisions.js';
import { endedVerdict, handle, isDeferredByPause } from './handlers/index.js';
import type { Command, CommandOutcome, DecisionAnswer, StartInput } from './commands.js';
import type { Effect } from './effects.js';
import type { Fact } from './facts.js';
import type { Model } from './model.js';
import { newRun, record, type Run } from './run.js';
import { holdWhenTooLarge } from './size.js';
import type { State } from './state.js';

export interface StepInput {
  /** Given to the very first step only. */
  start?: StartInput;
  /** Answers to effects of earlier steps; they come before the commands. */
  answers?: readonly DecisionAnswer[];
  /** First those of `state.deferred`, in its order, then those that follow `state.lastCommand`, in order of their numbers. */
  commands: readonly Command[];
  /** The first step after a pause. */
  resumed?: boolean;
  /** Epoch milliseconds. */
  now: number;
  /** Models of the versions that `MIGRATE` commands name, by the content address of their graphs. */
  targets?: ReadonlyMap<string, Model>;
  /** Tokens moved before the step yields, so that a loop without a wait cannot hold the worker. */
  maxMoves?: number;
}

export interface StepResult {
  facts: Fact[];
  effects: Effect[];
  outcomes: CommandOutcome[];
  /** What the instance goes on with: another model than before when it was migrated. */
  model: Model;
  /** Tokens were left on their way: park, then step again at once. */
  yielded: boolean;
}

const DEFAULT_MAX_MOVES = 10_000;
const MAX_WRITTEN_CHARACTERS = 2 * 1024 * 1024;

/**
 * Handles the commands in order, then the timers that are due, and moves tokens until nothing moves or
 * `maxMoves` is reached. Changes `state` in place.
 */
export function step(model: Model, state: State, input: StepInput): StepResult {
  const run = newRun(model, state, input.now, { targets: input.targets ?? new Map() });
  const budget = newBudget(input.maxMoves ?? DEFAULT_MAX_MOVES, MAX_WRITTEN_CHARACTERS);
  const outcomes: CommandOutcome[] = [];
  if (input.resumed) endPause(run);
  if (input.start) startInstance(run, input.start);
  runElements(run, budget);
  for (const answer of input.answers ?? []) {
    takeAnswer(run, answer);
    runElements(run, budget);
  }
  for (const command of input.commands) {
    const [deferred] = state.deferred ?? [];
    if (deferred?.number === command.number) fireDueTimers(run, budget, deferred.at);
    outcomes.push(handleOne(run, command));
    runElements(run, budget);
  }
  if (!state.deferred) fireDueTimers(run, budget);
  outcomes.push(...dropDeferred(run));
  holdWhenTooLarge(run);
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

function endPause(run: Run): void {
  record(run, { kind: 'PAUSE_ENDED' });
  skipMissedTicks(run);
}

function resultOf(run: Run, outcomes: CommandOutcome[]): StepResult {
  const { facts, effects, state, model } = run;
  return { facts, effects, outcomes, model, yielded: hasWork(state) && state.status === 'RUNNING' && !isHeld(state) };
}

/**
 * A step while the instance is paused: commands that work during a pause are done, the others are deferred, and nothing
 * moves. Changes `state` in place.
 */
export function stepPaused(model: Model, state: State, { start, commands, now, targets = new Map() }: Omit<StepInput, 'answers' | 'resumed' | 'maxMoves'>): StepResult {
  const run = newRun(model, state, now, { targets, paused: true });
  const outcomes: CommandOutcome[] = [];
  if (start) startInstance(run, start);
  for (const command of commands) {
    if (isDeferredByPause(command) && state.status === 'RUNNING') record(run, { kind: 'COMMAND_DEFERRED', number: command.number });
    else outcomes.push(handleOne(run, command));
  }
  outcomes.push(...dropDeferred(run));
  holdWhenTooLarge(run);
  return resultOf(run, outcomes);
}

function handleOne(run: Run, command: Command): CommandOutcome {
  const outcome = { number: command.number, ...handle(run, command) };
  record(run, { kind: 'COMMAND_HANDLED', number: command.number });
  return outcome;
}

/** What a pause has deferred and the end of the instance makes pointless. */
function dropDeferred(run: Run): CommandOutcome[] {
  if (run.state.status === 'RUNNING') return [];
  return (run.state.deferred ?? []).map(({ number }) => {
    record(run, { kind: 'COMMAND_HANDLED', number });
    return { number, ...endedVerdict(run.state) };
  });
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
