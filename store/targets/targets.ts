/** Targets: how long instances of a process, or activations of a node, should take at most. */
import { firstRow, rows, type Database, type Queryable } from '../sql/database.js';
import { lockProject } from '../projects/lock.js';

export interface Target {
  /** An empty id stands for the instance as a whole. */
  nodeID: string;
  durationMs: number;
}

/** Former targets that are kept for what began under them. */
const MAX_FORMER = 1_000;

/** The present targets, that of the instance first; undefined if there is no such process. */
export async function readTargets(
  database: Queryable,
  projectID: string,
  processID: string,
): Promise<Target[] | undefined> {
  if (!(await exists(database, projectID, processID))) return undefined;
  return rows<Target>(
    database,
    `SELECT node_id AS "nodeID", duration_ms::float8 AS "durationMs" FROM targets
     WHERE project_id = $1 AND process_id = $2 AND until IS NULL ORDER BY node_id`,
    [projectID, processID],
  );
}

/**
 * Replaces the targets for everything that begins from now on. What has begun before keeps its target.
 * @returns those before; undefined if there is no such process, or if its project has been deleted
 */
export async function replaceTargets(
  database: Database,
  projectID: string,
  processID: string,
  targets: readonly Target[],
): Promise<Target[] | undefined> {
  return database.transaction(async (transaction) => {
    // One at a time, so that the later of two requests ends what the earlier one began.
    if (!(await lockProject(transaction, projectID))) return undefined;
    const before = await readTargets(transaction, projectID, processID);
    if (before === undefined) return undefined;
    const values = [
      projectID,
      processID,
      targets.map(({ nodeID }) => nodeID),
      targets.map(({ durationMs }) => durationMs),
    ];
    // The time of the statement, because the transaction may have begun before an earlier change of the targets.
    await transaction.query(
      `WITH given AS (
         SELECT * FROM unnest($3::text[], $4::bigint[]) AS g(node_id, duration_ms)
       ), present AS (
         SELECT * FROM targets WHERE project_id = $1 AND process_id = $2 AND until IS NULL
       ), ended AS (
         UPDATE targets t SET until = statement_timestamp() FROM present p
         WHERE t.project_id = $1 AND t.process_id = $2 AND t.node_id = p.node_id AND t.since = p.since
           AND NOT EXISTS (SELECT FROM given g WHERE g.node_id = p.node_id AND g.duration_ms = p.duration_ms)
       )
       INSERT INTO targets (project_id, process_id, node_id, since, duration_ms)
       SELECT $1, $2, g.node_id, statement_timestamp(), g.duration_ms FROM given g
       WHERE NOT EXISTS (SELECT FROM present p WHERE p.node_id = g.node_id AND p.duration_ms = g.duration_ms)`,
      values,
    );
    await transaction.query(
      `DELETE FROM targets t USING (
         SELECT node_id, since FROM targets WHERE project_id = $1 AND process_id = $2 AND until IS NOT NULL
         ORDER BY until DESC OFFSET ${MAX_FORMER}
       ) oldest WHERE t.project_id = $1 AND t.process_id = $2 AND t.node_id = oldest.node_id AND t.since = oldest.since`,
      [projectID, processID],
    );
    return before;
  });
}

async function exists(database: Queryable, projectID: string, processID: string): Promise<boolean> {
  const found = await firstRow(database, 'SELECT FROM definitions WHERE project_id = $1 AND process_id = $2 LIMIT 1', [
    projectID,
    processID,
  ]);
  return found !== undefined;
}
