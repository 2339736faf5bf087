/**
 * Starts the whole topology as processes on loopback, and exposes each part, so that tests can inject faults into it.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startIssuer } from '../issuer-process.js';
import { prepareKeycloak } from '../keycloak/distribution.js';
import { startKeycloak } from '../keycloak/server.js';
import { freePort } from '../ports.js';
import { createDatabaseIfMissing, startPostgres } from '../postgres/cluster.js';
import { startNode, type Child } from '../processes/child.js';
import { endLeftover } from '../processes/leftovers.js';
import { Supervised } from '../processes/supervised.js';
import {
  apiEnvironment,
  databases,
  hostEnvironment,
  replicas,
  temporalNamespace,
  workerEnvironment,
  type HostPlaces,
  type Place,
} from './plan.js';
import { chooseServerPorts, setUpSchema, startTemporalCluster } from './temporal-cluster.js';

export interface TopologyOptions {
  /** For data, logs, and process files. */
  folder: string;
  /** The password of Postgres; must be the one that the data was created with. */
  postgresPassword: string;
  /** Signs tokens; the development issuer keeps its keys across restarts. */
  provider: 'keycloak' | 'development';
  /** The file with Temporal's settings (default: the one in `deploy/`). */
  temporalSettings?: string;
  /** Variables for each of Perdure's parts, in addition to those of the plan. */
  environment?: Record<string, string>;
  /** Roles of the API processes (default: `api`). */
  apiRoles?: string | undefined;
  /** Puts a proxy between a host and a dependency, for fault injection. */
  route?: (from: string, to: 'postgres' | 'temporal', place: Place) => Promise<Place>;
}

/** A running part, restarted when it ends unexpectedly. */
export interface Part {
  name: string;
  supervised: Supervised;
  /** Contains the identity of its process; see `process-identity.mjs`. */
  pidFile: string;
}

export interface Topology {
  apis: { url: string; metrics: string; part: Part }[];
  workers: { metrics: string; part: Part }[];
  postgres: { url: string; part: Part };
  temporal: { address: string; namespace: string; part: Part };
  issuer: { url: string; tokenEndpoint: string; part: Part };
  /** Stops everything; shared dependencies come last. */
  stop(): Promise<void>;
}

