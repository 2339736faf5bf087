/** All that takes part in payments on Temporal: processes that can be killed, one by one, Temporal too. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NativeConnection } from '@temporalio/worker';
import { freePort } from '../../../dev/ports.js';
import { compiledScript } from '../../../dev/repository.js';
import { findTemporalExecutable } from '../../../dev/temporal/executable.js';
import { startTemporalServer } from '../../../dev/temporal/server.js';
import { createEndpoint } from '../../connectors/support/nexus.js';
import type { Command, PaymentWorker } from '../../examples/support/payment-workers.js';
import { createDatabase, issuerUrl } from '../../support/infrastructure.js';
import { keepRunning, type KeptRunning } from './kept-running.js';

export interface PaymentsWorld {
  readonly api: string;
  readonly databaseUrl: string;
  /** The server keeps its address over every death. */
  readonly temporal: string;
  readonly endpoint: string;
  /** The file to which activities write. */
  readonly payments: string;
  /** By name, what ends a process at once. Each is there again soon. */
  readonly deaths: ReadonlyMap<string, () => Promise<void>>;
  close(): Promise<void>;
}

const endpoint = 'shop-processes';

export async function startPaymentsWorld(workers: readonly PaymentWorker[]): Promise<PaymentsWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'payments-world-'));
  const database = await createDatabase();
  const temporal = await startMortalTemporal(folder);
  await serveAt(temporal.address);
  const payments = join(folder, 'payments.log');
  const port = await freePort();
  const ofHosts = {
    HOST: '127.0.0.1',
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_TASK_QUEUE: 'payments-world',
    OIDC_ISSUER: await issuerUrl(),
    DATABASE_URL: database.url,
    LOG_LEVEL: 'error',
    NEXUS_ALLOW: JSON.stringify({ [endpoint]: 'demo' }),
    TEMPORAL_TASKS_ALLOW: JSON.stringify({ demo: { taskQueues: workers.map(({ taskQueue }) => taskQueue) } }),
  };
  const running = new Map<string, KeptRunning>();
  const keep = (name: string, command: Command, environment: NodeJS.ProcessEnv) =>
    running.set(
      name,
      keepRunning({ command, environment }, (output) => process.stdout.write(`${name} ended: ${output}\n`)),
    );
  for (const [role, own] of [
    ['api', { PORT: String(port) }],
    ['worker', { METRICS_PORT: String(await freePort()) }],
    ['connectors', { METRICS_PORT: String(await freePort()) }],
  ] as const)
    keep(role, [process.execPath, compiledScript('host/main.js')], { ...ofHosts, PERDURE_ROLES: role, ...own });
  const ofWorkers = { TEMPORAL_ADDRESS: temporal.address, PAYMENTS_FILE: payments };
  for (const { language, build } of workers) keep(`worker in ${language}`, await build(), ofWorkers);

  return {
    api: `http://127.0.0.1:${port}`,
    databaseUrl: database.url,
    temporal: temporal.address,
    endpoint,
    payments,
    deaths: new Map([['Temporal', temporal.die], ...[...running].map(([name, { kill }]) => [name, kill] as const)]),
    async close() {
      await Promise.all([...running.values()].map((kept) => kept.stop()));
      await temporal.stop();
      await database.drop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A server that keeps its data in a file. */
async function startMortalTemporal(folder: string) {
  const options = {
    executable: await findTemporalExecutable(),
    port: await freePort(),
    folder,
    databaseFile: join(folder, 'temporal.db'),
  };
  let server = await startTemporalServer(options);
  return {
    address: server.address,
    async die() {
      server.child.kill();
      await server.child.ended;
      server = await startTemporalServer(options);
    },
    stop: () => server.child.stop(),
  };
}

async function serveAt(address: string): Promise<void> {
  const connection = await NativeConnection.connect({ address });
  await createEndpoint(connection, endpoint, `perdure-nexus-${endpoint}`);
  await connection.close();
}
