/**
 * Suspending and resuming a definition: in full, or its starts only. A suspension keeps its first actor, time and
 * reason, except that a full one replaces one of the starts.
 */
import { outboxAnnouncements } from '../sql/announcements.js';
import { firstRow, type Database, type Transaction } from '../sql/database.js';
import { refused, type Refusal } from '../sql/refusal.js';
import { offerPlacesToDefinition } from '../processes/queue.js';
import { cancelWake, wakeWaiters } from '../steps/pause-waiters.js';
import { recordSuspension } from '../events/of-suspension.js';
import { DONE, recording, withoutSchedule, type Changed, type Done, type SuspensionRequest } from './changes.js';
import { earlierWritesEnded } from './earlier-writes.js';

export type DefinitionRequest = SuspensionRequest & { definitionID: string };

/** `instances`: whether running instances pause as well; without it, only starts are refused. */
export type SuspendDefinitionRequest = DefinitionRequest & { instances?: boolean | undefined };

/** Once this returns, none is started, and if the suspension is full, nothing moves in an instance or its descendants. */
export async function suspendDefinition(
  database: Database,
  request: SuspendDefinitionRequest,
): Promise<Done | Refusal<'NOT_FOUND'>> {
  const { instances = true } = request;
  const suspended = await recording(database, request, async (transaction) => {
    if (await suspendDefinitionIn(transaction, request)) return { kind: 'changed' };
    return unchangedIfKnown(transaction, request);
  });
  if (suspended.kind === 'refused') return suspended;
  // Starts lock the definition, so a suspension of starts is in effect with its commit.
  if (instances) await earlierWritesEnded(database);
  return DONE;
}

/** @returns whether instances were paused; false if they were before, for starts only, or without such a definition */
export async function suspendDefinitionIn(
  transaction: Transaction,
  request: SuspendDefinitionRequest,
): Promise<boolean> {
  const { projectID, definitionID, actor, reason, instances = true } = request;
  const { rowCount } = await transaction.query(instances ? suspendStatement : suspendStartsStatement, [
    projectID,
    definitionID,
    actor,
    reason ?? null,
  ]);
  if (rowCount === 0 || !instances) return false;
  // The feed means full suspensions, as `suspendedAt` does.
  await recordSuspension(transaction, { definitionID, suspended: true, actor, reason });
  await cancelWake(transaction, definitionID);
  return true;
}

const suspendStatement = `
  UPDATE definitions SET suspended_at = clock_timestamp(), suspended_by = $3, suspend_reason = $4,
    starts_suspended_at = NULL, starts_suspended_by = NULL, starts_suspend_reason = NULL
  WHERE project_id = $1 AND id = $2 AND suspended_at IS NULL`;

const suspendStartsStatement = `
  UPDATE definitions SET starts_suspended_at = clock_timestamp(), starts_suspended_by = $3, starts_suspend_reason = $4
  WHERE project_id = $1 AND id = $2 AND suspended_at IS NULL AND starts_suspended_at IS NULL`;

/**
 * Lifts a full suspension and one of starts, and withdraws a scheduled one. Directly suspended instances stay suspended.
 * Pause waiters are notified in the background.
 */
export async function resumeDefinition(
  database: Database,
  request: DefinitionRequest,
): Promise<Done | Refusal<'NOT_FOUND'>> {
  const { projectID, definitionID, actor, reason } = request;
  const resumed = await recording(database, request, async (transaction): Promise<Changed | Refusal<'NOT_FOUND'>> => {
    const before = await firstRow<{ suspended: boolean; startsSuspended: boolean; scheduled: boolean }>(
      transaction,
      `SELECT suspended_at IS NOT NULL AS suspended, starts_suspended_at IS NOT NULL AS "startsSuspended",
         suspension_scheduled_at IS NOT NULL AS scheduled
       FROM definitions WHERE project_id = $1 AND id = $2 FOR NO KEY UPDATE`,
      [projectID, definitionID],
    );
    if (!before) return unknownDefinition(definitionID);
    const { suspended, startsSuspended, scheduled } = before;
    if (suspended || startsSuspended || scheduled) await transaction.query(resumeStatement, [definitionID]);
    if (suspended) await recordSuspension(transaction, { definitionID, suspended: false, actor, reason });
    if (suspended || startsSuspended) {
      // Messages and signals that would have started an instance are offered again.
      await transaction.query('UPDATE start_subscriptions SET match_at = now() WHERE definition_id = $1', [
        definitionID,
      ]);
    }
    if (suspended) {
      await wakeWaiters(transaction, definitionID);
      await offerPlacesToDefinition(transaction, definitionID);
    }
    return { kind: suspended ? 'changed' : 'unchanged' };
  });
  database.announce(outboxAnnouncements());
  return resumed.kind === 'refused' ? resumed : DONE;
}

const resumeStatement = `
  UPDATE definitions SET suspended_at = NULL, suspended_by = NULL, suspend_reason = NULL,
    starts_suspended_at = NULL, starts_suspended_by = NULL, starts_suspend_reason = NULL,
    ${withoutSchedule}
  WHERE id = $1`;

export async function unchangedIfKnown(
  transaction: Transaction,
  { projectID, definitionID }: DefinitionRequest,
): Promise<Changed | Refusal<'NOT_FOUND'>> {
  const known = await firstRow(transaction, 'SELECT 1 FROM definitions WHERE project_id = $1 AND id = $2', [
    projectID,
    definitionID,
  ]);
  return known ? { kind: 'unchanged' } : unknownDefinition(definitionID);
}

function unknownDefinition(definitionID: string): Refusal<'NOT_FOUND'> {
  return refused('NOT_FOUND', `There is no definition ${definitionID} in this project`);
}
