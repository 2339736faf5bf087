import { Registry } from 'prom-client';
import { expect, test, vi } from 'vitest';
import { addChoreMetrics } from '../../worker/metrics/chores.js';

test('each chore has the time since its last success, from the start of the process on, and its failures', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  try {
    const registry = new Registry();
    const status = addChoreMetrics(registry, ['matching', 'events']);
    now.mockReturnValue(5_000);
    status.succeeded('matching');
    status.failed('events');
    now.mockReturnValue(8_000);
    const lines = (await registry.metrics()).split('\n');
    expect(lines).toContain('perdure_chore_last_success_seconds{chore="matching"} 3');
    expect(lines).toContain('perdure_chore_last_success_seconds{chore="events"} 7');
    expect(lines).toContain('perdure_chore_failures_total{chore="matching"} 0');
    expect(lines).toContain('perdure_chore_failures_total{chore="events"} 1');
  } finally {
    now.mockRestore();
  }
});
