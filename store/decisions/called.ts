/** Resolves the decision version that a business rule task calls, within the instance's own project only. */
import { firstRow, type Queryable } from '../sql/database.js';

/** With the same bindings as call activities. */
export type DecisionBinding = { kind: 'latest' } | { kind: 'deployment' } | { kind: 'versionTag'; versionTag: string };

export interface CalledDecision {
  definitionID: string;
  version: number;
}

/**
 * The definition that contains the decision: the newest; the newest when the instance's process was deployed; or the
 * newest with the tag. Undefined if none exists, or the instance does not exist.
 */
export async function findCalledDecision(
  database: Queryable,
  { workflowID, decisionID, binding }: { workflowID: string; decisionID: string; binding: DecisionBinding },
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
