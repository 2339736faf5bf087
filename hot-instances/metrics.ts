/** Step commits that wait for the next command of their instance, by outcome. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { LingerOutcome } from './linger.js';

/** Adds the metrics; each scrape calls `count` for the number of waiting commits. Returns the function that counts an ended wait. */
export function addLingerMetrics(registry: Registry, count: () => number): (outcome: LingerOutcome) => void {
  const ended = new Counter({
    name: 'perdure_lingers_total',
    help: 'Step commits that waited for the next command of their instance, by outcome: used, in_vain, ended (by a signal or shutdown), no_room.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  new Gauge({
    name: 'perdure_lingering',
    help: 'Step commits that wait for the next command of their instance. Each keeps a workflow task slot.',
    registers: [registry],
    collect() {
      this.set(count());
    },
  });
  return (outcome) => ended.inc({ outcome });
}
