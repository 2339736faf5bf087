/**
 * The services that tests need: a real Postgres, Temporal server, issuer, and Keycloak, each started when the first
 * test needs it. Test processes request them over loopback HTTP, because each runs in a separate process.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { errorMessage } from '@perdure/lib/error-message.js';
import { startIssuer } from '../../dev/issuer-process.js';
import { prepareKeycloak } from '../../dev/keycloak/distribution.js';
import { startKeycloak } from '../../dev/keycloak/server.js';
import { freePort } from '../../dev/ports.js';
import { startPostgres } from '../../dev/postgres/cluster.js';
import type { Child } from '../../dev/processes/child.js';
import { findTemporalExecutable } from '../../dev/temporal/executable.js';
import { startTemporalServer } from '../../dev/temporal/server.js';
import { makeFolderInMemory } from './in-memory.js';

/** The details that each part returns to its users. */
export interface StackParts {
  postgres: { maintenanceUrl: string };
  temporal: { address: string };
  issuer: { issuer: string; tokenEndpoint: string; administrationSecret: string };
  /** The operator is a client of the realm `master` with every right. */
  keycloak: { issuer: string; tokenEndpoint: string; administrationUrl: string; operatorSecret: string };
}

export interface Stack {
  /** `GET <url>/<part>` starts the part if necessary and returns its details as JSON. */
  url: string;
  stop(): Promise<void>;
}

interface Started<Part extends keyof StackParts> {
  told: StackParts[Part];
  child: Child;
}

type Starters = { [Part in keyof StackParts]: (folder: string) => Promise<Started<Part>> };

/** The data does not outlive the run, so nothing waits for the disk; a killed process still loses no data. */
const carelessOfPowerCuts = {
  fsync: 'off',
  // Tests find the statements that wait by words in their texts.
  track_activity_query_size: '16384',
  full_page_writes: 'off',
  max_connections: '400',
  // A quarter of what the files of the stack may take.
  max_wal_size: '512MB',
};

const starters: Starters = {
  async postgres(folder) {
    const options = {
      dataFolder: join(folder, 'postgres'),
      folder,
      port: await freePort(),
      password: randomBytes(9).toString('hex'),
    };
    const postgres = await startPostgres({ ...options, settings: carelessOfPowerCuts });
    return { told: { maintenanceUrl: postgres.databaseUrl('postgres') }, child: postgres.child };
  },
  async temporal(folder) {
    const server = await startTemporalServer({
      executable: await findTemporalExecutable(),
      port: await freePort(),
      folder,
    });
    return { told: { address: server.address }, child: server.child };
  },
  async issuer(folder) {
    const administrationSecret = randomBytes(9).toString('hex');
    const options = {
      port: await freePort(),
      dataFolder: join(folder, 'issuer'),
      folder,
      audience: 'perdure',
      administrationSecret,
    };
    const { issuer, tokenEndpoint, child } = await startIssuer(options);
    return { told: { issuer, tokenEndpoint, administrationSecret }, child };
  },
  async keycloak(folder) {
    const operatorSecret = randomBytes(9).toString('hex');
    const { child, ...told } = await startKeycloak({
      distribution: await prepareKeycloak(),
      port: await freePort(),
      folder,
      operatorSecret,
    });
    return { told: { ...told, operatorSecret }, child };
  },
};

/**
 * Opens the server from which tests request the parts.
 * @param folder for its files; removed at its end
 */
export async function openStack(folder = makeFolderInMemory(2)): Promise<Stack> {
  const started = new Map<string, Promise<Started<keyof StackParts>>>();
  const server = createServer((request, response) => {
    const name = request.url?.slice(1) ?? '';
    if (!isPart(name)) return void response.writeHead(404).end();
    if (!started.has(name)) started.set(name, starters[name](folder));
    void started.get(name)?.then(
      ({ told }) => response.end(JSON.stringify(told)),
      (error: unknown) => response.writeHead(500).end(errorMessage(error)),
    );
  });
  // A client that is short of CPU time would send its next request while the server closes the idle connection.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => stopAll(server, started, folder),
  };
}

/** The stack that is kept running by `npm run test:stack`, else one that ends with the run, also when it is interrupted. */
export async function stackOfRun(folder?: string): Promise<Stack> {
  const running = process.env['PERDURE_TEST_STACK'];
  if (running) return { url: running, stop: async () => undefined };
  const stack = await openStack(folder);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stack.stop().finally(() => process.exit(1)));
  return stack;
}

function isPart(name: string): name is keyof StackParts {
  return Object.hasOwn(starters, name);
}

async function stopAll(
  server: Server,
  started: Map<string, Promise<Started<keyof StackParts>>>,
  folder: string,
): Promise<void> {
  server.close();
  server.closeAllConnections();
  const parts = await Promise.allSettled(started.values());
  await Promise.all(parts.map(async (part) => part.status === 'fulfilled' && (await part.value.child.stop())));
  rmSync(folder, { recursive: true, force: true });
}
