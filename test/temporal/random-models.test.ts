/** Random models with random paths through the REST API: step by step the same as on the engine alone, which the oracle has checked. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestHost, type TestHost } from '../api/operations/support/host.js';
import type { ConformanceCase } from '../conformance/case.js';
import { playAll } from '../conformance/play.js';
import { keptSeeds } from '../engine/random/kept-seeds.js';
import { recordPath } from '../engine/random/record.js';
import { base, playSeed, scale, scaled, seedsFrom } from '../engine/random/seeds.js';
import { startRotatingServer, type RotatingServer } from './support/rotating-server.js';

const MAX_STIMULI = 20;
const MAX_TRIED = 10_000;
const test = { file: 'test/temporal/random-models.test.ts', kept: 'onTemporal' };

/** Those of the kept seeds, and the first ones from the base on that end soon enough, but not before `least` stimuli. */
async function paths(count: number, least: number): Promise<ConformanceCase[]> {
  const found: ConformanceCase[] = [];
  for (const seed of seedsFrom(keptSeeds.onTemporal, MAX_TRIED)) {
    const path = await recordPath(seed, MAX_STIMULI);
    if ((path?.play?.length ?? 0) >= least) found.push(path!);
    if (found.length === count) break;
  }
  return found;
}

/** Every failure names the seed of its model; it is played again as the first one. */
async function playPaths(host: TestHost, count: number, least = 1): Promise<void> {
  const played = playAll(host, await paths(count, least));
  for (const [{ shows }, result] of played) await playSeed(Number(/\d+$/.exec(shows)![0]), test, () => result);
}

describe('random models on Temporal', () => {
  const PAIRS = scaled(5);
  let host: TestHost;
  beforeAll(async () => {
    host = await startTestHost();
  });
  afterAll(() => host.close());

  it(
    `do what they do on the engine alone, ${PAIRS} at once (RANDOM_SEED=${base})`,
    { timeout: 600_000 * scale },
    async () => {
      await playPaths(host, PAIRS);
      await host.replayLongest(10);
    },
  );
});

describe('random models that continue in a new run after every few events', () => {
  const PAIRS = scaled(2);
  const EVENTS_PER_RUN = 12;
  /** Enough for several runs of each instance. */
  const LEAST_STIMULI = 8;
  let server: RotatingServer;
  let host: TestHost;
  beforeAll(async () => {
    server = await startRotatingServer(EVENTS_PER_RUN);
    host = await startTestHost({ temporal: server.address });
  });
  afterAll(async () => {
    await host.close();
    await server.stop();
  });

  it(
    `lose nothing: no command, signal, subscription, call or variable (RANDOM_SEED=${base})`,
    { timeout: 600_000 * scale },
    async () => {
      await playPaths(host, PAIRS, LEAST_STIMULI);
      const { rows } = await host.store.query<{ rotations: string }>(
        `SELECT count(*) AS rotations FROM steps WHERE facts::text LIKE '%INSTANCE_ROTATED%'`,
      );
      expect(Number(rows[0]!.rotations)).toBeGreaterThan(PAIRS);
    },
  );
});
