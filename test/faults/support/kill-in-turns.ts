/** Kills processes of several kinds, each as often as the others, in random order. */
import { setTimeout as delay } from 'node:timers/promises';

/** In a short run, each is killed once, and soon. */
const SHORT_SECONDS = 30;

/**
 * Ends after the time, but not before each has been killed.
 * @returns by name, how often
 */
export async function killInTurns(
  deaths: ReadonlyMap<string, () => Promise<void>>,
  seconds: number,
): Promise<Map<string, number>> {
  const until = Date.now() + seconds * 1_000;
  const kills = new Map<string, number>();
  while (Date.now() < until)
    for (const name of shuffled([...deaths.keys()])) {
      await delay((2_000 + Math.random() * 4_000) / (seconds < SHORT_SECONDS ? 3 : 1));
      if (Date.now() > until && kills.size === deaths.size) break;
      await deaths.get(name)!();
      kills.set(name, (kills.get(name) ?? 0) + 1);
    }
  return kills;
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);
}
