/** Random models with random paths through the REST API: step by step the same as on the engine alone, which the oracle has checked. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestHost, type TestHost } from '../api/operations/support/host.js';
import type { ConformanceCase } from '../conformance/case.js';
import { playAll } from '../conformance/play.js';
import { recordPath } from '../engine/random/record.js';
import { startRotatingServer, type RotatingServer } from './support/rotating-server.js';

const base = Number(process.env['RANDOM_SEED'] ?? 20_260_401);
const MOST_STIMULI = 20;

/** The first paths from a seed on that come to their end soon enough. */
async function paths(count: number, seed: number): Promise<ConformanceCase[]> {
  const found: ConformanceCase[] = [];
  for (let next = seed; found.length < count; next += 1) {
    const path = await recordPath(next, MOST_STIMULI);
    if (path) found.push(path);
  }
  return found;
}

describe('random models on Temporal', () => {
  const PAIRS = 40;
  let host: TestHost;
  beforeAll(async () => {
    host = await startTestHost();
  });
  afterAll(() => host.close());

  it(`do what they do on the engine alone, ${PAIRS} at once (RANDOM_SEED=${base})`, { timeout: 600_000 }, async () => {
    await Promise.all(playAll(host, await paths(PAIRS, base)).values());
    await host.replayLongest(10);
  });
});

describe('random models that go on in a new run after every few events', () => {
  const PAIRS = 12;
  const EVENTS_PER_RUN = 12;
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

  it(`lose nothing: no command, signal, subscription, call or variable (RANDOM_SEED=${base})`, { timeout: 600_000 }, async () => {
    await Promise.all(playAll(host, await paths(PAIRS, base + 1000)).values());
    const { rows } = await host.store.query<{ rotations: string }>(`SELECT count(*) AS rotations FROM parks WHERE facts::text LIKE '%INSTANCE_ROTATED%'`);
    expect(Number(rows[0]!.rotations)).toBeGreaterThan(PAIRS);
  });
});
