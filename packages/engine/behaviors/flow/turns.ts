/**
 * Turns of what a loop without a wait keeps waiting. Tokens move before continuations, those before joins, and timers fire
 * after all of them. A loop that spends the budget of every step would leave the others waiting until the instance is
 * halted. In a step that continues a yielded one, a different kind of work therefore goes first each time.
 */
import { isEnabled } from '../../state/flags.js';
import type { State } from '../../state/state.js';
import type { Run } from '../../run.js';
import { isHalted } from '../lifecycle/halt.js';
import { watchConditions } from '../waiting/conditions.js';
import { fireEarliestTimer, hasDueTimer } from '../waiting/timers.js';
import { fireJoin } from './joins.js';
import { continueFirst } from './tokens.js';

/** Tokens have a turn too: what goes first can spend a whole budget. */
const TURNS = ['token', 'continuation', 'join', 'timer', 'deferred'] as const;

/**
 * Does one unit of the work whose turn it is.
 *
 * @returns whether it is the turn of the first deferred command, which the step handles
 */
export function takeTurn(run: Run): boolean {
  const turn = turnOf(run.state);
  if (turn === undefined) return false;
  // Conditions see each change of variables before something else changes them again.
  watchConditions(run);
  if (run.exhausted || run.state.status !== 'RUNNING' || isHalted(run.state)) return false;
  run.budget.nextUnit();
  // A timer that was due before a deferred command came fires before it.
  const until = run.state.deferred?.[0]?.at ?? run.now;
  if (turn === 'continuation') continueFirst(run);
  else if (turn === 'join') fireJoin(run);
  else if (turn === 'timer') fireEarliestTimer(run, until);
  return turn === 'deferred' && !hasDueTimer(run, until);
}

/** Undefined in a step that continues none. Every step that yields is counted, so that a replay finds the same turns. */
function turnOf(state: State): (typeof TURNS)[number] | undefined {
  if (!isEnabled(state, 'workTakesTurns') || !state.unbroken || state.unbroken.deciding) return undefined;
  return TURNS[state.unbroken.steps % TURNS.length];
}
