/** Reads the step commits that the statistics lack, a bounded amount at a time. */
import { rows, type Transaction } from '../sql/database.js';
import { now } from '../steps/recorded-steps.js';
import type { FoldedState, StepToFold } from './fold-facts.js';

export interface InstanceToFold {
  workflowID: string;
  projectID: string;
  createdAt: Date;
  /** From when on its target counts: an imported instance has been running before. */
  countsFrom: Date;
  /** Number of its step commits. */
  stepCount: number;
  /** It may have waited for a place before its first step, or come from elsewhere: it counts as started when it was created. */
  startsOnAcceptance: boolean;
  /** The version that it started with. */
  definitionID: string;
  /** Number of those that are folded. */
  steps: number;
  state: FoldedState;
}

/** Stored sizes; facts compress to a fraction of their JSON. */
const BYTES_AT_ONCE = 4 * 1024 * 1024;
const STEPS_OF_INSTANCE_AT_ONCE = 500;

/** Those of the instances that have steps to fold, or are queued and not counted. Instances of tests are not counted. */
export async function instancesToFold(
  transaction: Transaction,
  workflowIDs: readonly string[],
): Promise<InstanceToFold[]> {
  const found = await rows<Omit<InstanceToFold, 'state'> & { state: FoldedState | null }>(
    transaction,
    `SELECT i.workflow_id AS "workflowID", i.project_id AS "projectID", i.created_at AS "createdAt", i.step_count AS "stepCount",
       i.concurrency_group IS NOT NULL OR i.imported_at IS NOT NULL AS "startsOnAcceptance",
       coalesce(i.imported_at, i.created_at) AS "countsFrom",
       coalesce(f.steps, 0) AS steps, f.state, coalesce(i.started_definition_id, i.definition_id) AS "definitionID"
     FROM unnest($1::text[]) AS g(id) JOIN instances i ON i.workflow_id = g.id LEFT JOIN folded_instances f ON f.workflow_id = i.workflow_id
     WHERE (i.step_count > coalesce(f.steps, 0) OR (i.queued AND f.workflow_id IS NULL)) AND strpos(i.project_id, '~') = 0`,
    [workflowIDs],
  );
  return found.map(({ state, ...instance }) => ({
    ...instance,
    state: state ?? { definitionID: instance.definitionID, startedAt: 0, open: {} },
  }));
}

/** Those of the instances that have no next step, although they have not folded all. */
export async function withoutNextStep(
  transaction: Transaction,
  instances: readonly InstanceToFold[],
): Promise<InstanceToFold[]> {
  if (instances.length === 0) return [];
  const found = await rows<{ workflowID: string }>(
    transaction,
    `SELECT id AS "workflowID" FROM unnest($1::text[], $2::integer[]) AS g(id, folded)
     WHERE NOT EXISTS (SELECT FROM steps s WHERE s.workflow_id = g.id AND s.number > g.folded)`,
    [instances.map(({ workflowID }) => workflowID), instances.map(({ steps }) => steps)],
  );
  const without = new Set(found.map(({ workflowID }) => workflowID));
  return instances.filter(({ workflowID }) => without.has(workflowID));
}

/** Their next steps, in order within each instance. */
export async function nextSteps(
  transaction: Transaction,
  instances: readonly InstanceToFold[],
): Promise<(StepToFold & { workflowID: string })[]> {
  return rows(
    transaction,
    `SELECT workflow_id AS "workflowID", number, ${now} AS now, facts FROM (
       SELECT s.*, sum(bytes) OVER (ORDER BY s.workflow_id, s.number) - bytes AS bytes_before
       FROM unnest($1::text[], $2::integer[]) AS g(id, folded) CROSS JOIN LATERAL (
         SELECT workflow_id, number, inputs, facts, pg_column_size(facts) AS bytes FROM steps
         WHERE workflow_id = g.id AND number > g.folded ORDER BY number LIMIT ${STEPS_OF_INSTANCE_AT_ONCE}
       ) s
     ) AS next WHERE bytes_before < ${BYTES_AT_ONCE} ORDER BY workflow_id, number`,
    [instances.map(({ workflowID }) => workflowID), instances.map(({ steps }) => steps)],
  );
}
