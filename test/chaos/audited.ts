/** R23: the audit log has each change that was acknowledged to a caller, with its actor and its outcome. */
import type { TimelineKind } from '../../store/instances/timeline.js';
import type { Action } from './operators/operator.js';
import type { TimelineOptions } from './timelines.js';
import type { Violations } from './violations.js';
import type { Database } from '../../store/sql/database.js';

/** The operation that each kind of entry in a timeline comes from. */
const operations: { readonly [K in TimelineKind]?: string } = {
  RESOLVE_INCIDENT: 'ResolveBpmnIncident',
  MODIFY: 'ModifyBpmnInstance',
  MIGRATE: 'MigrateBpmnInstance',
  CANCEL_INSTANCE: 'CancelBpmnInstance',
  SET_VARIABLES: 'UpdateBpmnInstanceVariables',
  SUSPEND: 'SuspendBpmnInstance',
  RESUME: 'ResumeBpmnInstance',
};

export async function checkAudited(
  store: Database,
  actions: readonly Action[],
  { actor, violations }: Pick<TimelineOptions, 'actor' | 'violations'>,
): Promise<void> {
  for (const { workflowID, kind, reason, least, sent } of actions) {
    const { rows } = await store.query<{ actor: string; outcome: string }>(
      `SELECT actor, outcome FROM audit_entries
       WHERE workflow_id = $1 AND operation = $2 AND details ->> 'reason' IS NOT DISTINCT FROM $3`,
      [workflowID, operations[kind], reason],
    );
    const isRight =
      rows.length >= least &&
      rows.length <= sent &&
      rows.every((entry) => entry.actor === actor && entry.outcome !== 'PENDING');
    violations.check(
      'R23',
      isRight,
      () =>
        `${kind} "${reason}" of ${workflowID} is to be in the audit log ${least} to ${sent} times: ${JSON.stringify(rows)}`,
    );
  }
}

/** However often a start was sent, the instance has one entry, by the caller that started it. */
export async function checkStartsAudited(
  store: Database,
  projectID: string,
  businessIDs: readonly string[],
  violations: Violations,
): Promise<void> {
  const { rows } = await store.query<{ businessID: string; actors: (string | null)[] }>(
    `SELECT i.business_id AS "businessID", array_agg(a.actor) AS actors
     FROM instances i LEFT JOIN audit_entries a ON a.workflow_id = i.workflow_id AND a.operation = 'StartBpmnInstance'
     WHERE i.project_id = $1 AND i.business_id = ANY($2::text[]) AND i.parent_workflow_id IS NULL
     GROUP BY i.workflow_id HAVING array_agg(a.actor) IS DISTINCT FROM ARRAY[i.started_by]`,
    [projectID, businessIDs],
  );
  for (const { businessID, actors } of rows)
    violations.add('R23', `the audit log names as those who started ${businessID}: ${JSON.stringify(actors)}`);
}
