/** The versions of decisions that a backtest evaluates. They are only read: a version stays unused until an instance uses it. */
import { firstRow, type Queryable } from '../sql/database.js';
import type { UsedModel } from '../decisions/change-definitions.js';
import type { CalledDecision, DecisionBinding } from '../decisions/called.js';
import type { BacktestedVersion } from './backtests.js';

export type BacktestedDecision = CalledDecision & UsedModel;

const columns = `d.id AS "definitionID", d.version, d.model, d.xml, d.imported`;

/** The version that the binding means, as of the acceptance of the backtest; undefined if there was none. */
export async function findBoundDecision(
  database: Queryable,
  { backtestID }: BacktestedVersion,
  { decisionID, binding }: { decisionID: string; binding: DecisionBinding },
): Promise<BacktestedDecision | undefined> {
  return firstRow<BacktestedDecision>(
    database,
    `SELECT ${columns} FROM backtests t JOIN decisions e ON e.project_id = t.project_id JOIN decision_definitions d ON d.id = e.definition_id
     WHERE t.id = $1 AND e.decision_id = $2 AND d.created_at <= t.created_at
       AND ($3 <> 'versionTag' OR e.version_tag = $4)
       AND ($3 <> 'deployment' OR CASE WHEN t.deployment_id IS NULL THEN d.created_at <= t.deployed_at
         ELSE EXISTS (SELECT FROM deployment_items b
           WHERE b.deployment_id = t.deployment_id AND b.kind = 'DECISION' AND b.key = $2 AND b.id = d.id) END)
     ORDER BY d.number DESC LIMIT 1`,
    [backtestID, decisionID, binding.kind, binding.kind === 'versionTag' ? binding.versionTag : null],
  );
}

/** The version that an instance has used; undefined if it was deleted. */
export async function findUsedDecision(
  database: Queryable,
  projectID: string,
  definitionID: string,
): Promise<BacktestedDecision | undefined> {
  return firstRow<BacktestedDecision>(
    database,
    `SELECT ${columns} FROM decision_definitions d WHERE d.project_id = $1 AND d.id = $2`,
    [projectID, definitionID],
  );
}
