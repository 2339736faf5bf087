/** Random models whose steps yield after a few moves, so that their work takes turns: the oracle knows no steps. */
import { expect, it, vi } from 'vitest';
import { keptSeeds } from './kept-seeds.js';
import { PATHS_PER_MODEL, playModel } from './oracle-paths.js';
import { base, playSeed, scale, scaled, seedsFrom } from './seeds.js';

const MODELS = scaled(50);
const MOVES_PER_STEP = 2;
const test = { file: 'test/engine/random/turns.test.ts', kept: 'turns' };

vi.mock(import('@perdure/engine/budget.js'), async (original) => {
  const engine = await original();
  class SmallBudget extends engine.Budget {
    #units = 0;

    override get allowsMoves(): boolean {
      return this.#units < MOVES_PER_STEP && super.allowsMoves;
    }

    override nextUnit(): void {
      this.#units += 1;
      super.nextUnit();
    }
  }
  return { ...engine, Budget: SmallBudget };
});

it(
  `the engine agrees with the oracle in ${MODELS} random models (RANDOM_SEED=${base}) whose steps yield after ${MOVES_PER_STEP} moves`,
  { timeout: 240_000 * scale },
  async () => {
    let finished = 0;
    for (const seed of seedsFrom(keptSeeds.turns, MODELS))
      finished += await playSeed(seed, test, () => playModel(seed));
    expect(finished / (MODELS * PATHS_PER_MODEL)).toBeGreaterThan(0.8);
  },
);
