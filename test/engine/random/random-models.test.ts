/** Random models with random paths, step by step against an oracle that shares no code with the engine. */
import { expect, it } from 'vitest';
import { keptSeeds } from './kept-seeds.js';
import { PATHS_PER_MODEL, playModel } from './oracle-paths.js';
import { base, playSeed, scale, scaled, seedsFrom } from './seeds.js';

const MODELS = scaled(50);
const test = { file: 'test/engine/random/random-models.test.ts', kept: 'randomModels' };

it(
  `the engine agrees in ${MODELS} random models (RANDOM_SEED=${base}) with the oracle, on ${PATHS_PER_MODEL} paths each`,
  { timeout: 240_000 * scale },
  async () => {
    let pairs = 0;
    let finished = 0;
    for (const seed of seedsFrom(keptSeeds.randomModels, MODELS)) {
      finished += await playSeed(seed, test, () => playModel(seed));
      pairs += PATHS_PER_MODEL;
    }
    expect(pairs).toBeGreaterThanOrEqual(MODELS * PATHS_PER_MODEL);
    expect(finished / pairs).toBeGreaterThan(0.9);
  },
);