/** @throws Failure when a part cannot be built or started; the parts that were started before are stopped */
export async function startTopology(options: TopologyOptions): Promise<Topology> {
  const started: Part[] = [];
  const stop = async () => {
    for (const { supervised } of started) supervised.retire();
    for (const { supervised } of started.toReversed()) await supervised.stop();
  };
  const run = async (name: string, launch: () => Promise<Child>): Promise<Part> => {
    const supervised = await Supervised.start(name, launch);
    const part = { name, supervised, pidFile: join(options.folder, `${name}.pid`) };
    started.push(part);
    return part;
  };
  try {
    return { ...(await startParts(options, run)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Run = (name: string, launch: () => Promise<Child>) => Promise<Part>;

async function startParts(options: TopologyOptions, run: Run): Promise<Omit<Topology, 'stop'>> {
  const { folder } = options;
  mkdirSync(folder, { recursive: true });
  const [postgres, issuer] = await Promise.all([startDatabase(options, run), startProvider(options, run)]);
  const temporal = await startTemporal(options, postgres.place, run);
  const environmentOf = async (name: string) => {
    const places = await placesSeenFrom(
      name,
      { postgres: postgres.place, temporal: temporal.place, issuer: issuer.url },
      options,
    );
    return { ...process.env, ...hostEnvironment(places, accountOf(options)), ...options.environment };
  };
  // One after another: the first one migrates the database schema.
  const apis: Topology['apis'] = [];
  for (let number = 1; number <= replicas.api; number += 1) {
    const [port, metricsPort] = [await freePort(), await freePort()];
    const name = `api-${number}`;
    const own = {
      ...apiEnvironment({ issuer: issuer.url }),
      ...issuer.environment,
      ...(options.apiRoles !== undefined && { PERDURE_ROLES: options.apiRoles }),
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
    };
    const environment = { ...(await environmentOf(name)), ...own };
    apis.push({
      url: `http://127.0.0.1:${port}`,
      metrics: metricsUrl(metricsPort),
      part: await run(name, () => startHost(name, environment, folder)),
    });
  }
  const workers = await Promise.all(
    Array.from({ length: replicas.worker }, async (_, index) => {
      const name = `worker-${index + 1}`;
      const metricsPort = await freePort();
      const environment = { ...(await environmentOf(name)), ...workerEnvironment, METRICS_PORT: String(metricsPort) };
      return { metrics: metricsUrl(metricsPort), part: await run(name, () => startHost(name, environment, folder)) };
    }),
  );
  return { apis, workers, postgres, temporal, issuer };
}

async function placesSeenFrom(
  name: string,
  { postgres, temporal, issuer }: HostPlaces,
  { route }: TopologyOptions,
): Promise<HostPlaces> {
  if (!route) return { postgres, temporal, issuer };
  return {
    postgres: await route(name, 'postgres', postgres),
    temporal: await route(name, 'temporal', temporal),
    issuer,
  };
}

function accountOf({ postgresPassword }: TopologyOptions) {
  return { user: 'perdure', password: postgresPassword };
}

function metricsUrl(port: number): string {
  return `http://127.0.0.1:${port}/metrics`;
}

async function startDatabase(options: TopologyOptions, run: Run): Promise<Topology['postgres'] & { place: Place }> {
  const { folder, postgresPassword: password } = options;
  const port = await freePort();
  let url = '';
  const part = await run('postgres', async () => {
    const server = await startPostgres({
      dataFolder: join(folder, 'postgres'),
      folder,
      port,
      password,
      settings: { max_connections: '300' },
    });
    await createDatabaseIfMissing(server, databases.host);
    url = server.databaseUrl(databases.host);
    return server.child;
  });
  return { url, part, place: { host: '127.0.0.1', port } };
}

async function startTemporal(
  options: TopologyOptions,
  postgres: Place,
  run: Run,
): Promise<Topology['temporal'] & { place: Place }> {
  const ports = await chooseServerPorts();
  const port = Number(ports.FRONTEND_GRPC_PORT);
  const account = accountOf(options);
  await setUpSchema(postgres, account);
  const { folder, temporalSettings: settings } = options;
  const part = await run('temporal', () =>
    startTemporalCluster({ postgres, account, ports, folder, ...(settings && { settings }) }),
  );
  return { address: `127.0.0.1:${port}`, namespace: temporalNamespace, part, place: { host: '127.0.0.1', port } };
}

type Provider = Topology['issuer'] & { environment: Record<string, string> };

async function startProvider(options: TopologyOptions, run: Run): Promise<Provider> {
  return options.provider === 'keycloak' ? startKeycloakPart(options, run) : startDevelopmentIssuer(options, run);
}

async function startKeycloakPart({ folder }: TopologyOptions, run: Run): Promise<Provider> {
  const [distribution, port] = [await prepareKeycloak(), await freePort()];
  const operatorSecret = randomBytes(24).toString('base64url');
  let url = '';
  let tokenEndpoint = '';
  const part = await run('keycloak', async () => {
    const server = await startKeycloak({ distribution, port, folder, operatorSecret });
    ({ issuer: url, tokenEndpoint } = server);
    return server.child;
  });
  return { url, tokenEndpoint, part, environment: {} };
}

async function startDevelopmentIssuer({ folder }: TopologyOptions, run: Run): Promise<Provider> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const options = {
    dataFolder: join(folder, 'issuer'),
    folder,
    port,
    audience: 'perdure',
    administrationSecret: randomBytes(24).toString('base64url'),
  };
  const part = await run('issuer', async () => (await startIssuer(options)).child);
  return { url, tokenEndpoint: `${url}/token`, part, environment: { OIDC_PRESET: 'generic' } };
}

async function startHost(name: string, environment: NodeJS.ProcessEnv, folder: string): Promise<Child> {
  const pidFile = join(folder, `${name}.pid`);
  await endLeftover(pidFile);
  const child = startNode({
    script: 'host/main.js',
    environment: { ...environment, TZ: 'UTC', LC_ALL: 'C.UTF-8' },
    pidFile,
    logFile: join(folder, `${name}.log`),
  });
  await new Promise<void>((resolve, reject) => {
    child.onMessage(() => resolve());
    void child.ended.then(({ code, signal }) =>
      reject(new Error(`${name} ended before it was ready (${signal ?? `exit code ${code}`}); see ${name}.log`)),
    );
  });
  return child;
}
