/** Whether Postgres and Temporal are consistent, as of the last walk of the reconciler. */
import { Gauge, type Registry } from 'prom-client';

/** Adds the metric and returns the function to call after every walk. The metric has no value before the first walk. */
export function addDivergedMetric(registry: Registry): (count: number) => void {
  const diverged = new Gauge({
    name: 'perdure_instances_diverged',
    help: 'Running instances whose workflow is missing or has completed, because Postgres and Temporal diverged.',
    registers: [registry],
  });
  diverged.remove();
  return (count) => diverged.set(count);
}
