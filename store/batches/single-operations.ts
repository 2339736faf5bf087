/** The single operations of batches, with their own checks and refusals, in the transaction of the item. */
import { cancelInstanceIn } from '../instances/cancellation.js';
import { submitCommand, type Request, type Submitted } from '../instances/submit-command.js';
import { resolvePlan } from '../migration/plan.js';
import { eraseInstanceIn } from '../retention/erase.js';
import { firstRow, type Transaction } from '../sql/database.js';
import { refusalByInstance, type Refusal } from '../sql/refusal.js';
import { resumeInstanceIn, suspendInstanceIn } from '../suspension/suspension.js';
import { resolveIncident } from '../work/incidents.js';
import type { BatchInput, BatchOperation } from './batches.js';

export interface SingleRequest extends Request {
  actor: string;
  incident: number | null;
  input: BatchInput;
  sourceDefinitionID: string | null;
}

/**
 * `submitted`: the instance decides. `changed` and `unchanged`: the requested state is in effect, now or before.
 * `invalid`: the input does not fit this target.
 */
export type SingleResult =
  | Submitted
  | { kind: 'changed' }
  | { kind: 'unchanged' }
  | { kind: 'invalid'; message: string }
  | Refusal<'NOT_FOUND' | 'CONFLICT' | 'INSTANCE_ENDED'>;

type SingleOperation = (transaction: Transaction, request: SingleRequest) => Promise<SingleResult>;

export const singleOperations: Record<BatchOperation, SingleOperation> = {
  CANCEL: cancelInstanceIn,
  SUSPEND: suspendInstanceIn,
  RESUME: resumeInstanceIn,
  RESOLVE: (transaction, { incident, input, ...request }) =>
    resolveIncident(transaction, { ...request, number: incident!, variables: input.variables }),
  SET_VARIABLES: (transaction, { input, ...request }) =>
    submitCommand(transaction, { ...request, body: { kind: 'SET_VARIABLES', variables: input.variables! } }),
  MODIFY: (transaction, { input, ...request }) =>
    submitCommand(transaction, { ...request, body: { kind: 'MODIFY', instructions: input.instructions! } }),
  MIGRATE: migrateInstance,
  DELETE: eraseInstanceIn,
  FIRE_TIMERS: (transaction, { input, ...request }) =>
    submitCommand(transaction, { ...request, body: { kind: 'FIRE_TIMERS', node: input.nodeID! } }),
};

async function migrateInstance(
  transaction: Transaction,
  { input, sourceDefinitionID, ...request }: SingleRequest,
): Promise<SingleResult> {
  const { workflowID, projectID } = request;
  const instance = await firstRow<{ definitionID: string; processID: string; status: string; canceling: boolean }>(
    transaction,
    `SELECT i.definition_id AS "definitionID", d.process_id AS "processID", i.status, i.canceling
     FROM instances i JOIN definitions d ON d.id = i.definition_id WHERE i.workflow_id = $1 AND i.project_id = $2 FOR UPDATE OF i`,
    [workflowID, projectID],
  );
  const refusal = refusalByInstance(workflowID, instance);
  if (refusal) return refusal;
  const { definitionID, processID } = instance!;
  const migration = await resolvePlan(transaction, { projectID, definitionID, processID }, input.migration!);
  if ('issue' in migration)
    return migration.isTarget ? { kind: 'unchanged' } : { kind: 'invalid', message: migration.issue };
  if (sourceDefinitionID !== null && definitionID !== sourceDefinitionID)
    return { kind: 'invalid', message: `Instance ${workflowID} does not run the version to migrate from` };
  return submitCommand(transaction, { ...request, body: { kind: 'MIGRATE', ...migration } });
}
