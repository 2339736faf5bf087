/** Everything that is compared, side by side on the same servers: the product with and without hot instances, its twin, and Temporal alone. */
import { join } from 'node:path';
import { compiledScript } from '../dev/repository.js';
import { bundleWorkflows } from '../tools/workflow-bundle.js';
import { RawTemporal, type RawTemporalOptions } from './floor/contender.js';
import { RestContender } from './rest-contender.js';
import type { Servers } from './round.js';
import { openServices, type Services } from './services.js';

export interface Stack {
  temporalAddress: string;
  servers: Servers;
  /** The product as it is. */
  host: RestContender;
  /** The product without hot instances. */
  cold: RestContender;
  /** The same host around workflows written by hand, which end their workflow task where they wait. */
  twin: RestContender;
  /** Raw workflows with one row for each step commit, without REST. */
  floor: RawTemporal;
  /** The same, lingering after each row for the next result. */
  ceiling: RawTemporal;
  stop(): Promise<void>;
}

export const productBundle = compiledScript('workflow-bundle.js');
const withoutHotInstances = { HOT_INSTANCES: 'off' };

export async function openStack(): Promise<Stack> {
  const services = await openServices();
  const bundleOf = async (entry: string) => {
    const bundle = join(services.folder, `${entry.replaceAll('/', '-')}.js`);
    await bundleWorkflows(compiledScript(`bench/${entry}.js`), bundle);
    return bundle;
  };
  const host = await startContender(services, 'host', productBundle);
  const cold = await startContender(services, 'cold', productBundle, withoutHotInstances);
  const twin = await startContender(services, 'twin', await bundleOf('twin/index'), withoutHotInstances);
  const { temporalAddress, servers } = services;
  const rawBundle = await bundleOf('floor/workflow');
  const startRaw = async (name: RawTemporalOptions['name']) =>
    RawTemporal.start({
      name,
      temporalAddress,
      taskQueue: `bench-${name}`,
      databaseUrl: await services.databaseUrl(`bench_${name}`),
      workflowBundle: rawBundle,
    });
  const floor = await startRaw('floor');
  const ceiling = await startRaw('ceiling');
  return {
    temporalAddress,
    servers,
    host,
    cold,
    twin,
    floor,
    ceiling,
    async stop() {
      await Promise.all([floor.stop(), ceiling.stop()]);
      await services.stop();
    },
  };
}

/** One process with both roles. */
export async function startContender(
  services: Services,
  name: string,
  workflowBundle: string,
  settings: Record<string, string> = {},
): Promise<RestContender> {
  const { api, processID } = await services.startHost({ name, workflowBundle, settings });
  return new RestContender(name, await services.clientOf(api!), [processID]);
}
