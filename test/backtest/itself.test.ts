/** An instance that is backtested with the version that it ran does the same again, whatever happened to it. */
import { backtest, reasonToSkip, recordingOf, type Recording } from '@perdure/backtest';
import { modelOf, type Model } from '@perdure/engine/model/model.js';
import { expect, it } from 'vitest';
import { chaoticModel } from '../engine/random/chaotic.js';
import { Random } from '../engine/random/random.js';
import { keptSeeds } from '../engine/random/kept-seeds.js';
import { withListeners } from '../engine/random/listeners.js';
import { base, seedsFrom } from '../engine/random/seeds.js';
import { WildModel } from '../engine/random/wild.js';
import { hasGuessed } from './support/guessed-commands.js';
import { modelFrom, recordChaotic, recordWild } from './support/random-recordings.js';
import { recordStructured } from './support/structured-run.js';

/** Of each family: `npm run backtest-proof` plays more. */
const HISTORIES = Number(process.env['BACKTEST_HISTORIES'] || 40);
const PATHS = 4;
const TIMEOUT = 60_000 + HISTORIES * 200;

/** Why an instance of the random tests may be skipped: they modify and migrate, and nothing else. */
const RIGHT_REASONS = ['The instance was modified', 'The instance was migrated'];

class Sums {
  same = 0;
  skipped = 0;

  check(given: Recording, where: string): void {
    const { start: _unknownToTheStore, ...stored } = given;
    const recording = recordingOf(stored);
    if ('reason' in recording) throw new Error(`${where}: ${recording.reason}`);
    const { item } = backtest(recording, modelOf(JSON.parse(JSON.stringify(recording.model.graph))));
    if (item.outcome === 'SKIPPED') {
      expect(RIGHT_REASONS, where).toContain(item.reason);
      expect(hasFact(recording, item.reason!), `${where}: ${item.reason}`).toBe(true);
      this.skipped += 1;
      return;
    }
    expect(item, where).toEqual({
      workflowID: recording.workflowID,
      outcome: 'SAME',
      durationMs: item.durationBeforeMs,
      durationBeforeMs: expect.any(Number),
    });
    this.same += 1;
  }
}

/** A chaotic model; every second one has listeners. */
function written(seed: number, drop = 0): string {
  const random = new Random(seed);
  const xml = chaoticModel(random, drop);
  return seed % 2 === 0 ? xml : withListeners(xml, random, drop);
}

/** Whatever another version asks for, its run ends, in the same way every time. */
function checkOther(recording: Recording, other: Model, where: string): void {
  const { item } = backtest(recording, other);
  expect(backtest(recording, other).item, where).toEqual(item);
  if (item.outcome !== 'SAME' && item.outcome !== 'SKIPPED')
    expect(item, where).toMatchObject({ reason: expect.any(String) });
  if (item.outcome !== 'SAME' && item.outcome !== 'SKIPPED' && item.outcome !== 'OTHER_RESULT')
    expect(item.first?.occurrence, where).toBeGreaterThan(0);
}

function hasFact({ steps, commands }: Recording, reason: string): boolean {
  return reason === 'The instance was migrated'
    ? steps.some(({ facts }) => facts.some(({ kind }) => kind === 'INSTANCE_MIGRATED'))
    : commands.some(({ kind, status }) => kind === 'MODIFY' && status === 'APPLIED');
}

it(
  `${HISTORIES} histories of structured models are the same against themselves (RANDOM_SEED=${base})`,
  { timeout: TIMEOUT },
  async () => {
    const sums = new Sums();
    for (const seed of seedsFrom([], Math.ceil(HISTORIES / PATHS)))
      for (const [path, recording] of (await recordStructured(seed, PATHS)).entries())
        sums.check(recording, `seed ${seed}, path ${path}`);
    expect(sums.skipped).toBe(0);
    expect(sums.same).toBeGreaterThanOrEqual(HISTORIES);
  },
);

it(
  `${HISTORIES} histories of chaotic models are the same against themselves, or were modified or migrated (RANDOM_SEED=${base})`,
  { timeout: TIMEOUT },
  async () => {
    const sums = new Sums();
    for (const seed of seedsFrom([], Math.ceil(HISTORIES / PATHS))) {
      const model = await modelFrom(written(seed));
      const targets = new Map([
        ['0', model!],
        ['1', (await modelFrom(written(seed, 0.3)))!],
      ]);
      for (let path = 0; path < PATHS; path += 1) {
        const recording = recordChaotic(model!, targets, seed * PATHS + path);
        sums.check(recording, `seed ${seed}, path ${path}`);
        checkOther(recording, targets.get('1')!, `seed ${seed}, path ${path}`);
      }
    }
    expect(sums.same).toBeGreaterThan(HISTORIES / 4);
  },
);

it(
  `${HISTORIES} histories of wild models are the same against themselves, or were modified or migrated (RANDOM_SEED=${base})`,
  { timeout: TIMEOUT },
  async () => {
    const sums = new Sums();
    for (const seed of seedsFrom(keptSeeds.wildHistories, HISTORIES)) {
      const random = new Random(seed);
      const model = await modelFrom(new WildModel(random).process());
      const recording = model && recordWild(model, random, seed);
      if (recording && !hasGuessed(recording)) sums.check(recording, `seed ${seed}`);
    }
    expect(sums.same).toBeGreaterThan(HISTORIES / 8);
  },
);

it('a history whose end is missing is skipped', () => {
  expect(
    reasonToSkip({ workflowID: 'i', model: undefined as never, start: { variables: {} }, steps: [], commands: [] }),
  ).toBe('The facts of the first steps were removed');
});
