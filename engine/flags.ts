/**
 * Changes of behavior that instances do not get while they run: an instance has the flags that were known to the build which
 * took its first step, and keeps them in its state. The old branch stays as long as instances without the flag may run.
 */
import type { State } from './state.js';

export const FLAGS = {
  /**
   * 0.1.0. A cycle that began in the past (`R/2025-01-01T09:00:00Z/P1D`) fires once for everything that it has missed, as after a
   * pause. Without the flag it fires once for each tick since then.
   */
  cyclesSkipPastTicks: 'cyclesSkipPastTicks',
} as const;

export type Flag = keyof typeof FLAGS;

/** What an instance that starts now gets, in a fixed order. */
export function currentFlags(): Flag[] {
  return (Object.keys(FLAGS) as Flag[]).toSorted();
}

export function isEnabled({ flags }: State, flag: Flag): boolean {
  return flags.includes(flag);
}
