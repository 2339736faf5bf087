/** Definitions that a condition may start. */
import { rows, type Queryable } from '../sql/database.js';

export interface ConditionalDefinition {
  definitionID: string;
  processID: string;
  /** As JSON text. */
  graph: string;
}

const MAX_DEFINITIONS = 50;
/** Of graphs, above which a page ends. */
const MAX_CHARACTERS = 2_000_000;

/**
 * The newest version of every process with conditional start events, by process; or the requested version in any case.
 * A graph is stored as its JSON text, so one without a condition is skipped without being read.
 * @param after last process id of the previous page; empty for the first page
 * @returns a page; empty after the last one
 */
export async function conditionalDefinitions(
  database: Queryable,
  { projectID, definitionID, after }: { projectID: string; definitionID: string | undefined; after: string },
): Promise<ConditionalDefinition[]> {
  return rows<ConditionalDefinition>(
    database,
    `SELECT id AS "definitionID", process_id AS "processID", graph FROM (
       SELECT *, sum(length(graph)) OVER (ORDER BY process_id) - length(graph) AS characters_before FROM (
         SELECT d.id, d.process_id, g.graph FROM definitions d JOIN graphs g ON g.sha256 = d.graph_sha256
         WHERE d.project_id = $1 AND d.process_id > $3 AND CASE WHEN $2::uuid IS NOT NULL THEN d.id = $2
           ELSE strpos(g.graph, '"conditional"') > 0
             AND d.version = (SELECT max(version) FROM definitions n WHERE n.project_id = d.project_id AND n.process_id = d.process_id) END
         ORDER BY d.process_id LIMIT ${MAX_DEFINITIONS}
       ) AS page
     ) AS next WHERE characters_before < ${MAX_CHARACTERS} ORDER BY process_id`,
    [projectID, definitionID ?? null, after],
  );
}
