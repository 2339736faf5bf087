import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { addChoreMetrics } from '../../background/metrics.js';

test('each chore has the time since its last success, and its failures', async () => {
  const registry = new Registry();
  let failures = 1;
  addChoreMetrics(registry, () => [
    { name: 'matching', secondsSinceSuccess: 3, failures: 0, failuresInARow: 0 },
    { name: 'events', secondsSinceSuccess: 7, failures, failuresInARow: 1 },
  ]);
  await registry.metrics();
  failures = 2;
  const lines = (await registry.metrics()).split('\n');
  expect(lines).toContain('perdure_chore_last_success_seconds{chore="matching"} 3');
  expect(lines).toContain('perdure_chore_last_success_seconds{chore="events"} 7');
  expect(lines).toContain('perdure_chore_failures_total{chore="matching"} 0');
  expect(lines).toContain('perdure_chore_failures_total{chore="events"} 2');
  expect(lines).toContain('perdure_chore_failures_in_a_row{chore="events"} 1');
});
