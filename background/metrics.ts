/** Whether the background chores of this process succeed. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { ChoreStatus } from './driver.js';

/** Adds the metrics. Each scrape has every chore. */
export function addChoreMetrics(registry: Registry, status: () => readonly ChoreStatus[]): void {
  const shared = { labelNames: ['chore'], registers: [registry] };
  new Counter({
    ...shared,
    name: 'perdure_chore_failures_total',
    help: 'Failed runs of background chores. Each run is repeated.',
    collect() {
      this.reset();
      for (const { name, failures } of status()) this.inc({ chore: name }, failures);
    },
  });
  new Gauge({
    ...shared,
    name: 'perdure_chore_failures_in_a_row',
    help: 'Failed runs of a background chore since its last successful one in this process.',
    collect() {
      for (const { name, failuresInARow } of status()) this.set({ chore: name }, failuresInARow);
    },
  });
  new Gauge({
    ...shared,
    name: 'perdure_chore_last_success_seconds',
    help: 'Time since the last successful run of a background chore in this process, or since its start.',
    collect() {
      for (const { name, secondsSinceSuccess } of status()) this.set({ chore: name }, secondsSinceSuccess);
    },
  });
}
