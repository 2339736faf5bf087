/** Plays cases through the REST API, many at once. */
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { TestHost } from '../api/operations/support/host.js';
import type { ConformanceCase } from './case.js';
import { comparable, expectOutcome, type Seen } from './driver.js';
import { MemoryDriver } from './memory.js';
import { RestDriver } from './rest.js';

const AT_ONCE = 10;
const PATIENCE_MS = 60_000;

/** Several cases at once, as many as there are lanes. */
export function playAll(host: TestHost, cases: readonly ConformanceCase[]): Map<ConformanceCase, Promise<void>> {
  const lanes = Array.from({ length: AT_ONCE }, () => Promise.resolve());
  const played = new Map<ConformanceCase, Promise<void>>();
  for (const [index, given] of cases.entries()) {
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
