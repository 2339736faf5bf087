/** Which version of a decision a business rule task means. Nothing outside of the instance's own project is ever found. */
import { firstRow, type Queryable } from './database.js';

/** As call activities bind processes. */
export type DecisionBinding = { kind: 'latest' } | { kind: 'deployment' } | { kind: 'versionTag'; versionTag: string };

export interface CalledDecision {
  definitionID: string;
  version: number;
}

/**
 * The definition that has the decision: the newest one; the newest one at the time when the instance's process was deployed; or the newest
 * one with the tag. Undefined when there is none, or no such instance.
 */
export async function findCalledDecision(
  database: Queryable, { workflowID, decisionID, binding }: { workflowID: string; decisionID: string; binding: DecisionBinding },
): Promise<CalledDecision | undefined> {
  return firstRow<CalledDecision>(
    database,
    `SELECT d.id AS "definitionID", d.version
     FROM instances i
     JOIN decisions e ON e.project_id = i.project_id AND e.decision_id = $2
     JOIN decision_definitions d ON d.id = e.definition_id
     WHERE i.workflow_id = $1
       AND ($3 <> 'versionTag' OR e.version_tag = $4)
       AND ($3 <> 'deployment' OR d.created_at <= (SELECT p.created_at FROM definitions p WHERE p.id = i.definition_id))
     ORDER BY d.number DESC LIMIT 1`,
    [workflowID, decisionID, binding.kind, binding.kind === 'versionTag' ? binding.versionTag : null],
  );
}
