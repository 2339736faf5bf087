/** Which random models a run tries: others in every run, and the same again by RANDOM_SEED. */
import { randomInt } from 'node:crypto';

/** Chosen again in every run; titles of tests print it. */
export const base = Number(process.env['RANDOM_SEED'] || randomInt(1_000_000_000));

/** `npm test` tries half of each count, next to the kept seeds. `npm run random` sets more. */
export const scale = Number(process.env['RANDOM_SCALE'] || 0.5);

/** @param count of models, expressions, or files at scale 1 */
export function scaled(count: number): number {
  return Math.ceil(count * scale);
}

/** The kept seeds, then `count` seeds from the base on. */
export function seedsFrom(kept: readonly number[], count: number): number[] {
  return [...kept, ...Array.from({ length: count }, (_, index) => base + index)];
}

/**
 * Plays one seed. A failure says how to play it again.
 * @param file of the test
 * @param kept the name of the list in `kept-seeds.ts`
 */
export async function playSeed<T>(
  seed: number,
  { file, kept }: { file: string; kept: string },
  play: () => T | Promise<T>,
): Promise<T> {
  try {
    return await play();
  } catch (error) {
    if (error instanceof Error)
      error.message += `\n\nSeed ${seed} failed. To play it again: RANDOM_SEED=${seed} npx vitest run ${file}. To keep it, add it to ${kept} in test/engine/random/kept-seeds.ts.`;
    throw error;
  }
}
