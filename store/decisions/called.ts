/** Resolves the decision version that a business rule task calls, within the instance's own project only. */
import { ordinaryProject } from '../projects/tests.js';
import { firstRow, type Queryable } from '../sql/database.js';

/** With the same bindings as call activities. */
export type DecisionBinding = { kind: 'latest' } | { kind: 'deployment' } | { kind: 'versionTag'; versionTag: string };

export interface CalledDecision {
  definitionID: string;
  version: number;
}

/**
 * The definition that contains the decision: the newest; that of the process's bundle, or without one the newest when the
 * process was deployed; or the newest with the tag. Undefined if none exists, or the instance does not exist.
 */
export async function findCalledDecision(
  database: Queryable,
  { workflowID, decisionID, binding }: { workflowID: string; decisionID: string; binding: DecisionBinding },
): Promise<CalledDecision | undefined> {
  return firstRow<CalledDecision>(
    database,
    `SELECT d.id AS "definitionID", d.version
     FROM instances i
     JOIN decisions e ON e.project_id = ${ordinaryProject('i.project_id')} AND e.decision_id = $2
     JOIN decision_definitions d ON d.id = e.definition_id
     WHERE i.workflow_id = $1
       AND ($3 <> 'versionTag' OR e.version_tag = $4)
       AND ($3 <> 'deployment' OR (SELECT CASE WHEN p.deployment_id IS NULL THEN d.created_at <= p.created_at
         ELSE EXISTS (SELECT 1 FROM deployment_items b
           WHERE b.deployment_id = p.deployment_id AND b.kind = 'DECISION' AND b.key = $2 AND b.id = d.id) END
         FROM definitions p WHERE p.id = i.definition_id))
     ORDER BY d.number DESC LIMIT 1`,
    [workflowID, decisionID, binding.kind, binding.kind === 'versionTag' ? binding.versionTag : null],
  );
}
