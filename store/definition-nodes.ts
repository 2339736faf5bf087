/** How the running instances of one version are spread over its nodes. */
import { rows, type Queryable } from './database.js';

export interface NodeCounts {
  nodeID: string;
  /** Running instances that stand there; one that stands there more than once counts once. */
  activeInstances: number;
  openIncidents: number;
}

export interface DefinitionNodes {
  /** By their ids; nodes at which nothing is are left out. */
  nodes: NodeCounts[];
  /** Running instances whose place is not known (yet). */
  unplacedInstances: number;
}

export async function countByNode(database: Queryable, projectID: string, definitionID: string): Promise<DefinitionNodes> {
  const found = await rows<Omit<NodeCounts, 'nodeID'> & { nodeID: string | null }>(database, statement, [projectID, definitionID]);
  const unplaced = found.find(({ nodeID }) => nodeID === null);
  return {
    nodes: found.filter((counts): counts is NodeCounts => counts.nodeID !== null),
    unplacedInstances: unplaced?.activeInstances ?? 0,
  };
}

/** An instance whose place is not known counts at the node null. */
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
