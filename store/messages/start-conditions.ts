/** Definitions that a condition may start. */
import type { Graph } from '@perdure/engine/model/graph.js';
import { rows, type Queryable } from '../sql/database.js';

export interface ConditionalDefinition {
  definitionID: string;
  processID: string;
  graph: Graph;
}

/**
 * The newest version of every process with conditional start events, by process; or the requested version in any case.
 * A graph is stored as its JSON text, so one without a condition is skipped without being read.
 * @param after last process id of the previous page; empty for the first page
 */
export async function conditionalDefinitions(
  database: Queryable,
  {
    projectID,
    definitionID,
    after,
    limit,
  }: { projectID: string; definitionID: string | undefined; after: string; limit: number },
): Promise<ConditionalDefinition[]> {
  const found = await rows<{ definitionID: string; processID: string; graph: string }>(
    database,
    `SELECT d.id AS "definitionID", d.process_id AS "processID", g.graph FROM definitions d JOIN graphs g ON g.sha256 = d.graph_sha256
     WHERE d.project_id = $1 AND d.process_id > $3 AND CASE WHEN $2::uuid IS NOT NULL THEN d.id = $2
       ELSE strpos(g.graph, '"conditional"') > 0
         AND d.version = (SELECT max(version) FROM definitions n WHERE n.project_id = d.project_id AND n.process_id = d.process_id) END
     ORDER BY d.process_id LIMIT $4`,
    [projectID, definitionID ?? null, after, limit],
  );
  return found.map(({ graph, ...definition }) => ({ ...definition, graph: JSON.parse(graph) as Graph }));
}
