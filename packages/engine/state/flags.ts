/**
 * Behavior changes that running instances do not get. An instance has the flags that the build of its first step knew,
 * and keeps them in its state. The old branch stays while instances without the flag may run.
 */
import type { State } from './state.js';

/** By name, with a comment that says what changes, and since which version. */
export const FLAGS = {
  /**
   * 0.1.0. Event sub-processes of a transaction that is being canceled catch nothing that its compensation handlers
   * throw, and the transaction is left as canceled whatever ends inside it last. A cancel end event in a handler of a
   * transaction that has completed fires no cancel boundary event. Without the flag an event sub-process that catches
   * ends the compensation, and the transaction is left along its normal flows; the cancel boundary event fires after the
   * transaction has been left.
   */
  canceledTransactionsStayCanceled: 'canceledTransactionsStayCanceled',
  /**
   * 0.1.0. The date of a timer can name its zone, as in `2026-01-31T09:00:00@Europe/Berlin`. Without the flag such a
   * date is an incident INVALID_TIMER.
   */
  timersInNamedZones: 'timersInNamedZones',
  /**
   * 0.1.0. Months, and days in a named zone, of a cycle count from its start on the clock of its zone, which can have a
   * name. Without the flag they count from the last tick in UTC, and a named zone is an incident INVALID_TIMER. With it,
   * an unknown name after an offset is an incident too, as in `2026-01-31T09:00:00+01:00[Nowhere/City]`.
   */
  cyclesCountFromTheirStart: 'cyclesCountFromTheirStart',
  /**
   * 0.1.0. An instance rotates in a workflow task with nothing else in it. Without the flag, the rotation ends the task in
   * which it became due. A signal that arrives in the meantime makes the server fail that task, and all of its steps are
   * repeated.
   */
  rotationsHaveTheirTask: 'rotationsHaveTheirTask',
  /**
   * 0.1.0. While more commands wait for the end of a pause than a step can take, the commands of operators are handled
   * before them. Without the flag no new command is handled until then, which a loop that spends every budget puts off.
   */
  operatorsPassDeferredCommands: 'operatorsPassDeferredCommands',
  /**
   * 0.1.0. While a loop spends the budget of every step, continuations (the next instances of a multi-instance activity,
   * handlers of a compensation), inclusive and complex joins, due timers and deferred commands go first in turns. Without
   * the flag they wait until the loop ends, or the instance is halted.
   */
  workTakesTurns: 'workTakesTurns',
  /**
   * 0.1.0. In a sequential ad-hoc sub-process that a job worker drives, activations that wait for their turn begin also
   * after the worker, or an interrupting event, has decided that it ends. Without the flag none of them begins anymore, and
   * the sub-process waits until a boundary event or a command ends it.
   */
  decidedAdHocsBeginTheRest: 'decidedAdHocsBeginTheRest',
  /**
   * 0.1.0. A scope whose retry a pause has deferred, and in which a compensation starts before that retry, begins again and
   * is compensated. Without the flag the compensation never continues, and the scope waits until something ends it.
   */
  retriedScopesAreCompensated: 'retriedScopesAreCompensated',
} as const satisfies Readonly<Record<string, string>>;

export type Flag = keyof typeof FLAGS;

/** The flags of instances that start now, in a fixed order. */
export function currentFlags(): Flag[] {
  return (Object.keys(FLAGS) as Flag[]).toSorted();
}

export function isEnabled({ flags }: State, flag: Flag): boolean {
  return flags.includes(flag);
}
