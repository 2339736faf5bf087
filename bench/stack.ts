/** Everything that is compared, side by side on the same servers: the product, its twin, and Temporal alone. */
import { join } from 'node:path';
import { compiledScript } from '../scripts/repository.js';
import { bundleWorkflows } from '../scripts/workflow-bundle.js';
import { Floor } from './floor/contender.js';
import { RestContender } from './rest-contender.js';
import type { Servers } from './round.js';
import { openServices, type Services } from './services.js';

export interface Stack {
  temporalAddress: string;
  servers: Servers;
  /** The product as it is. */
  host: RestContender;
  /** The same host around workflows written by hand. */
  twin: RestContender;
  /** Raw workflows with one row for each park, without REST. */
  floor: Floor;
  stop(): Promise<void>;
}

export const productBundle = compiledScript('workflow-bundle.js');

export async function openStack(): Promise<Stack> {
  const services = await openServices();
  const bundleOf = async (entry: string) => {
    const bundle = join(services.folder, `${entry.replaceAll('/', '-')}.js`);
    await bundleWorkflows(compiledScript(`bench/${entry}.js`), bundle);
    return bundle;
  };
  const host = await startContender(services, 'host', productBundle);
  const twin = await startContender(services, 'twin', await bundleOf('twin/index'));
  const floor = await Floor.start(services.temporalAddress, await services.databaseUrl('bench_floor'), await bundleOf('floor/workflow'));
  const { temporalAddress, servers } = services;
  return {
    temporalAddress,
    servers,
    host,
    twin,
    floor,
    async stop() {
      await floor.stop();
      await services.stop();
    },
  };
}

/** One process with both roles. */
export async function startContender(services: Services, name: string, workflowBundle: string): Promise<RestContender> {
  const { api, processID } = await services.startHost({ name, workflowBundle });
  return new RestContender(name, await services.clientOf(api!), [processID]);
}
