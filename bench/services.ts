/**
 * The services that the measured processes need, all on this machine: Temporal's development server, a real Postgres, the
 * development issuer. Everything is stopped and deleted at the end.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startIssuer } from '../dev/issuer-process.js';
import { freePort } from '../dev/ports.js';
import { createDatabaseIfMissing, startPostgres } from '../dev/postgres/cluster.js';
import { pidIfRunning } from '../dev/process-identity.mjs';
import { nodeFlags } from '../dev/processes/node-flags.js';
import { compiledScript } from '../dev/repository.js';
import { findTemporalExecutable } from '../dev/temporal/executable.js';
import { startTemporalServer } from '../dev/temporal/server.js';
import { Client } from './client.js';
import type { Servers } from './round.js';

export interface Services {
  folder: string;
  temporalAddress: string;
  /** Where Temporal keeps everything. */
  temporalDatabaseFile: string;
  servers: Servers;
  /** URL of a database, which is created if it does not exist. */
  databaseUrl(name: string): Promise<string>;
  startHost(options: HostOptions): Promise<HostProcess>;
  /** Calls the API with the rights of an editor. */
  /** @param account of the issuer, whose role it has (default: editor) */
  clientOf(api: string, account?: 'editor' | 'admin'): Promise<Client>;
  /** Stops the hosts first. */
  stop(): Promise<void>;
}

export interface HostOptions {
  /** Hosts of the same name share a database and a task queue. */
  name: string;
  workflowBundle: string;
  /** All of them unless given. */
  roles?: 'api' | 'worker';
  /** The compiled `bench/subject.ts` that runs it (default: of this build). */
  script?: string;
  /** Settings of the host next to those that all hosts of a benchmark have. */
  settings?: Record<string, string>;
}

export interface HostProcess {
  /** Base URL; undefined without the role `api`. */
  api: string | undefined;
  processID: number;
}

/** @param postgresSettings in addition to those of development */
export async function openServices(postgresSettings: Record<string, string> = {}): Promise<Services> {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-bench-'));
  // Postgres runs under another account when we are root.
  chmodSync(folder, 0o755);
  const servers = await startServers(folder, postgresSettings);
  const { postgres, temporal, issuer } = servers;
  const hosts: ChildProcess[] = [];
  const stop = async () => {
    await Promise.all(hosts.map(stopProcess));
    await Promise.all([temporal.child.stop(), issuer.child.stop(), postgres.child.stop()]);
    rmSync(folder, { recursive: true, force: true });
  };
  // A million instances are gigabytes that would be forgotten in the folder of temporary files.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stop().finally(() => process.exit(1)));
  const databaseUrl = async (name: string) => {
    await createDatabaseIfMissing(postgres, name);
    return postgres.databaseUrl(name);
  };
  return {
    folder,
    temporalAddress: temporal.address,
    temporalDatabaseFile: temporalDatabaseIn(folder),
    servers: {
      postgres: processIDIn(join(folder, 'postgres.pid')),
      temporal: processIDIn(join(folder, 'temporal.pid')),
    },
    databaseUrl,
    async startHost(options) {
      const child = await forkHost(servers, await databaseUrl(`bench_${options.name}`), options);
      hosts.push(child);
      return { api: await untilServing(child, options.name), processID: child.pid! };
    },
    async clientOf(api, account = 'editor') {
      return new Client({ api, token: await accessToken(issuer.tokenEndpoint, account) });
    },
    stop,
  };
}

function temporalDatabaseIn(folder: string): string {
  return join(folder, 'temporal.db');
}

async function startServers(folder: string, postgresSettings: Record<string, string>) {
  const password = randomBytes(9).toString('hex');
  const postgres = await startPostgres({
    dataFolder: join(folder, 'postgres'),
    folder,
    port: await freePort(),
    password,
    settings: postgresSettings,
  });
  const temporal = await startTemporalServer({
    executable: await findTemporalExecutable(),
    port: await freePort(),
    databaseFile: temporalDatabaseIn(folder),
    folder,
  });
  const issuer = await startIssuer({
    port: await freePort(),
    dataFolder: join(folder, 'issuer'),
    folder,
    audience: 'perdure',
    administrationSecret: password,
  });
  return { postgres, temporal, issuer };
}

async function forkHost(
  { temporal, issuer }: Awaited<ReturnType<typeof startServers>>,
  databaseUrl: string,
  { name, workflowBundle, roles, script = compiledScript('bench/subject.js'), settings }: HostOptions,
): Promise<ChildProcess> {
  return fork(script, {
    execArgv: nodeFlags,
    env: {
      ...process.env,
      TZ: 'UTC',
      LC_ALL: 'C.UTF-8',
      LOG_LEVEL: 'error',
      PORT: String(await freePort()),
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_TASK_QUEUE: `bench-${name}`,
      DATABASE_URL: databaseUrl,
      OIDC_ISSUER: issuer.issuer,
      // Postgres shares the cores with everything else. Each further connection plans all statements again.
      DATABASE_CONNECTIONS: '8',
      RATE_LIMIT_PER_SECOND: '100000',
      RATE_LIMIT_BURST: '100000',
      MAX_CONNECTIONS_PER_ADDRESS: '4096',
      BENCH_WORKFLOW_BUNDLE: workflowBundle,
      ...(roles && { PERDURE_ROLES: roles }),
      ...settings,
    },
  });
}

function processIDIn(pidFile: string): number {
  const processID = pidIfRunning(readFileSync(pidFile, 'utf8'));
  if (processID === undefined) throw new Error(`${pidFile} names no process that runs`);
  return processID;
}

function untilServing(child: ChildProcess, name: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve((message as { api?: string }).api));
    child.once('exit', (code) =>
      reject(new Error(`The ${name} ended with exit code ${code} before it served; the log above has the reason`)),
    );
  });
}

function stopProcess(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

async function accessToken(tokenEndpoint: string, account: string): Promise<string> {
  const response = await fetch(tokenEndpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: account,
      client_secret: `dev-${account}`,
      scope: 'openid profile',
    }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}
