/**
 * Plays every case on the engine alone and through the REST API on Temporal; both have to do the same at every step, and
 * in the end what the case says. `npm run conformance` writes down what it saw in docs/conformance.md.
 */
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestHost, type TestHost } from '../api/operations/support/host.js';
import type { ConformanceCase } from './case.js';
import { families } from './cases/index.js';
import { readSection, render, writeSection, type Passed } from './document.js';
import { comparable, expectOutcome, type Seen } from './driver.js';
import { MemoryDriver } from './memory.js';
import { RestDriver } from './rest.js';

/** Cases that run at once on Temporal. */
const AT_ONCE = 10;
const PATIENCE_MS = 60_000;

const passed = new Map<ConformanceCase, Partial<Passed>>();
const all = families.flatMap(({ title, cases }) => cases.map((given) => [`${title}: ${given.shows}`, given] as const));

describe('the engine alone', () => {
  it.each(all)('%s', async (_, given) => {
    const memory = new MemoryDriver(given);
    await memory.begin();
    for (const stimulus of given.play ?? []) await memory.apply(stimulus);
    await expectOutcome(memory, given);
    passed.set(given, { memory: true });
  });
});

describe('the REST API on Temporal', () => {
  let host: TestHost;
  let played: Map<ConformanceCase, Promise<void>>;

  beforeAll(async () => {
    host = await startTestHost();
    played = playAll(host);
  });
  afterAll(async () => {
    await Promise.allSettled(played.values());
    await host.close();
  });

  it.each(all)('%s', { timeout: 300_000 }, async (_, given) => {
    await played.get(given);
    passed.set(given, { ...passed.get(given), temporal: true });
  });
});

it('docs/conformance.md says what is tried here', () => {
  if (process.env['CONFORMANCE'] === 'write') writeSection(render(families, (given) => ({ memory: false, temporal: false, ...passed.get(given) })));
  expect(readSection(), 'To write it anew: npm run conformance').toBe(render(families, () => ({ memory: true, temporal: true })));
});

/** Several cases at once, as many as there are lanes. */
function playAll(host: TestHost): Map<ConformanceCase, Promise<void>> {
  const lanes = Array.from({ length: AT_ONCE }, () => Promise.resolve());
  const played = new Map<ConformanceCase, Promise<void>>();
  for (const [index, [, given]] of all.entries()) {
    const lane = index % AT_ONCE;
    const result = lanes[lane]!.then(() => playThroughRest(host, given));
    lanes[lane] = result.catch(() => undefined);
    played.set(given, result);
  }
  return played;
}

/** Beside it the same case is played in memory: what that shows after each stimulus is waited for. */
async function playThroughRest(host: TestHost, given: ConformanceCase): Promise<void> {
  const memory = new MemoryDriver(given);
  const rest = new RestDriver(host, given);
  await memory.begin();
  await rest.begin();
  for (const [index, stimulus] of (given.play ?? []).entries()) {
    // A timer may have fired before anybody looks.
    if (stimulus.kind !== 'timePasses') await agreement(rest, comparable(await memory.look(), given), given, `before stimulus ${index + 1}`);
    await memory.apply(stimulus);
    await rest.apply(stimulus);
  }
  await agreement(rest, comparable(await memory.look(), given), given, 'in the end');
  await expectOutcome(rest, given);
}

async function agreement(rest: RestDriver, expected: Seen[], given: ConformanceCase, when: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = comparable(await rest.look(), given);
    if (isDeepStrictEqual(found, expected)) return;
    if (Date.now() > deadline) expect(found, `${when} Temporal has not come to where the engine alone is`).toEqual(expected);
    await delay(50);
  }
}
