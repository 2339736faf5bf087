/** Random models whose steps yield after a few moves, so that their work takes turns: the oracle knows no steps. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Budget } from '@perdure/engine/budget.js';
import { keptSeeds } from './kept-seeds.js';
import { PATHS_PER_MODEL, playModel } from './oracle-paths.js';
import { base, playSeed, scale, scaled, seedsFrom } from './seeds.js';

const MODELS = scaled(25);
const MOVES_PER_STEP = 2;
const test = { file: 'test/engine/random/turns.test.ts', kept: 'turns' };

/** Units that each budget has begun. */
const units = new WeakMap<Budget, number>();
const unitsOf = (budget: Budget) => units.get(budget) ?? 0;

// The members are replaced and put back, not the module, which later files of this process share. Spies would keep every call.
const members = Object.getOwnPropertyDescriptors(Budget.prototype);
beforeAll(() => {
  Object.defineProperties(Budget.prototype, {
    allowsMoves: {
      ...members.allowsMoves,
      get(this: Budget) {
        return unitsOf(this) < MOVES_PER_STEP && (members.allowsMoves.get!.call(this) as boolean);
      },
    },
    nextUnit: {
      ...members.nextUnit,
      value(this: Budget) {
        units.set(this, unitsOf(this) + 1);
        members.nextUnit.value!.call(this);
      },
    },
  });
});
afterAll(() => void Object.defineProperties(Budget.prototype, members));

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
