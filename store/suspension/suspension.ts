/**
 * Suspending and resuming an instance. A suspension keeps its first actor, time and reason; resuming an instance that is
 * not suspended changes nothing.
 */
import { outboxAnnouncements } from '../sql/announcements.js';
import { firstRow, type Database, type Transaction } from '../sql/database.js';
import { earlierWritesEnded } from './earlier-writes.js';
import { cancelWake, wakeWaiters } from '../steps/pause-waiters.js';
import { withholdJobs } from '../work/withheld-jobs.js';
import { offerPlaceToInstance } from '../processes/queue.js';
import { followParents } from '../descendants/follow-parents.js';
import { refusalByInstance, type Refusal } from '../sql/refusal.js';
import { recordSuspension } from '../events/of-suspension.js';
import { DONE, recording, type Changed, type Done, type SuspensionRequest } from './changes.js';

type InstanceRefusal = Refusal<'NOT_FOUND' | 'INSTANCE_ENDED'>;
type InstanceRequest = SuspensionRequest & { workflowID: string };

/** Once this returns, nothing moves in the instance or its descendants. */
export async function suspendInstance(database: Database, request: InstanceRequest): Promise<Done | InstanceRefusal> {
  const suspended = await recording(database, request, (transaction) => suspendInstanceIn(transaction, request));
  if (suspended.kind === 'refused') return suspended;
  await earlierWritesEnded(database);
  return DONE;
}

/** Takes effect when `earlierWritesEnded` returns after the commit. */
export async function suspendInstanceIn(
  transaction: Transaction,
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
  await withholdJobs(transaction, [workflowID]);
  await followParents(transaction, [workflowID]);
  await recordSuspension(transaction, { workflowID, suspended: true, actor, reason });
  await cancelWake(transaction, workflowID);
  return { kind: 'changed' };
}

/** Anything also paused by its definition or an ancestor stays paused. */
export async function resumeInstance(database: Database, request: InstanceRequest): Promise<Done | InstanceRefusal> {
  const resumed = await recording(database, request, (transaction) => resumeInstanceIn(transaction, request));
  if (resumed.kind === 'refused') return resumed;
  database.announce(outboxAnnouncements());
  return DONE;
}

/** The outbox relay wakes the instance after the commit. */
export async function resumeInstanceIn(
  transaction: Transaction,
  request: InstanceRequest,
): Promise<Changed | InstanceRefusal> {
  const { workflowID, actor, reason } = request;
  const instance = await lockRunning(transaction, request);
  if (instance.kind === 'refused') return instance;
  if (!instance.suspended) return { kind: 'unchanged' };
  await transaction.query(
    'UPDATE instances SET suspended_at = NULL, suspended_by = NULL, suspend_reason = NULL WHERE workflow_id = $1',
    [workflowID],
  );
  await withholdJobs(transaction, [workflowID]);
  await followParents(transaction, [workflowID]);
  await recordSuspension(transaction, { workflowID, suspended: false, actor, reason });
  await wakeWaiters(transaction, workflowID);
  await offerPlaceToInstance(transaction, workflowID);
  return { kind: 'changed' };
}

interface LockedForSuspension {
  kind: 'locked';
  suspended: boolean;
}

async function lockRunning(
  transaction: Transaction,
  { projectID, workflowID }: InstanceRequest,
): Promise<LockedForSuspension | InstanceRefusal> {
  const instance = await firstRow<{
    status: string;
    canceling: boolean;
    suspended: boolean;
  }>(
    transaction,
    `SELECT status, canceling, suspended_at IS NOT NULL AS suspended
     FROM instances WHERE project_id = $1 AND workflow_id = $2 FOR UPDATE`,
    [projectID, workflowID],
  );
  return refusalByInstance(workflowID, instance) ?? { kind: 'locked', ...instance! };
}
