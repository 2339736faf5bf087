/**
 * `npm run soak`: the production topology as processes under a load of a fixed rate, with a short retention, for
 * `PERDURE_SOAK_MINUTES` (60) at `PERDURE_SOAK_RATE` instances a second (5). Each minute it prints what it sees, and at the
 * end whether anything grows; `PERDURE_SOAK_REPORT` names a file for all of it as JSON. It ends with exit code 1 when
 * something grew or failed. Ctrl-C ends it early and judges what there is.
 *
 * With `PERDURE_SOAK_NEIGHBOR_MINUTES`, a project that asks for what hurts (`neighbor.ts`) joins after the other minutes, for
 * so long. Then the latencies next to it are compared with those before, and it ends with exit code 1 if a p99 more than
 * doubled. `PERDURE_SOAK_CALLER_LIMIT` replaces `RATE_LIMIT_PER_SECOND`, which a machine of this size cannot serve.
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
import { startNeighbor, type Neighbor } from './neighbor-process.js';
import { compareWithNeighbor } from './neighbor-verdict.js';
import { header, line, table } from './print.js';
import { takeSample, type Sample, type Sources } from './sample.js';
import { judge } from './verdict.js';

const MAX_WARM_UP_MINUTES = 10;
/** Instances are removed from the third minute on, so that tables come to rest within the warm-up. */
const RETENTION = '2m';
const MINUTE_MS = 60_000;

const minutes = positive('PERDURE_SOAK_MINUTES', 60);
const perSecond = positive('PERDURE_SOAK_RATE', 5);
const neighborMinutes = positive('PERDURE_SOAK_NEIGHBOR_MINUTES', 0);
const warmUpMinutes = Math.min(MAX_WARM_UP_MINUTES, minutes / 3);
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
    AUDIT_RETENTION_MINIMUM: RETENTION,
    ...limits(),
    MAX_CONNECTIONS_PER_ADDRESS: '4096',
  },
});

/** A neighbor has the limits that the product has, or those that an operator of a machine of this size would set. */
function limits(): Record<string, string> {
  const sized = process.env['PERDURE_SOAK_CALLER_LIMIT'];
  if (sized !== undefined) return { RATE_LIMIT_PER_SECOND: sized, RATE_LIMIT_BURST: String(2 * Number(sized)) };
  return neighborMinutes === 0 ? { RATE_LIMIT_PER_SECOND: '10000', RATE_LIMIT_BURST: '10000' } : {};
}

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
  let neighbor: Neighbor | undefined;
  try {
    await sampleEachMinute(sources, load, memory, minutes);
    if (neighborMinutes === 0) return;
    neighbor = startNeighbor(parts);
    await sampleEachMinute(sources, load, memory, neighborMinutes);
  } finally {
    await neighbor?.stop();
    memory.stop();
    await load.stop();
    await connection.close();
    await store.end();
  }
}

async function sampleEachMinute(
  sources: Sources,
  load: Load,
  memory: MemoryWatch,
  duringMinutes: number,
): Promise<void> {
  const begin = Date.now();
  const minutesBefore = samples.at(-1)?.minute ?? 0;
  process.stdout.write(
    `${machine}; ${perSecond} instances a second for ${duringMinutes} minutes, warm-up ${warmUpMinutes.toFixed(1)}; logs in ${folder}\n${header()}\n`,
  );
  for (let since = begin; Date.now() - begin < duringMinutes * MINUTE_MS && !ending.signal.aborted;) {
    await pause(since + MINUTE_MS - Date.now(), undefined, { signal: ending.signal }).catch(() => undefined);
    const now = Date.now();
    const sample = await takeSample(sources, {
      minute: minutesBefore + (now - begin) / MINUTE_MS,
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
  const { trends, problems } =
    neighborMinutes === 0
      ? judge(samples, warmUpMinutes)
      : compareWithNeighbor(
          samples.filter(({ minute }) => minute > warmUpMinutes),
          minutes,
        );
  if (failure !== undefined) problems.push(failure);
  const file = process.env['PERDURE_SOAK_REPORT'];
  if (file)
    writeFileSync(
      file,
      `${JSON.stringify({ machine, minutes, perSecond, retention: RETENTION, warmUpMinutes, trends, problems, samples }, null, 2)}\n`,
    );
  process.stdout.write(`\n${table(trends)}\n\n`);
  if (problems.length === 0) {
    process.stdout.write(neighborMinutes === 0 ? 'Flat: nothing grew and nothing failed.\n' : 'Within limits.\n');
    rmSync(folder, { recursive: true, force: true });
  } else {
    process.stdout.write(
      `${neighborMinutes === 0 ? 'Not flat' : 'Next to the neighbor'}:\n${problems.map((problem) => `- ${problem}`).join('\n')}\nLogs are kept in ${folder}.\n`,
    );
    process.exitCode = 1;
  }
}

function positive(name: string, otherwise: number): number {
  const value = Number(process.env[name] || otherwise);
  if (Number.isFinite(value) && (value > 0 || value === otherwise)) return value;
  throw new Error(`${name} must be a number above 0, but is ${JSON.stringify(process.env[name])}.`);
}
