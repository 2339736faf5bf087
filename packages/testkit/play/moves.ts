/** The moves of a person in a play: the start of the process, then steps of a scenario. */
import type { Scenario, Step } from '../scenario/scenario.js';

export type Start = Pick<NonNullable<Scenario['start']>, 'variables' | 'businessId'>;

/** One of them. Only the first move can be a start; without it, a message or a signal starts the process. */
export type Move = { start: Start } | Step;

export function isStart(move: Move): move is { start: Start } {
  return 'start' in move;
}

export function startOf([first]: readonly Move[]): Start | undefined {
  return first && isStart(first) ? first.start : undefined;
}

export function stepsOf(moves: readonly Move[]): Step[] {
  return moves.filter((move): move is Step => !isStart(move));
}

/** A move that is not possible. The play is as it was before. */
export class MoveRefused extends Error {
  override name = 'MoveRefused';
}
