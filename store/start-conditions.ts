/** Definitions that a condition may start. */
import type { Graph } from '../engine/graph.js';
import { rows, type Queryable } from './database.js';

export interface ConditionalDefinition {
  definitionID: string;
  graph: Graph;
}

/**
 * The newest version of every process that watches conditions, by process; or the version asked for, whatever it watches.
 * A graph is stored as its JSON text, so one without a condition is passed over without being read.
 */
export async function conditionalDefinitions(database: Queryable, projectID: string, definitionID: string | undefined): Promise<ConditionalDefinition[]> {
  const found = await rows<{ definitionID: string; graph: string }>(
    database,
    `SELECT d.id AS "definitionID", g.graph FROM definitions d JOIN graphs g ON g.sha256 = d.graph_sha256
     WHERE d.project_id = $1 AND CASE WHEN $2::uuid IS NOT NULL THEN d.id = $2
       ELSE strpos(g.graph, '"conditional"') > 0
         AND d.version = (SELECT max(version) FROM definitions n WHERE n.project_id = d.project_id AND n.process_id = d.process_id) END
     ORDER BY d.process_id`,
    [projectID, definitionID ?? null],
  );
  return found.map(({ definitionID: id, graph }) => ({ definitionID: id, graph: JSON.parse(graph) as Graph }));
}
