import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { ConformanceCase } from './case.js';
import { comparable, type Driver, type Seen } from './driver.js';
import { MemoryDriver } from './memory.js';
import { RestDriver, type SendToProject } from './rest.js';

/** Grows by half after each look: what comes soon is seen soon, and timers leave the processor to others. */
const FIRST_PAUSE_MS = 20;

export interface Manner {
  /** Milliseconds to wait for what has to be seen. */
  patience: number;
  /** The longest pause between two looks, in milliseconds. */
  betweenLooks: number;
  /** Work that one stimulus releases in several places may happen in another order: steps take as many commands as have come. */
  anyOrder?: true;
}

/** Next to it the same case is played in memory: what that shows after each stimulus is waited for. */
export async function playThroughRest(
  sendToProject: SendToProject,
  given: ConformanceCase,
  { patience, betweenLooks, anyOrder }: Manner,
): Promise<RestDriver> {
  const memory = new MemoryDriver(given);
  const rest = new RestDriver(sendToProject, given);
  const seen = async (driver: Driver) =>
    comparable(
      (await driver.look()).map((instance) => (anyOrder ? withoutOrder(instance) : instance)),
      given,
    );
  const agreement = async (when: string): Promise<void> => {
    const expected = await seen(memory);
    const deadline = Date.now() + patience;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, betweenLooks)) {
      const found = await seen(rest);
      if (isDeepStrictEqual(found, expected)) return;
      if (Date.now() > deadline)
        expect(found, `${when} Temporal has not come to where the engine alone is`).toEqual(expected);
      await delay(pause);
    }
  };
  await memory.begin();
  await rest.begin();
  for (const [index, stimulus] of (given.play ?? []).entries()) {
    // A timer may have fired before anybody looks.
    if (stimulus.kind !== 'timePasses') await agreement(`before stimulus ${index + 1}`);
    await memory.apply(stimulus);
    await rest.apply(stimulus);
  }
  await agreement('in the end');
  return rest;
}

function withoutOrder({ history, ...instance }: Seen): Seen {
  return { ...instance, history: history.split(' ').sort().join(' ') };
}
