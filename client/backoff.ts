/** Pauses between attempts at something that is away for the moment. */
import { setTimeout as delay } from 'node:timers/promises';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

/**
 * How long to wait before the next attempt: twice as long each time, and between half and all of it by chance, so that
 * many clients of a host that was away do not come back at the same moment.
 * @param attempt how many have failed, from 1
 */
export function pauseAfter(attempt: number): number {
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
  return longest * (0.5 + Math.random() / 2);
}

/** Ends early, without an error, when `signal` is aborted. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, signal && { signal }).catch(() => undefined);
}
