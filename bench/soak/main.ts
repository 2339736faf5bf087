/**
 * `npm run soak`: the production topology as processes under a load of a fixed rate, with a short retention, for
 * `PERDURE_SOAK_MINUTES` (60) at `PERDURE_SOAK_RATE` instances a second (5). Each minute it prints what it sees, and at the
 * end whether anything grows; `PERDURE_SOAK_REPORT` names a file for all of it as JSON. It ends with exit code 1 when
 * something grew or failed. Ctrl-C ends it early and judges what there is.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client as TemporalClient, Connection } from '@temporalio/client';
import pg from 'pg';
import { accessTokens, createClient } from '@perdure/client';
import { buildTemporalCluster } from '../../dev/topology/temporal-cluster.js';
import { startTopology, type Topology } from '../../dev/topology/start.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import { Load } from './load.js';
import { MemoryWatch } from './memory.js';
import { header, line, table } from './print.js';
import { takeSample, type Sample, type Sources } from './sample.js';
import { judge } from './verdict.js';

const LONGEST_WARM_UP_MINUTES = 10;
/** Instances are removed from the third minute on, so that tables come to rest within the warm-up. */
const RETENTION = '2m';
const MINUTE_MS = 60_000;

const minutes = positive('PERDURE_SOAK_MINUTES', 60);
const perSecond = positive('PERDURE_SOAK_RATE', 5);
const warmUpMinutes = Math.min(LONGEST_WARM_UP_MINUTES, minutes / 3);
const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown CPU'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;

const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());

const folder = mkdtempSync(join(tmpdir(), 'perdure-soak-'));
await buildTemporalCluster();
const topology = await startTopology({
  folder,
  postgresPassword: 'soak',
  provider: 'development',
  environment: {
    LOG_LEVEL: 'warn',
    HISTORY_RETENTION: RETENTION,
    AUDIT_RETENTION: RETENTION,
    RATE_LIMIT_PER_SECOND: '10000',
    RATE_LIMIT_BURST: '10000',
    MAX_CONNECTIONS_PER_ADDRESS: '4096',
  },
});
const samples: Sample[] = [];
const failure = await soak(topology).catch(
  (error: unknown) => `The soak ended before its time: ${errorMessage(error)}`,
);
await topology.stop();
report();

async function soak(parts: Topology): Promise<void> {
  const store = new pg.Pool({ connectionString: parts.postgres.url, max: 4 });
  const connection = await Connection.connect({ address: parts.temporal.address });
  const accessToken = accessTokens({
    tokenEndpoint: parts.issuer.tokenEndpoint,
    clientID: 'editor',
    clientSecret: 'dev-editor',
  });
  const load = await Load.begin({
    clients: parts.apis.map(({ url }) => createClient({ api: url, accessToken })),
    perSecond,
  });
  const memory = new MemoryWatch(
    [...parts.apis, ...parts.workers].map(({ metrics, part }) => ({ name: part.name, metrics })),
  );
  const sources: Sources = {
    store,
    topology: parts,
    temporal: new TemporalClient({ connection, namespace: parts.temporal.namespace }),
  };
  try {
    await sampleEachMinute(sources, load, memory);
  } finally {
    memory.stop();
    await load.stop();
    await connection.close();
    await store.end();
  }
}

async function sampleEachMinute(sources: Sources, load: Load, memory: MemoryWatch): Promise<void> {
  const begin = Date.now();
  process.stdout.write(
    `${machine}; ${perSecond} instances a second for ${minutes} minutes, of which ${warmUpMinutes.toFixed(1)} are warm-up; logs in ${folder}\n${header()}\n`,
  );
  for (let since = begin; Date.now() - begin < minutes * MINUTE_MS && !ending.signal.aborted;) {
    await pause(since + MINUTE_MS - Date.now(), undefined, { signal: ending.signal }).catch(() => undefined);
    const now = Date.now();
    const sample = await takeSample(sources, {
      minute: (now - begin) / MINUTE_MS,
      since,
      seen: load.take(),
      processes: await memory.take(),
      loop: load.loop,
    });
    samples.push(sample);
    process.stdout.write(`${line(sample)}\n`);
    since = now;
  }
}

function report(): void {
  const { trends, problems } = judge(samples, warmUpMinutes);
  if (failure !== undefined) problems.push(failure);
  const file = process.env['PERDURE_SOAK_REPORT'];
  if (file)
    writeFileSync(
      file,
      `${JSON.stringify({ machine, minutes, perSecond, retention: RETENTION, warmUpMinutes, trends, problems, samples }, null, 2)}\n`,
    );
  process.stdout.write(`\n${table(trends)}\n\n`);
  if (problems.length === 0) {
    process.stdout.write('Flat: nothing grew and nothing failed.\n');
    rmSync(folder, { recursive: true, force: true });
  } else {
    process.stdout.write(
      `Not flat:\n${problems.map((problem) => `- ${problem}`).join('\n')}\nLogs are kept in ${folder}.\n`,
    );
    process.exitCode = 1;
  }
}

function positive(name: string, otherwise: number): number {
  const value = Number(process.env[name] || otherwise);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`${name} must be a number above 0, but is ${JSON.stringify(process.env[name])}.`);
}
