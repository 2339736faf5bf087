/** Recorded inputs of random instances run again to the same facts. */
import type { Recording } from '@perdure/backtest';
import { modelOf, type Model } from '@perdure/engine/model/model.js';
import { expect, it } from 'vitest';
import { rerun } from '../../host/admin/check-upgrade/rerun.js';
import { modelFrom, recordChaotic, recordWild } from '../backtest/support/random-recordings.js';
import { recordStructured } from '../backtest/support/structured-run.js';
import { chaoticModel } from '../engine/random/chaotic.js';
import { Random } from '../engine/random/random.js';
import { keptSeeds } from '../engine/random/kept-seeds.js';
import { base, seedsFrom } from '../engine/random/seeds.js';
import { WildModel } from '../engine/random/wild.js';

/** Of each family: `npm run upgrade-proof` takes more. */
const HISTORIES = Number(process.env['UPGRADE_HISTORIES'] || 32);
const PATHS = 4;
const TIMEOUT = 60_000 + HISTORIES * 200;

function check(recording: Recording, where: string, targets: ReadonlyMap<string, Model> = new Map()): void {
  const model = modelOf(JSON.parse(JSON.stringify(recording.model.graph)));
  expect(rerun({ ...recording, model, targets }), where).toEqual({ kind: 'same' });
}

it(
  `${HISTORIES} histories of structured models run again to the same facts (RANDOM_SEED=${base})`,
  { timeout: TIMEOUT },
  async () => {
    for (const seed of seedsFrom([], Math.ceil(HISTORIES / PATHS)))
      for (const [path, recording] of (await recordStructured(seed, PATHS)).entries())
        check(recording, `seed ${seed}, path ${path}`);
  },
);

it(
  `${HISTORIES} histories of chaotic models run again to the same facts, with their modifications and migrations (RANDOM_SEED=${base})`,
  { timeout: TIMEOUT },
  async () => {
    for (const seed of seedsFrom([], Math.ceil(HISTORIES / PATHS))) {
      const model = (await modelFrom(chaoticModel(new Random(seed))))!;
      const other = (await modelFrom(chaoticModel(new Random(seed), 0.3)))!;
      const targets = new Map([
        ['0', model],
        ['1', other],
      ]);
      for (let path = 0; path < PATHS; path += 1)
        check(recordChaotic(model, targets, seed * PATHS + path), `seed ${seed}, path ${path}`, targets);
    }
  },
);

it(
  `${HISTORIES} histories of wild models run again to the same facts (RANDOM_SEED=${base})`,
  { timeout: TIMEOUT },
  async () => {
    for (const seed of seedsFrom(keptSeeds.wildHistories, HISTORIES)) {
      const random = new Random(seed);
      const model = await modelFrom(new WildModel(random).process());
      const recording = model && recordWild(model, random, seed);
      if (recording) check(recording, `seed ${seed}`, recording.targets);
    }
  },
);
