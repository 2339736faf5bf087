/** Duration targets that were missed. */
import { Counter, type Registry } from 'prom-client';

/** Adds the metric and returns the function to call with the number of new misses. */
export function addTargetMissesMetric(registry: Registry): (count: number) => void {
  const misses = new Counter({
    name: 'perdure_target_misses_total',
    help: 'Instances and activations of nodes that took longer than their target.',
    registers: [registry],
  });
  return (count) => misses.inc(count);
}
