/**
 * The items of a batch: beginning them, and recording their outcomes. Everything here may run twice, also
 * concurrently: the rows record what has been done.
 */
import { tryFoldTree } from '../retention/erase.js';
import { writeEntry, type ActorType, type AuditDraft } from '../audit/entries.js';
import { firstRow, rows, type Database, type Transaction } from '../sql/database.js';
import { derivedUUID } from '../sql/ids.js';
import { isPermanent, refusalReason } from '../sql/permanence.js';
import { earlierWritesEnded } from '../suspension/earlier-writes.js';
import type { BatchInput, BatchOperation, ItemStatus } from './batches.js';
import { singleOperations, type SingleResult } from './single-operations.js';

/** A batch in the turn of a runner. */
export interface BatchTurn {
  batchID: string;
  lease: string;
  projectID: string;
  operation: BatchOperation;
  input: BatchInput;
  sourceDefinitionID: string | null;
  reason: string | null;
  createdBy: string;
}

/** The operation that an item is, in the audit log. */
const OPERATION_IDS: Readonly<Record<BatchOperation, string>> = {
  CANCEL: 'CancelBpmnInstance',
  RESOLVE: 'ResolveBpmnIncident',
  SET_VARIABLES: 'UpdateBpmnInstanceVariables',
  MIGRATE: 'MigrateBpmnInstance',
  MODIFY: 'ModifyBpmnInstance',
  SUSPEND: 'SuspendBpmnInstance',
  RESUME: 'ResumeBpmnInstance',
  DELETE: 'EraseBpmnInstance',
  FIRE_TIMERS: 'FireBpmnInstanceTimer',
};

/** The id of the command of an item: always the same, so that it cannot be given twice. */
export function commandIDOf(batchID: string, position: number): string {
  return derivedUUID('batch', batchID, position);
}

interface Outcome {
  status: ItemStatus;
  code?: string;
  message?: string;
}

/** Begins an item that is ready. */
export async function beginItem(database: Database, batch: BatchTurn, position: number): Promise<void> {
  await rejecting(database, batch, position, () => beginOne(database, batch, position));
}

/**
 * Whether an item can begin now. An erasure waits for its share of the statistics, in a later turn: one process folds at a
 * time, for all projects.
 * @param until as in `performance.now()`
 */
export async function isReady(database: Database, batch: BatchTurn, position: number, until: number): Promise<boolean> {
  if (batch.operation !== 'DELETE') return true;
  return (await rejecting(database, batch, position, () => tryFoldTreeOf(database, batch, position, until))) ?? false;
}

/**
 * An item whose operation the database refuses for good is rejected: it must not be tried without end, and the other items
 * must not wait for it.
 * @returns undefined if it was rejected
 */
async function rejecting<Result>(
  database: Database,
  batch: BatchTurn,
  position: number,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isPermanent(error)) throw error;
    await database.query(
      `UPDATE batch_items SET begun_at = now(), processed_at = now(), status = 'REJECTED', code = 'CONFLICT', message = $3::text
       WHERE batch_id = $1 AND position = $2 AND status = 'PENDING' AND begun_at IS NULL`,
      [batch.batchID, position, `The database cannot store the operation: ${refusalReason(error)}`],
    );
    return undefined;
  }
}

interface Item {
  workflowID: string;
  incident: number | null;
  actorType: ActorType | null;
  definitionID: string | null;
}

/** Carries out the single operation, unless the item is begun already, the batch is not running, or the turn is lost. */
async function beginOne(database: Database, batch: BatchTurn, position: number): Promise<void> {
  const { batchID, lease, projectID, operation, input, sourceDefinitionID, reason, createdBy } = batch;
  await database.transaction(async (transaction) => {
    const item = await firstRow<Item>(
      transaction,
      `SELECT i.workflow_id AS "workflowID", i.incident,
         (SELECT actor_type FROM audit_entries a WHERE a.batch_id = b.id::text ORDER BY a.id LIMIT 1) AS "actorType",
         (SELECT definition_id::text FROM instances WHERE workflow_id = i.workflow_id) AS "definitionID"
       FROM batches b JOIN batch_items i ON i.batch_id = b.id
       WHERE b.id = $1 AND b.lease = $2 AND b.status = 'RUNNING' AND i.position = $3 AND i.status = 'PENDING' AND i.begun_at IS NULL
       FOR SHARE OF b FOR UPDATE OF i`,
      [batchID, lease, position],
    );
    if (!item) return;
    const { actorType, definitionID, ...target } = item;
    const audit: AuditDraft = {
      actor: createdBy,
      actorType: actorType ?? 'PERSON',
      via: 'BATCH',
      operation: OPERATION_IDS[operation],
      workflowID: target.workflowID,
      // An erasure removes the row before the entry is written.
      ...(definitionID !== null && { definitionID }),
      batchID,
      ...(reason !== null && { reason }),
    };
    const result = await singleOperations[operation](transaction, {
      ...target,
      audit,
      projectID,
      input,
      sourceDefinitionID,
      actor: createdBy,
      reason: reason ?? undefined,
      awaited: false,
    });
    // A command has its entry with it.
    if (result.kind === 'changed') await writeEntry(transaction, projectID, audit);
    await recordBegun(transaction, batch, position, result);
  });
}

