/** Statistics of past days, as the fold would have written them, for tests that cannot wait for days. */
import { Client } from 'pg';
import { Sketch } from '../../../store/statistics/sketch.js';
import { DAY, floorTo, HOUR } from '../../../store/statistics/range.js';

export interface PastNode {
  /** An empty id stands for the instance as a whole. */
  nodeID: string;
  /** How many of those that start an instance get there, from 0 to 1. */
  share: number;
  medianMs: number;
  failedShare?: number;
  /** Of a job or user task: the part of the duration that it waits, from 0 to 1. */
  waitingShare?: number;
}

export interface Past {
  processID: string;
  version: number;
  days: number;
  /** Started instances on a working day; fewer on the weekend. */
  perDay: number;
  nodes: readonly PastNode[];
}

/** Durations around a median, with a long tail, the same in every run. */
const spread = [0.4, 0.6, 0.7, 0.8, 0.9, 1, 1, 1.1, 1.2, 1.3, 1.5, 1.8, 2.2, 3.1];

export async function insertPastStatistics(databaseUrl: string, past: Past): Promise<void> {
  const today = floorTo(DAY, Date.now());
  const rows: unknown[][] = [];
  for (let day = past.days; day > 0; day -= 1)
    for (const node of past.nodes) {
      const time = today - day * DAY;
      rows.push(...sumsOf(past, node, startedOn(past, day), { number: day, day: time, hour: time + 9 * HOUR }));
    }
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // Thousands of rows in one statement, one array per column.
    await client.query(
      `INSERT INTO statistics (project_id, process_id, node_id, unit, time, version, started, completed, failed, incidents, durations, waiting, working)
       SELECT 'demo', process_id, node_id, unit, to_timestamp(time / 1000), version, started, completed, failed, failed, durations, waiting, working
       FROM unnest($1::text[], $2::text[], $3::text[], $4::float8[], $5::int[], $6::int[], $7::int[], $8::int[], $9::bytea[], $10::bytea[], $11::bytea[])
         AS t (process_id, node_id, unit, time, version, started, completed, failed, durations, waiting, working)`,
      rows[0]!.map((_, column) => rows.map((row) => row[column])),
    );
  } finally {
    await client.end();
  }
}

/** Sums of one process by the hour, as a day has them: many around noon, few at night. */
export interface PastHours {
  processID: string;
  /** How many hours ago the first and the last hour are. */
  from: number;
  to: number;
  /** Started instances at noon. */
  atNoon: number;
  medianMs: number;
  /** The share of instances that raise an incident. */
  incidentShare: number;
}

export async function insertPastHours(databaseUrl: string, past: PastHours): Promise<void> {
  const now = floorTo(HOUR, Date.now());
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (let ago = past.from; ago >= past.to; ago -= 1) {
      const wave = 0.5 - 0.45 * Math.cos((ago * Math.PI) / 12);
      const started = Math.round(past.atNoon * wave);
      const lengths = spread.map((factor) => factor * past.medianMs * (1 + wave));
      await client.query(
        `INSERT INTO statistics (project_id, process_id, node_id, unit, time, version, started, completed, failed, incidents, durations)
         VALUES ('demo', $1, '', 'hour', to_timestamp($2::float8 / 1000), 1, $3, $4, $5, $6, $7)`,
        [
          past.processID,
          now - ago * HOUR,
          started,
          Math.round(started * 0.9),
          Math.round(started * 0.02),
          Math.round(started * past.incidentShare * (1 + Math.sin(ago))),
          sketchOf(lengths),
        ],
      );
    }
  } finally {
    await client.end();
  }
}

/** @param day counted back from today, so that the numbers are the same on every date */
function startedOn({ perDay }: Past, day: number): number {
  const wave = 1 + 0.3 * Math.sin(day);
  return Math.round(perDay * wave * (day % 7 < 2 ? 0.25 : 1));
}

/** The columns of a day and of an hour, in the order of the statement. */
function sumsOf(
  { processID, version }: Past,
  { nodeID, share, medianMs, failedShare = 0, waitingShare }: PastNode,
  instances: number,
  times: { number: number; day: number; hour: number },
): unknown[][] {
  const started = Math.round(instances * share);
  const failed = Math.round(started * failedShare);
  const lengths = spread.map((factor) => factor * medianMs * (1 + 0.2 * Math.cos(times.number)));
  const partOf = (part: number | undefined) =>
    part === undefined ? null : sketchOf(lengths.map((length) => length * part));
  const counts = [version, started, started - failed, failed];
  const sketches = [
    sketchOf(lengths),
    partOf(waitingShare),
    partOf(waitingShare === undefined ? undefined : 1 - waitingShare),
  ];
  return (['day', 'hour'] as const).map((unit) => [processID, nodeID, unit, times[unit], ...counts, ...sketches]);
}

function sketchOf(lengths: readonly number[]): Buffer {
  const sketch = new Sketch();
  for (const length of lengths) sketch.add(length);
  return sketch.encode();
}
