/**
 * The interpreter: graph, state, commands and a time go in, facts and effects come out. Pure: the same inputs
 * give the same answer on every machine, for ever.
 */
import { isHeld } from './behaviors/hold.js';
import { startInstance } from './behaviors/instance.js';
import { rotate } from './behaviors/rotation.js';
import { fireDueTimers } from './behaviors/timers.js';
import { hasWork, newBudget, runElements } from './behaviors/tokens.js';
import { takeAnswer } from './handlers/decisions.js';
import { handle } from './handlers/index.js';
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
  /** In order of their numbers, the first one following `state.lastCommand`. */
  commands: readonly Command[];
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
  const run = newRun(model, state, input.now, input.targets);
  const budget = newBudget(input.maxMoves ?? DEFAULT_MAX_MOVES, MAX_WRITTEN_CHARACTERS);
  const outcomes: CommandOutcome[] = [];
  if (input.start) startInstance(run, input.start);
  runElements(run, budget);
  for (const answer of input.answers ?? []) {
    takeAnswer(run, answer);
    runElements(run, budget);
  }
  for (const command of input.commands) {
    outcomes.push({ number: command.number, ...handle(run, command) });
    record(run, { kind: 'COMMAND_HANDLED', number: command.number });
    runElements(run, budget);
  }
  fireDueTimers(run, budget);
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

function resultOf(run: Run, outcomes: CommandOutcome[]): StepResult {
  const { facts, effects, state, model } = run;
  return { facts, effects, outcomes, model, yielded: hasWork(state) && state.status === 'RUNNING' && !isHeld(state) };
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
