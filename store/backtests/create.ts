/** Accepting a backtest: its version and its instances are written by one statement, and never change. */
import { instanceConditions, type InstanceFilter } from '../instances/filters.js';
import { rows, type Queryable } from '../sql/database.js';

export interface BacktestRequest {
  projectID: string;
  processID: string;
  /** The version to compare with: deployed, or a draft. */
  version: { definitionID: string } | { resourceID: string };
  /** JSON text. */
  graph: string;
  graphSha256: string;
  filter: InstanceFilter;
  /** The maximum number of instances. */
  newest: number;
  reason?: string | undefined;
  createdBy: string;
}

/** Chooses the newest root instances of the process that have ended and match, and writes the backtest with them. */
export async function createBacktest(
  database: Queryable,
  request: BacktestRequest,
): Promise<{ backtestID: string; total: number }> {
  const { projectID, processID, version, graph, graphSha256, filter, newest, reason, createdBy } = request;
  const matching = instanceConditions(projectID, { ...filter, processId: processID, root: true });
  matching.whereTrue("i.status <> 'RUNNING'");
  const { text, values } = matching;
  const at = (index: number) => `$${values.length + index}`;
  const [created] = await rows<{ backtestID: string; total: number }>(
    database,
    `WITH chosen AS MATERIALIZED (
       SELECT workflow_id, row_number() OVER () AS position FROM (
         SELECT i.workflow_id FROM instances i ${text} ORDER BY i.created_at DESC, i.number DESC LIMIT ${at(1)}::integer
       ) newest
     ), backtest AS (
       INSERT INTO backtests (project_id, process_id, definition_id, resource_id, graph, graph_sha256, deployment_id, deployed_at, reason,
         created_by, total, status, completed_at)
       SELECT ${at(2)}, ${at(3)}, ${at(4)}::uuid, ${at(5)}::uuid, CASE WHEN total > 0 THEN ${at(6)}::text END, ${at(7)}, d.deployment_id,
         coalesce(d.created_at, now()), ${at(8)}::text, ${at(9)}, total,
         CASE WHEN total > 0 THEN 'RUNNING' ELSE 'COMPLETED' END, CASE WHEN total = 0 THEN now() END
       FROM (SELECT count(*)::integer AS total FROM chosen) counted LEFT JOIN definitions d ON d.id = ${at(4)}::uuid
       RETURNING id, total
     ), written AS (
       INSERT INTO backtest_items (backtest_id, position, workflow_id)
       SELECT backtest.id, chosen.position, chosen.workflow_id FROM backtest, chosen
     )
     SELECT id AS "backtestID", total FROM backtest`,
    [
      ...values,
      newest,
      projectID,
      processID,
      'definitionID' in version ? version.definitionID : null,
      'resourceID' in version ? version.resourceID : null,
      graph,
      graphSha256,
      reason ?? null,
      createdBy,
    ],
  );
  return created!;
}

/** The version of a deployed process as a backtest keeps it. */
export interface BacktestedDefinition {
  processID: string;
  graph: string;
  graphSha256: string;
}

export async function findBacktestedDefinition(
  database: Queryable,
  projectID: string,
  definitionID: string,
): Promise<BacktestedDefinition | undefined> {
  const [found] = await rows<BacktestedDefinition>(
    database,
    `SELECT d.process_id AS "processID", g.graph, d.graph_sha256 AS "graphSha256"
     FROM definitions d JOIN graphs g ON g.sha256 = d.graph_sha256 WHERE d.project_id = $1 AND d.id = $2`,
    [projectID, definitionID],
  );
  return found;
}
