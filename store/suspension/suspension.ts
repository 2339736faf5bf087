/**
 * Suspending and resuming an instance or a whole definition. A suspension keeps its first actor, time and reason;
 * resuming something that is not suspended changes nothing.
 */
import type { Pool, PoolClient } from 'pg';
import { writeEntry, type AuditDraft } from '../audit/entries.js';
import { announce, outboxAnnouncement } from '../sql/announcements.js';
import { firstRow, inTransaction } from '../sql/database.js';
import { earlierWritesEnded } from './earlier-writes.js';
import { cancelWake, wakeWaiters } from '../steps/pause-waiters.js';
import { holdJobs } from '../work/held-jobs.js';
import { lockChildren } from '../instances/locks.js';
import { refusalByInstance, refused, type Refusal } from '../sql/refusal.js';

export interface SuspensionRequest {
  projectID: string;
  actor: string;
  reason?: string | undefined;
  audit?: AuditDraft | undefined;
}

/** The requested state is in effect, whether or not it was before. */
export interface Done {
  kind: 'done';
}

const DONE: Done = { kind: 'done' };

/** `unchanged`: the requested state was in effect before. */
export type Changed = { kind: 'changed' } | { kind: 'unchanged' };

type InstanceRefusal = Refusal<'NOT_FOUND' | 'INSTANCE_ENDED'>;
type InstanceRequest = SuspensionRequest & { workflowID: string };
type DefinitionRequest = SuspensionRequest & { definitionID: string };

/** Once this returns, nothing moves in the instance or its descendants. */
export async function suspendInstance(pool: Pool, request: InstanceRequest): Promise<Done | InstanceRefusal> {
  const suspended = await recording(pool, request, (transaction) => suspendInstanceIn(transaction, request));
  if (suspended.kind === 'refused') return suspended;
  await earlierWritesEnded(pool);
  return DONE;
}

/** Takes effect when `earlierWritesEnded` returns after the commit. */
export async function suspendInstanceIn(
  transaction: PoolClient,
  request: InstanceRequest,
): Promise<Changed | InstanceRefusal> {
  const { workflowID, actor, reason } = request;
  const instance = await lockRunning(transaction, request);
  if (instance.kind === 'refused') return instance;
  if (instance.suspended) return { kind: 'unchanged' };
  await transaction.query(
    'UPDATE instances SET suspended_at = clock_timestamp(), suspended_by = $2, suspend_reason = $3 WHERE workflow_id = $1',
    [workflowID, actor, reason ?? null],
  );
  await holdJobs(transaction, [workflowID]);
  // A directly suspended instance has already marked its descendants.
  await markDescendants(transaction, workflowID, true);
  await recordChange(transaction, request, true);
  await cancelWake(transaction, workflowID);
  return { kind: 'changed' };
}

/** Anything also paused by its definition or an ancestor stays paused. */
export async function resumeInstance(pool: Pool, request: InstanceRequest): Promise<Done | InstanceRefusal> {
  const resumed = await recording(pool, request, (transaction) => resumeInstanceIn(transaction, request));
  if (resumed.kind === 'refused') return resumed;
  announce(pool, [outboxAnnouncement]);
  return DONE;
}

/** The outbox relay wakes the instance after the commit. */
export async function resumeInstanceIn(
  transaction: PoolClient,
  request: InstanceRequest,
): Promise<Changed | InstanceRefusal> {
  const { workflowID } = request;
  const instance = await lockRunning(transaction, request);
  if (instance.kind === 'refused') return instance;
  if (!instance.suspended) return { kind: 'unchanged' };
  await transaction.query(
    'UPDATE instances SET suspended_at = NULL, suspended_by = NULL, suspend_reason = NULL WHERE workflow_id = $1',
    [workflowID],
  );
  await holdJobs(transaction, [workflowID]);
  if (!instance.ancestorSuspended) await markDescendants(transaction, workflowID, false);
  await recordChange(transaction, request, false);
  await wakeWaiters(transaction, workflowID);
  return { kind: 'changed' };
}

