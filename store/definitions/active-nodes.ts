/** Distribution of the running instances of one version over its nodes. */
import { rows, type Queryable } from '../sql/database.js';

export interface NodeCounts {
  nodeID: string;
  /** Running instances active there; one with several tokens there counts once. */
  activeInstances: number;
  openIncidents: number;
}

export interface DefinitionNodes {
  /** By node id; nodes without instances are omitted. */
  nodes: NodeCounts[];
  /** Running instances whose active nodes are not known yet, because they have not started. */
  unplacedInstances: number;
}

export async function countByNode(
  database: Queryable,
  projectID: string,
  definitionID: string,
): Promise<DefinitionNodes> {
  const found = await rows<Omit<NodeCounts, 'nodeID'> & { nodeID: string | null }>(database, statement, [
    projectID,
    definitionID,
  ]);
  const unplaced = found.find(({ nodeID }) => nodeID === null);
  return {
    nodes: found.filter((counts): counts is NodeCounts => counts.nodeID !== null),
    unplacedInstances: unplaced?.activeInstances ?? 0,
  };
}

/** An instance that has not started counts at the node null. */
const statement = `
  WITH active AS (
    SELECT node_id, count(*)::float8 AS instances
    FROM instances i LEFT JOIN LATERAL unnest(i.active_nodes) AS node_id ON true
    WHERE i.project_id = $1 AND i.definition_id = $2 AND i.status = 'RUNNING' GROUP BY node_id
  ), failed AS (
    SELECT node_id, count(*)::float8 AS incidents FROM incidents
    WHERE project_id = $1 AND definition_id = $2 AND status = 'OPEN' GROUP BY node_id
  )
  SELECT coalesce(a.node_id, f.node_id) AS "nodeID", coalesce(instances, 0) AS "activeInstances", coalesce(incidents, 0) AS "openIncidents"
  FROM active a FULL JOIN failed f ON f.node_id = a.node_id ORDER BY 1`;
