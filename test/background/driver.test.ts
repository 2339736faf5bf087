import { expect, test, vi } from 'vitest';
import type { Chore } from '../../background/chore.js';
import { startChores } from '../../background/driver.js';
import { createLogger } from '../../telemetry/logger.js';

const silent = createLogger('silent');

test('the status of a chore counts its failures, and forgets those in a row after a success', async () => {
  let runs = 0;
  const chore: Chore = {
    name: 'sometimes',
    every: 3_600_000,
    prompt: true,
    run: async () => {
      runs += 1;
      if (runs < 2) throw new Error('no');
      return 'done';
    },
  };
  const driver = startChores({ chores: [chore], logger: silent });
  const status = () => driver.status()[0]!;
  await vi.waitFor(() => expect(status()).toMatchObject({ name: 'sometimes', failures: 1, failuresInARow: 1 }));
  await vi.waitFor(() => expect(status()).toMatchObject({ failures: 1, failuresInARow: 0 }), { timeout: 10_000 });
  expect(status().secondsSinceSuccess).toBeLessThan(60);
  await driver.stop();
});

test('a run that finds another process at work is no success', async () => {
  let runs = 0;
  const run = async () => {
    runs += 1;
    return 'busy' as const;
  };
  const chore: Chore = { name: 'held', every: 1, prompt: true, run };
  const driver = startChores({ chores: [chore], logger: silent });
  await vi.waitFor(() => expect(runs).toBeGreaterThan(3));
  const before = driver.status()[0]!.secondsSinceSuccess;
  const seen = runs;
  await vi.waitFor(() => expect(runs).toBeGreaterThan(seen + 3));
  expect(driver.status()[0]!.secondsSinceSuccess).toBeGreaterThan(before);
  await driver.stop();
});
