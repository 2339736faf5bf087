/** A Temporal server like one in production: its data is in Postgres, and its own tool sets up the schema. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { Failure } from '@perdure/lib/failure.js';
import { buildProgram, type GoProgram } from '../go/build.js';
import { freePort } from '../ports.js';
import { endLeftover } from '../processes/leftovers.js';
import { startProgram, type Child } from '../processes/child.js';
import { runProgram } from '../processes/run-program.js';
import { repositoryRoot } from '../repository.js';
import { untilReady } from '../waiting.js';
import {
  schemaRuns,
  schemaToolEnvironment,
  temporalNamespace,
  temporalServerEnvironment,
  type DatabaseAccount,
  type Place,
} from './plan.js';

const source = { module: 'temporal-cluster', requires: 'go.temporal.io/server' } as const;

export const serverProgram: GoProgram = {
  ...source,
  package: 'go.temporal.io/server/cmd/server',
  name: 'temporal-server',
  title: 'Building the Temporal server for Postgres from source with Go (once, about 4 minutes)',
};
const schemaTool: GoProgram = {
  ...source,
  package: 'go.temporal.io/server/cmd/tools/sql',
  name: 'temporal-sql-tool',
  title: "Building Temporal's schema tool from source with Go (once)",
};

const retentionSeconds = 7 * 24 * 3_600;
/** The four services of the server in one process, each with its own port and one for its peers. */
const services = ['FRONTEND', 'HISTORY', 'MATCHING', 'WORKER'] as const;

/**
 * Where the server listens on loopback, with the names of its configuration template. It must listen there again after
 * a restart: for 20 seconds, its services look for one another where they were last seen. A service that finds none
 * there keeps trying for 30 seconds, pauses for 10, and only then reads the current places (seen in 1.32: for 49
 * seconds, no workflow task reached a worker). A restarted container keeps its address and ports.
 */
export type ServerPorts = Readonly<
  Record<`${(typeof services)[number]}_${'GRPC' | 'MEMBERSHIP'}_PORT` | 'FRONTEND_HTTP_PORT', string>
>;

/** Settings that differ from the server's defaults, each with a reason. */
export const deployedSettings = join(repositoryRoot, 'deploy', 'temporal', 'dynamic-configuration.yaml');

export interface TemporalClusterOptions {
  postgres: Place;
  account: DatabaseAccount;
  ports: ServerPorts;
  /** For its log, its process file, and its settings. */
  folder: string;
  /** The file with settings that differ from the server's defaults (default: the one in `deploy/`). */
  settings?: string;
}

/** Builds the server and its schema tool, unless they are built. */
export async function buildTemporalCluster(): Promise<void> {
  await buildProgram(serverProgram);
  await buildProgram(schemaTool);
}

/** Creates the databases and migrates their schema to the server's version. Can be repeated. */
export async function setUpSchema(postgres: Place, account: DatabaseAccount): Promise<void> {
  const command = await buildProgram(schemaTool);
  for (const arguments_ of schemaRuns) {
    const { code, lastWords } = await runProgram(
      { command, arguments: [...arguments_], stopSignal: 'SIGTERM', stopWithinMilliseconds: 5_000 },
      { environment: { ...process.env, ...schemaToolEnvironment(postgres, account) } },
    );
    if (code !== 0) throw new Failure(`Temporal's schema tool failed at ${arguments_.join(' ')}: ${lastWords}`);
  }
}

/** Chooses free ports, once for all starts of a server. */
export async function chooseServerPorts(): Promise<ServerPorts> {
  const names = [
    ...services.flatMap((service) => [`${service}_GRPC_PORT`, `${service}_MEMBERSHIP_PORT`]),
    'FRONTEND_HTTP_PORT',
  ];
  const ports = new Set<number>();
  while (ports.size < names.length) ports.add(await freePort());
  return Object.fromEntries([...ports].map((port, index) => [names[index]!, String(port)])) as ServerPorts;
}

/** Starts the server on loopback and waits until it serves and has the namespace. */
export async function startTemporalCluster(options: TemporalClusterOptions): Promise<Child> {
  const { folder, ports } = options;
  const pidFile = join(folder, 'temporal.pid');
  const logFile = join(folder, 'temporal.log');
  mkdirSync(folder, { recursive: true });
  await endLeftover(pidFile);
  const command = await buildProgram(serverProgram);
  const environment = { ...process.env, ...serverEnvironment(options) };
  const child = startProgram(
    {
      command,
      arguments: ['--allow-no-auth', 'start'],
      workingDirectory: folder,
      pidFile,
      stopSignal: 'SIGTERM',
      stopWithinMilliseconds: 15_000,
    },
    { logFile, environment },
  );
  const address = `127.0.0.1:${ports.FRONTEND_GRPC_PORT}`;
  await untilReady({
    name: 'The Temporal server',
    child,
    logFile,
    probe: () => ensureNamespace(address),
    withinMilliseconds: 120_000,
  });
  return child;
}

export function serverEnvironment({
  postgres,
  account,
  ports,
  settings = deployedSettings,
}: TemporalClusterOptions): Record<string, string> {
  return {
    ...temporalServerEnvironment(postgres, account),
    BIND_ON_IP: '127.0.0.1',
    DYNAMIC_CONFIG_FILE_PATH: settings,
    ...ports,
  };
}

/** Registers the namespace of the host if it is missing. */
async function ensureNamespace(address: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: '1s' });
  try {
    const { namespaces } = await connection.workflowService.listNamespaces({ pageSize: 100 });
    if (namespaces?.some(({ namespaceInfo }) => namespaceInfo?.name === temporalNamespace)) return;
    await connection.workflowService.registerNamespace({
      namespace: temporalNamespace,
      workflowExecutionRetentionPeriod: { seconds: retentionSeconds as never },
    });
    // A namespace that the server has registered takes time to reach all of its services.
    throw new Error(`namespace ${temporalNamespace} has just been registered`);
  } finally {
    await connection.close();
  }
}
