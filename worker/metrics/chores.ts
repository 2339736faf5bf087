/** Whether the background chores of this process succeed. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { ChoreStatus } from '../chores/driver.js';

/** Adds the metrics and returns the functions to call after each run. The first scrape already has every chore. */
export function addChoreMetrics(registry: Registry, chores: readonly string[]): ChoreStatus {
  const startedAt = performance.now();
  const succeededAt = new Map(chores.map((chore) => [chore, startedAt]));
  const failures = new Counter({
    name: 'perdure_chore_failures_total',
    help: 'Failed runs of background chores. Each run is repeated.',
    labelNames: ['chore'],
    registers: [registry],
  });
  for (const chore of chores) failures.inc({ chore }, 0);
  new Gauge({
    name: 'perdure_chore_last_success_seconds',
    help: 'Time since the last successful run of a background chore in this process, or since its start.',
    labelNames: ['chore'],
    registers: [registry],
    collect() {
      for (const [chore, at] of succeededAt) this.set({ chore }, (performance.now() - at) / 1000);
    },
  });
  return {
    succeeded: (chore) => void succeededAt.set(chore, performance.now()),
    failed: (chore) => failures.inc({ chore }),
  };
}
