/**
 * The number of instances that the workflow worker of this process has in memory, so that their next workflow task
 * needs no replay.
 */
import { Gauge, type Registry } from 'prom-client';

/** Adds the metric; `read` is called on each scrape. */
export function addCachedInstancesMetric(registry: Registry, read: () => number): void {
  new Gauge({
    name: 'perdure_instances_cached',
    help:
      'Instances that the workflow worker of this process keeps in memory; the others are replayed on ' +
      'their next event.',
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}