/** Before the transaction of the item, which would otherwise hold the lock of the fold until its end. */
async function tryFoldTreeOf(
  database: Database,
  { batchID, projectID }: BatchTurn,
  position: number,
  until: number,
): Promise<boolean> {
  const item = await firstRow<{ workflowID: string }>(
    database,
    'SELECT workflow_id AS "workflowID" FROM batch_items WHERE batch_id = $1 AND position = $2',
    [batchID, position],
  );
  return item === undefined || tryFoldTree(database, { projectID, workflowID: item.workflowID }, until);
}

async function recordBegun(
  transaction: Transaction,
  { batchID, operation }: BatchTurn,
  position: number,
  result: SingleResult,
): Promise<void> {
  if (result.kind === 'submitted') {
    const { workflowID, command } = result;
    // The outbox relay delivers it: no request waits for its outcome.
    await transaction.query('UPDATE commands SET id = $3, deliver_at = now() WHERE workflow_id = $1 AND number = $2', [
      workflowID,
      command.number,
      commandIDOf(batchID, position),
    ]);
    await markBegun(transaction, batchID, position, command.number);
  } else if (result.kind === 'changed' && operation === 'SUSPEND') {
    // In effect once all earlier transactions have ended; see `settleSuspended`.
    await markBegun(transaction, batchID, position, null);
  } else {
    const { status, code, message } = outcomeOf(operation, result);
    await transaction.query(
      `UPDATE batch_items SET begun_at = now(), processed_at = now(), status = $3, code = $4::text, message = $5::text
       WHERE batch_id = $1 AND position = $2`,
      [batchID, position, status, code ?? null, message ?? null],
    );
  }
}

async function markBegun(
  transaction: Transaction,
  batchID: string,
  position: number,
  commandNumber: number | null,
): Promise<void> {
  await transaction.query(
    'UPDATE batch_items SET begun_at = now(), command_number = $3 WHERE batch_id = $1 AND position = $2',
    [batchID, position, commandNumber],
  );
}

function outcomeOf(operation: BatchOperation, result: Exclude<SingleResult, { kind: 'submitted' }>): Outcome {
  if (result.kind === 'changed') return { status: 'APPLIED' };
  if (result.kind === 'unchanged') return { status: 'SKIPPED' };
  if (result.kind === 'invalid') return { status: 'REJECTED', code: 'BAD_REQUEST', message: result.message };
  const { code, message } = result;
  const isNothingToDo = code !== 'CONFLICT' || operation === 'RESOLVE';
  return { status: isNothingToDo ? 'SKIPPED' : 'REJECTED', code, message };
}

/**
 * Records the outcomes of commands that have arrived. A missing command was deleted with its instance. An activity that
 * failed again in the step that retried it has an incident raised at the time at which the resolved one ended: all
 * facts of a step have the same time.
 * @returns how many
 */
export async function settleCommands(database: Database, { batchID }: BatchTurn): Promise<number> {
  const settled = await rows(
    database,
    `WITH answered AS (
       SELECT i.position, c.number, c.status = 'APPLIED' AS applied, c.code, c.message, c.issues, again.number AS again
       FROM batch_items i LEFT JOIN commands c ON c.workflow_id = i.workflow_id AND c.number = i.command_number
       LEFT JOIN LATERAL (
         SELECT n.number FROM incidents n JOIN incidents resolved ON resolved.workflow_id = i.workflow_id AND resolved.number = i.incident
         WHERE i.incident IS NOT NULL AND n.workflow_id = i.workflow_id AND n.number > i.incident AND n.previous = i.incident
           AND n.raised_at = resolved.ended_at LIMIT 1
       ) again ON c.status = 'APPLIED'
       WHERE i.batch_id = $1 AND i.status = 'PENDING' AND i.command_number IS NOT NULL AND c.status IS DISTINCT FROM 'PENDING'
     )
     UPDATE batch_items i SET processed_at = now(), incident = coalesce(a.again, i.incident),
       status = CASE WHEN a.again IS NOT NULL THEN 'FAILED_AGAIN' WHEN a.applied THEN 'APPLIED'
         WHEN a.number IS NULL OR a.code IN ('NOT_FOUND', 'INSTANCE_ENDED') OR (i.incident IS NOT NULL AND a.code = 'CONFLICT') THEN 'SKIPPED' ELSE 'REJECTED' END,
       code = CASE WHEN a.number IS NULL THEN 'NOT_FOUND' WHEN NOT a.applied THEN a.code END,
       message = CASE WHEN a.number IS NULL THEN 'Instance ' || i.workflow_id || ' was removed in the meantime' ELSE a.message END,
       issues = a.issues
     FROM answered a WHERE i.batch_id = $1 AND i.position = a.position AND i.status = 'PENDING' RETURNING 1`,
    [batchID],
  );
  return settled.length;
}

/** Waits until the suspensions of this batch are in effect. @returns how many */
export async function settleSuspended(database: Database, { batchID, operation }: BatchTurn): Promise<number> {
  if (operation !== 'SUSPEND') return 0;
  const begun = await rows<{ position: number }>(
    database,
    "SELECT position FROM batch_items WHERE batch_id = $1 AND status = 'PENDING' AND begun_at IS NOT NULL",
    [batchID],
  );
  if (begun.length === 0) return 0;
  await earlierWritesEnded(database);
  await database.query(
    "UPDATE batch_items SET status = 'APPLIED', processed_at = now() WHERE batch_id = $1 AND position = ANY($2::integer[]) AND status = 'PENDING'",
    [batchID, begun.map(({ position }) => position)],
  );
  return begun.length;
}
