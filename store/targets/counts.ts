/** How many instances and activations met their targets. */
import { rows, type Transaction, type Queryable } from '../sql/database.js';

export interface TargetCount {
  /** An empty id stands for the instance as a whole. */
  nodeID: string;
  durationMs: number;
  met: number;
  missed: number;
}

export interface TargetCountQuery {
  projectID: string;
  processID: string;
  version?: number | undefined;
  range: { since: number; until: number };
}

/** Of the present targets, and of former ones with counts in the range. */
export async function readTargetCounts(
  database: Queryable,
  { projectID, processID, version, range }: TargetCountQuery,
): Promise<TargetCount[]> {
  return rows<TargetCount>(
    database,
    `SELECT node_id AS "nodeID", duration_ms::float8 AS "durationMs", sum(met)::float8 AS met, sum(missed)::float8 AS missed FROM (
       SELECT node_id, duration_ms, met, missed FROM target_counts
       WHERE project_id = $1 AND process_id = $2 AND hour >= to_timestamp($3::float8 / 1000) AND hour < to_timestamp($4::float8 / 1000)
         AND ($5::integer IS NULL OR version = $5)
       UNION ALL SELECT node_id, duration_ms, 0, 0 FROM targets WHERE project_id = $1 AND process_id = $2 AND until IS NULL
     ) AS counted GROUP BY 1, 2 ORDER BY 1, 2`,
    [projectID, processID, range.since, range.until, version ?? null],
  );
}

export interface TargetCountChange {
  projectID: string;
  processID: string;
  version: number;
  nodeID: string;
  durationMs: number;
  /** Epoch milliseconds. */
  at: number;
  met: number;
  missed: number;
}

export async function addTargetCounts(transaction: Transaction, changes: readonly TargetCountChange[]): Promise<void> {
  await transaction.query(
    `INSERT INTO target_counts AS c (project_id, process_id, node_id, duration_ms, hour, version, met, missed)
     SELECT project, process, node, duration, date_trunc('hour', to_timestamp(at / 1000), 'UTC'), of_version, sum(met), sum(missed)
     FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::float8[], $6::integer[], $7::integer[], $8::integer[])
       AS g(project, process, node, duration, at, of_version, met, missed)
     GROUP BY 1, 2, 3, 4, 5, 6
     ON CONFLICT (project_id, process_id, hour, node_id, duration_ms, version)
     DO UPDATE SET met = c.met + excluded.met, missed = c.missed + excluded.missed`,
    [
      changes.map(({ projectID }) => projectID),
      changes.map(({ processID }) => processID),
      changes.map(({ nodeID }) => nodeID),
      changes.map(({ durationMs }) => durationMs),
      changes.map(({ at }) => at),
      changes.map(({ version }) => version),
      changes.map(({ met }) => met),
      changes.map(({ missed }) => missed),
    ],
  );
}
