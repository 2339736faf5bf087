/** The topology with a proxy on every way that faults can be made on. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { accessTokens, createClient } from '@perdure/client';
import type { Shop } from '../../examples/order-fulfilment/settings.js';
import { pidIfRunning } from '../../dev/process-identity.mjs';
import { startTopology, type Part, type Topology } from '../../dev/topology/start.js';
import { deployedSettings } from '../../dev/topology/temporal-cluster.js';
import { Caller } from './caller.js';
import { openProxy, type Proxy } from './proxy.js';

export interface Way {
  /** `worker-1 to postgres` */
  name: string;
  proxy: Proxy;
}

export interface World {
  topology: Topology;
  parts: readonly Part[];
  ways: readonly Way[];
  /** A project as an account sees it through the proxy of one of the APIs; `demo` by default. */
  shop(account: string, api: number, projectID?: string): Shop;
  /** Requests of an account through the same proxy. */
  caller(account: string, api: number): Caller;
  close(): Promise<void>;
}

export async function openWorld(folder: string): Promise<World> {
  const ways: Way[] = [];
  const open = async (name: string, host: string, port: number) => {
    const proxy = await openProxy({ host, port });
    ways.push({ name, proxy });
    return proxy.place;
  };
  const topology = await startTopology({
    folder,
    postgresPassword: 'chaos',
    provider: 'development',
    temporalSettings: writeTemporalSettings(folder),
    apiRoles: process.env['PERDURE_CHAOS_API_ROLES'],
    environment: {
      LOG_LEVEL: 'warn',
      RATE_LIMIT_PER_SECOND: '10000',
      RATE_LIMIT_BURST: '10000',
      MAX_CONNECTIONS_PER_ADDRESS: '4096',
    },
    route: (from, to, { host, port }) => open(`${from} to ${to}`, host, port),
  });
  const doors: string[] = [];
  for (const { url, part } of topology.apis) {
    const { hostname, port } = new URL(url);
    const door = await open(`callers to ${part.name}`, hostname, Number(port));
    doors.push(`http://${door.host}:${door.port}`);
  }
  const { apis, workers, postgres, temporal, issuer } = topology;
  const tokensOf = (account: string) =>
    accessTokens({ tokenEndpoint: issuer.tokenEndpoint, clientID: account, clientSecret: `dev-${account}` });
  return {
    topology,
    parts: [...apis, ...workers, postgres, temporal, issuer].map(({ part }) => part),
    ways,
    shop: (account, api, projectID = 'demo') => ({
      client: createClient({ api: doors[api % doors.length]!, accessToken: tokensOf(account) }),
      projectID,
    }),
    caller: (account, api) => new Caller(doors[api % doors.length]!, tokensOf(account)),
    async close() {
      await topology.stop();
      await Promise.all(ways.map(({ proxy }) => proxy.close()));
    },
  };
}

/** The process of a part; undefined between its end and its next start. */
export function processOf({ pidFile }: Part): number | undefined {
  try {
    return pidIfRunning(readFileSync(pidFile, 'utf8'));
  } catch {
    return undefined;
  }
}

/** The deployed settings, as they are tried here, and those of chaos. */
function writeTemporalSettings(folder: string): string {
  const file = join(folder, 'temporal-settings.yaml');
  writeFileSync(
    file,
    [deployedSettings, fileURLToPath(new URL('temporal-settings.yaml', import.meta.url))]
      .map((settings) => readFileSync(settings, 'utf8'))
      .join('\n'),
  );
  return file;
}
