/** Whether rows and workflows are of the same moment, as the reconciler has last found them. */
import { Gauge, type Registry } from 'prom-client';

/** Adds the metric; answers the function that is to be told after every look. Before the first there is no value. */
export function addAdriftMetric(registry: Registry): (count: number) => void {
  const adrift = new Gauge({
    name: 'perdure_instances_adrift',
    help: 'Running instances whose workflow is gone or has completed: Postgres and Temporal are not of the same moment.',
    registers: [registry],
  });
  adrift.remove();
  return (count) => adrift.set(count);
}
