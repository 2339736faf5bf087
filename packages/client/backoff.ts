/** Pauses between retries of temporary failures. Without Node modules: browsers run this, too. */

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;

/**
 * The wait before the next attempt. It doubles with each attempt, and a random half of it is skipped, so that many
 * clients do not return at the same moment after an outage.
 *
 * @param attempt number of failed attempts, from 1
 */
export function pauseAfter(attempt: number): number {
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), MAX_PAUSE_MS);
  return longest * (0.5 + Math.random() / 2);
}

/** Ends early, without an error, when `signal` is aborted. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return;
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
  });
}
