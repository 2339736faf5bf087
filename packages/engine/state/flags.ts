/**
 * Behavior changes that running instances do not get. An instance has the flags that the build of its first step knew,
 * and keeps them in its state. The old branch stays while instances without the flag may run.
 */
import type { State } from './state.js';

export const FLAGS = {
  /**
   * 0.1.0. A cycle that started in the past (`R/2025-01-01T09:00:00Z/P1D`) fires once for all missed ticks, as after a
   * pause. Without the flag it fires once for each tick since then.
   */
  cyclesSkipPastTicks: 'cyclesSkipPastTicks',
  /**
   * 0.1.0. A migration opens no boundary events at an element that is being compensated. Without the flag it does, and
   * one that interrupts ends the compensation.
   */
  migrationsSkipCompensating: 'migrationsSkipCompensating',
  /** 0.1.0. Jobs have the priority that the model gives them. Without the flag the expression is not evaluated. */
  jobPriorities: 'jobPriorities',
  /**
   * 0.1.0. An interrupting event sub-process takes the place of the incident of its scope and of a retry that a pause has
   * deferred. What ends inside a scope at an incident withdraws the incident before the scope ends, and ends no scope
   * that is about to be retried. Without the flag a retry started the scope next to its event sub-process or after its
   * end, and a scope could wait at two incidents.
   */
  scopesEndOnce: 'scopesEndOnce',
  /**
   * 0.1.0. An ad-hoc sub-process does not complete before the compensation that something inside has started. One that
   * has completed and is being compensated accepts no activation, and its completion condition is not evaluated. Without
   * the flag handlers are dropped, a condition that is still true takes the outgoing flows again, and what has been
   * activated stays in a scope that no longer exists.
   */
  adHocsAwaitCompensation: 'adHocsAwaitCompensation',
  /**
   * 0.1.0. Boundary events and event sub-processes of a sub-process that has completed catch nothing that its handlers
   * throw while it is compensated; the next scope outward does. Without the flag they do: what they start stays in a
   * scope that no longer exists, or the sub-process takes its outgoing flows again.
   */
  completedScopesCatchNothing: 'completedScopesCatchNothing',
} as const;

export type Flag = keyof typeof FLAGS;

/** The flags of instances that start now, in a fixed order. */
export function currentFlags(): Flag[] {
  return (Object.keys(FLAGS) as Flag[]).toSorted();
}

export function isEnabled({ flags }: State, flag: Flag): boolean {
  return flags.includes(flag);
}
