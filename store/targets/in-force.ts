/** The targets of processes with the times at which they were in force. */
import { rows, type Queryable } from '../sql/database.js';

export interface TargetInForce {
  processID: string;
  /** An empty id stands for the instance as a whole. */
  nodeID: string;
  /** Epoch milliseconds. */
  since: number;
  /** Infinity for a present target. */
  until: number;
  durationMs: number;
}

/**
 * Targets of these processes that apply to what began at some time since then: the present ones, and former ones that ended
 * later. A process can have a thousand former ones.
 * @param since epoch milliseconds
 */
export async function targetsInForce(
  database: Queryable,
  projectID: string,
  processIDs: readonly string[],
  since: number,
): Promise<TargetInForce[]> {
  const milliseconds = (column: string) => `extract(epoch FROM ${column})::float8 * 1000`;
  return rows<TargetInForce>(
    database,
    `SELECT process_id AS "processID", node_id AS "nodeID", ${milliseconds('since')} AS since,
       coalesce(${milliseconds('until')}, 'Infinity') AS until, duration_ms::float8 AS "durationMs"
     FROM targets WHERE project_id = $1 AND process_id = ANY ($2::text[])
       AND (until IS NULL OR until > to_timestamp($3::float8 / 1000))`,
    [projectID, processIDs, since],
  );
}

/** The target of what began at that time. */
export function targetAt(
  targets: readonly TargetInForce[],
  nodeID: string,
  beganAt: number,
): TargetInForce | undefined {
  return targets.find((target) => target.nodeID === nodeID && target.since <= beganAt && beganAt < target.until);
}
