/** What a benchmark stands on: its own Postgres, Temporal server and issuer, as durable as those of `npm start`. */
import { randomBytes } from 'node:crypto';
import { fork, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startIssuer } from '../scripts/issuer.js';
import { freePort } from '../scripts/ports.js';
import { createDatabaseIfMissing, startPostgres } from '../scripts/postgres/cluster.js';
import { compiledScript } from '../scripts/repository.js';
import { findTemporalExecutable } from '../scripts/temporal/executable.js';
import { startTemporalServer } from '../scripts/temporal/server.js';
import { bundleWorkflows } from '../scripts/workflow-bundle.js';
import { Client } from './client.js';
import type { Subject } from './round.js';

export interface Stack {
  temporalAddress: string;
  /** The product as it is. */
  host: Subject;
  /** The same host around workflows written by hand. */
  twin: Subject;
  stop(): Promise<void>;
}

interface Services {
  temporalAddress: string;
  issuer: string;
  tokenEndpoint: string;
  databaseUrl(name: string): Promise<string>;
  stop(): Promise<void>;
}

export async function openStack(): Promise<Stack> {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-bench-'));
  // Postgres runs under another account when we are root.
  chmodSync(folder, 0o755);
  const services = await startServices(folder);
  const twinBundle = join(folder, 'twin-bundle.js');
  await bundleWorkflows(compiledScript('bench/twin/index.js'), twinBundle);
  const host = await startSubject('host', compiledScript('workflow-bundle.js'), services);
  const twin = await startSubject('twin', twinBundle, services);
  return {
    temporalAddress: services.temporalAddress,
    host: host.subject,
    twin: twin.subject,
    async stop() {
      await Promise.all([host.stop(), twin.stop()]);
      await services.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startServices(folder: string): Promise<Services> {
  const password = randomBytes(9).toString('hex');
  const postgres = await startPostgres({ dataFolder: join(folder, 'postgres'), folder, port: await freePort(), password });
  const temporal = await startTemporalServer({
    executable: await findTemporalExecutable(),
    port: await freePort(),
    databaseFile: join(folder, 'temporal.db'),
    folder,
  });
  const issuer = await startIssuer({
    port: await freePort(),
    dataFolder: join(folder, 'issuer'),
    folder,
    audience: 'perdure',
    administrationSecret: password,
  });
  return {
    temporalAddress: temporal.address,
    issuer: issuer.issuer,
    tokenEndpoint: issuer.tokenEndpoint,
    async databaseUrl(name) {
      await createDatabaseIfMissing(postgres, name);
      return postgres.databaseUrl(name);
    },
    async stop() {
      await Promise.all([temporal.child.stop(), issuer.child.stop(), postgres.child.stop()]);
    },
  };
}

async function startSubject(name: string, bundle: string, services: Services): Promise<{ subject: Subject; stop(): Promise<void> }> {
  const child = fork(compiledScript('bench/subject.js'), {
    env: {
      ...process.env,
      TZ: 'UTC',
      LC_ALL: 'C.UTF-8',
      LOG_LEVEL: 'error',
      PORT: String(await freePort()),
      TEMPORAL_ADDRESS: services.temporalAddress,
      TEMPORAL_TASK_QUEUE: `bench-${name}`,
      DATABASE_URL: await services.databaseUrl(`bench_${name}`),
      OIDC_ISSUER: services.issuer,
      RATE_LIMIT_PER_SECOND: '100000',
      RATE_LIMIT_BURST: '100000',
      BENCH_WORKFLOW_BUNDLE: bundle,
    },
  });
  const api = await untilServing(child, name);
  return {
    subject: { client: new Client({ api, token: await accessToken(services.tokenEndpoint) }), processID: child.pid! },
    stop: () => stopProcess(child),
  };
}

function untilServing(child: ChildProcess, name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve((message as { api: string }).api));
    child.once('exit', (code) => reject(new Error(`The ${name} ended with exit code ${code} before it served; why stands above`)));
  });
}

function stopProcess(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

async function accessToken(tokenEndpoint: string): Promise<string> {
  const response = await fetch(tokenEndpoint, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'editor', client_secret: 'dev-editor', scope: 'openid profile' }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}