/** Once this returns, nothing moves in any instance of the definition or their descendants, and none is started. */
export async function suspendDefinition(pool: Pool, request: DefinitionRequest): Promise<Done | Refusal<'NOT_FOUND'>> {
  const { projectID, definitionID, actor, reason } = request;
  const suspended = await recording(pool, request, async (transaction) => {
    const { rowCount } = await transaction.query(
      `UPDATE definitions SET suspended_at = clock_timestamp(), suspended_by = $3, suspend_reason = $4
       WHERE project_id = $1 AND id = $2 AND suspended_at IS NULL`,
      [projectID, definitionID, actor, reason ?? null],
    );
    if (rowCount === 0) return doneIfKnown(transaction, request);
    await recordChange(transaction, request, true);
    await cancelWake(transaction, definitionID);
    return DONE;
  });
  if (suspended.kind === 'done') await earlierWritesEnded(pool);
  return suspended;
}

/** Directly suspended instances stay suspended. Pause waiters are notified in the background. */
export async function resumeDefinition(pool: Pool, request: DefinitionRequest): Promise<Done | Refusal<'NOT_FOUND'>> {
  const { projectID, definitionID } = request;
  const resumed = await recording(pool, request, async (transaction) => {
    const { rowCount } = await transaction.query(
      `UPDATE definitions SET suspended_at = NULL, suspended_by = NULL, suspend_reason = NULL
       WHERE project_id = $1 AND id = $2 AND suspended_at IS NOT NULL`,
      [projectID, definitionID],
    );
    if (rowCount === 0) return doneIfKnown(transaction, request);
    await recordChange(transaction, request, false);
    await wakeWaiters(transaction, definitionID);
    // Messages and signals that would have started an instance are offered again.
    await transaction.query('UPDATE start_subscriptions SET match_at = now() WHERE definition_id = $1', [definitionID]);
    return DONE;
  });
  announce(pool, [outboxAnnouncement]);
  return resumed;
}

/** Runs `work` in a transaction that also records it in the audit log, unless it is refused. */
function recording<T extends { kind: string }>(
  pool: Pool,
  { projectID, audit }: SuspensionRequest,
  work: (transaction: PoolClient) => Promise<T>,
): Promise<T> {
  return inTransaction(pool, async (transaction) => {
    const result = await work(transaction);
    if (audit && result.kind !== 'refused') await writeEntry(transaction, projectID, audit);
    return result;
  });
}

interface LockedForSuspension {
  kind: 'locked';
  suspended: boolean;
  ancestorSuspended: boolean;
}

async function lockRunning(
  transaction: PoolClient,
  { projectID, workflowID }: InstanceRequest,
): Promise<LockedForSuspension | InstanceRefusal> {
  const instance = await firstRow<{
    status: string;
    canceling: boolean;
    suspended: boolean;
    ancestorSuspended: boolean;
  }>(
    transaction,
    `SELECT status, canceling, suspended_at IS NOT NULL AS suspended, suspended_above AS "ancestorSuspended"
     FROM instances WHERE project_id = $1 AND workflow_id = $2 FOR UPDATE`,
    [projectID, workflowID],
  );
  return refusalByInstance(workflowID, instance) ?? { kind: 'locked', ...instance! };
}

/** Level by level from the top. All descendants of a directly suspended instance are already marked and stay so. */
async function markDescendants(transaction: PoolClient, workflowID: string, suspended: boolean): Promise<void> {
  let level = [workflowID];
  while (level.length > 0) {
    const children = await lockChildren(transaction, level);
    await transaction.query('UPDATE instances SET suspended_above = $2 WHERE workflow_id = ANY($1::text[])', [
      children.map((child) => child.workflowID),
      suspended,
    ]);
    await holdJobs(
      transaction,
      children.map((child) => child.workflowID),
    );
    level = children.filter((child) => !child.suspended).map((child) => child.workflowID);
  }
}

async function recordChange(
  transaction: PoolClient,
  { actor, reason, ...scope }: SuspensionRequest & ({ workflowID: string } | { definitionID: string }),
  suspended: boolean,
): Promise<void> {
  const column = 'workflowID' in scope ? 'workflow_id' : 'definition_id';
  await transaction.query(
    `INSERT INTO suspension_changes (${column}, suspended, actor, reason) VALUES ($1, $2, $3, $4)`,
    ['workflowID' in scope ? scope.workflowID : scope.definitionID, suspended, actor, reason ?? null],
  );
}

async function doneIfKnown(
  transaction: PoolClient,
  { projectID, definitionID }: DefinitionRequest,
): Promise<Done | Refusal<'NOT_FOUND'>> {
  const known = await firstRow(transaction, 'SELECT 1 FROM definitions WHERE project_id = $1 AND id = $2', [
    projectID,
    definitionID,
  ]);
  return known ? DONE : refused('NOT_FOUND', `There is no definition ${definitionID} in this project`);
}
