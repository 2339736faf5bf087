/**
 * Behavior changes that running instances do not get. An instance has the flags that the build of its first step knew,
 * and keeps them in its state. The old branch stays while instances without the flag may run.
 */
import type { State } from './state.js';

/** By name, with a comment that says what changes, and since which version. No release has changed behavior yet. */
export const FLAGS = {} as const satisfies Readonly<Record<string, string>>;

export type Flag = keyof typeof FLAGS;

/** The flags of instances that start now, in a fixed order. */
export function currentFlags(): Flag[] {
  return (Object.keys(FLAGS) as Flag[]).toSorted();
}

export function isEnabled({ flags }: State, flag: Flag): boolean {
  return flags.includes(flag);
}
