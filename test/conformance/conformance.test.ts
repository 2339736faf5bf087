/**
 * Plays every case on the engine alone and through the REST API on Temporal; both have to do the same at every step, and
 * in the end what the case says. docs/conformance.md has to say what this run has seen; `npm run conformance` writes it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestHost, type TestHost } from '../api/operations/support/host.js';
import type { ConformanceCase } from './case.js';
import { families } from './cases/index.js';
import { readSection, render, writeSection, type Passed } from './document.js';
import { expectOutcome } from './driver.js';
import { MemoryDriver } from './memory.js';
import { playAll } from './play.js';

/** The cases that passed in this run. */
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
    played = playAll(
      host,
      all.map(([, given]) => given),
    );
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

it('docs/conformance.md says what this run has seen pass', () => {
  const section = render(families, (given) => ({ memory: false, temporal: false, ...passed.get(given) }));
  if (process.env['CONFORMANCE'] === 'write') writeSection(section);
  expect(
    readSection(),
    'The page differs from the results of this run. When all cases were run, write it again: npm run conformance',
  ).toBe(section);
});
