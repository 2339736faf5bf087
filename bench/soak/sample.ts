/** The figures of one minute of a soak. */
import { loadavg } from 'node:os';
import type { Client as TemporalClient } from '@temporalio/client';
import type { Pool } from 'pg';
import type { Topology } from '../../dev/topology/start.js';
import { databases } from '../../dev/topology/plan.js';
import { quantile, rounded } from '../statistics.js';
import type { Seen } from './load.js';
import { readMetrics, type ProcessMemory } from './memory.js';
import type { Shape } from './models.js';

/** Milliseconds; NaN where nothing was measured. */
export interface Latency {
  p50: number;
  p99: number;
}

export interface TableSize {
  /** With its indexes and what is stored next to it. */
  bytes: number;
  liveRows: number;
  deadRows: number;
}

export interface Sample {
  /** Since the load began. */
  minute: number;
  loadAverage: number;
  offered: number;
  ended: number;
  running: number;
  errors: string[];
  /** From when it should have begun to its answer. */
  start: Latency;
  read: Latency;
  /** From when it should have been started to its end, by its own time. */
  end: { [shape in Shape]: Latency };
  processes: Record<string, ProcessMemory>;
  tables: Record<string, TableSize>;
  /** Of the oldest that had not reached Temporal. */
  outboxAgeSeconds: number;
  /** Of the run of the instance that goes round. */
  history: { events: number; bytes: number };
  /** Temporal keeps ended workflows for days, so this grows by design. */
  temporalBytes: number;
}

/** The sources of a minute's sample, in addition to results of callers and usage of processes. */
export interface Sources {
  store: Pool;
  temporal: TemporalClient;
  topology: Topology;
}

/** @param since epoch milliseconds: instances that ended from there on count */
export async function takeSample(
  { store, temporal, topology }: Sources,
  {
    minute,
    since,
    seen,
    processes,
    loop,
  }: { minute: number; since: number; seen: Seen; processes: Sample['processes']; loop: string | undefined },
): Promise<Sample> {
  const [ended, running, tables, temporalBytes, outboxAgeSeconds, history] = await Promise.all([
    endLatencies(store, since),
    countOf(store, "SELECT count(*)::integer AS count FROM instances WHERE status = 'RUNNING'"),
    tableSizes(store),
    countOf(store, `SELECT pg_database_size('${databases.temporal}')::float8 AS count`),
    oldestOutboxRow(topology),
    historyOfLoop(temporal, loop),
  ]);
  return {
    minute: rounded(minute),
    loadAverage: rounded(loadavg()[0]!),
    offered: seen.offered,
    ended: ended.count,
    running,
    errors: seen.errors,
    start: latencyOf(seen.startMs),
    read: latencyOf(seen.readMs),
    end: ended.byShape,
    processes,
    tables,
    outboxAgeSeconds,
    history,
    temporalBytes,
  };
}

function latencyOf(milliseconds: readonly number[]): Latency {
  return { p50: rounded(quantile(milliseconds, 0.5)), p99: rounded(quantile(milliseconds, 0.99)) };
}

const processIDs: Record<Shape, string> = { job: 'w2', message: 'w6', timer: 'soakTimer' };

async function endLatencies(store: Pool, since: number): Promise<{ count: number; byShape: Sample['end'] }> {
  const { rows } = await store.query<{ process: string; latencies: number[] }>(
    `SELECT d.process_id AS process, array_agg(extract(epoch FROM i.completed_at)::float8 * 1000 - (i.variables ->> 'scheduledAt')::float8) AS latencies
     FROM instances i JOIN definitions d ON d.id = i.definition_id
     WHERE i.completed_at >= to_timestamp($1::float8 / 1000) AND i.variables ->> 'scheduledAt' IS NOT NULL GROUP BY 1`,
    [since],
  );
  const latencies = (shape: Shape) =>
    latencyOf(rows.find(({ process }) => process === processIDs[shape])?.latencies ?? []);
  return {
    count: rows.reduce((sum, { latencies: { length } }) => sum + length, 0),
    byShape: { job: latencies('job'), message: latencies('message'), timer: latencies('timer') },
  };
}

async function countOf(store: Pool, statement: string): Promise<number> {
  return (await store.query<{ count: number }>(statement)).rows[0]!.count;
}

async function tableSizes(store: Pool): Promise<Record<string, TableSize>> {
  const { rows } = await store.query<TableSize & { name: string }>(
    `SELECT relname AS name, pg_total_relation_size(relid)::float8 AS bytes, n_live_tup::float8 AS "liveRows", n_dead_tup::float8 AS "deadRows"
     FROM pg_stat_user_tables WHERE schemaname = 'public' ORDER BY relname`,
  );
  return Object.fromEntries(rows.map(({ name, ...size }) => [name, size]));
}

async function oldestOutboxRow({ workers }: Topology): Promise<number> {
  const values = await readMetrics(workers[0]!.metrics);
  return values('perdure_outbox_age_seconds');
}

async function historyOfLoop(temporal: TemporalClient, loop: string | undefined): Promise<Sample['history']> {
  if (loop === undefined) return { events: 0, bytes: 0 };
  const { historyLength, historySize = 0 } = await temporal.workflow.getHandle(loop).describe();
  return { events: historyLength, bytes: historySize };
}
