/** How many instances this process's worker has in memory, where their next workflow task needs no replay. */
import { Gauge, type Registry } from 'prom-client';

/** Adds the metric; `read` is asked at each scrape. */
export function addCachedInstancesMetric(registry: Registry, read: () => number): void {
  new Gauge({
    name: 'perdure_instances_cached',
    help: 'Instances that the worker of this process keeps in memory; the others are replayed when something comes for them.',
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}
