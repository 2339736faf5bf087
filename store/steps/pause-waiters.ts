/**
 * Pause waiters: instances that tried to continue while paused, and notifying them on resume. A pause notifies no
 * instance when it starts. An instance that runs into it is recorded here with what pauses it.
 */
import { firstRow, rows, type Database, type Transaction, type Queryable } from '../sql/database.js';
import { deletePage, type KeyOfRow, type PagedDelete } from '../sql/delete-page.js';
import type { LockedInstance } from '../instances/locks.js';

/**
 * Records a refused step of a paused instance, next to earlier ones: which of them the instance knows depends on which of its
 * workers Temporal believes. The transaction has locked it and its ancestors, so none of them can be resumed in the
 * meantime; a suspended definition is locked here.
 * @returns what the wake-up after the pause will name, or undefined if the instance is not paused: then nothing is recorded
 */
export async function waitIfPaused(
  transaction: Transaction,
  instance: LockedInstance,
  ancestors: readonly LockedInstance[],
): Promise<string | undefined> {
  const blocker = await blockerOf(transaction, instance, ancestors);
  if (blocker === undefined) return undefined;
  const recorded = await firstRow<{ refusal: string }>(
    transaction,
    'INSERT INTO pause_waiters (workflow_id, blocked_by) VALUES ($1, $2) RETURNING number::text AS refusal',
    [instance.workflowID, blocker],
  );
  return recorded!.refusal;
}

/** The nearest suspension that pauses it: its own, that of an ancestor, or that of a definition. */
async function blockerOf(
  transaction: Transaction,
  instance: LockedInstance,
  ancestors: readonly LockedInstance[],
): Promise<string | undefined> {
  const path = [...ancestors, instance];
  const suspended = path.findLast((candidate) => candidate.suspended);
  if (suspended) return suspended.workflowID;
  if (!path.some(({ definitionSuspended }) => definitionSuspended)) return undefined;
  const definition = await firstRow<{ id: string }>(
    transaction,
    'SELECT id FROM definitions WHERE id = ANY($1::uuid[]) AND suspended_at IS NOT NULL ORDER BY id LIMIT 1 FOR SHARE',
    // Not those in its row, which may not follow a migrated ancestor yet.
    [path.map(({ definitionID }) => definitionID)],
  );
  return definition?.id;
}

/** Called in the transaction that resumes: from here on the instances that waited for it are notified. */
export async function wakeWaiters(transaction: Transaction, blocker: string): Promise<void> {
  await transaction.query('INSERT INTO resumptions (blocker) VALUES ($1) ON CONFLICT DO NOTHING', [blocker]);
}

/** Called in the transaction that suspends again: waiters that have not been notified yet keep waiting. */
export async function cancelWake(transaction: Transaction, blocker: string): Promise<void> {
  await transaction.query('DELETE FROM resumptions WHERE blocker = $1', [blocker]);
}

export interface PauseWaiter {
  workflowID: string;
  /** Identifies the refused step commit. */
  refusal: string;
}

/**
 * Instances to notify that they may continue, an equal share of each resumption. Reading reserves them for a while, as in
 * the rest of the outbox, so those that cannot be notified come after those that are due; pass the notified ones to
 * `deleteWokenWaiters`.
 */
export async function waitersToWake(database: Database, limit: number): Promise<PauseWaiter[]> {
  return rows<PauseWaiter>(
    database,
    `WITH finished AS (
       DELETE FROM resumptions r WHERE NOT EXISTS (SELECT 1 FROM pause_waiters h WHERE h.blocked_by = r.blocker)
     ), resumed AS MATERIALIZED (
       SELECT blocker, greatest(1, $1 / count(*) OVER ())::integer AS share FROM resumptions
     ), released AS (
       SELECT w.number FROM resumed r CROSS JOIN LATERAL (
         SELECT h.number FROM pause_waiters h WHERE h.blocked_by = r.blocker AND h.wake_at IS NULL LIMIT r.share FOR UPDATE SKIP LOCKED
       ) w LIMIT $1
     ), overdue AS (
       SELECT number FROM pause_waiters WHERE wake_at <= now() ORDER BY wake_at LIMIT $1 FOR UPDATE SKIP LOCKED
     ), due AS (
       SELECT number FROM released UNION ALL SELECT number FROM overdue
     )
     UPDATE pause_waiters h SET wake_at = now() + interval '5 seconds' FROM due WHERE h.number = due.number
     RETURNING h.workflow_id AS "workflowID", h.number::text AS refusal`,
    [limit],
  );
}

/** Deletes notified waiters. One that has run into another pause in the meantime has a new entry, which stays. */
export async function deleteWokenWaiters(database: Database, told: readonly PauseWaiter[]): Promise<void> {
  await database.query('DELETE FROM pause_waiters WHERE number = ANY($1::bigint[])', [
    told.map(({ refusal }) => refusal),
  ]);
}

const endedWaiters: PagedDelete = {
  table: 'pause_waiters',
  key: ['number'],
  condition:
    "EXISTS (SELECT FROM instances i WHERE i.workflow_id = pause_waiters.workflow_id AND i.status <> 'RUNNING')",
  pageSize: 5_000,
};

/** Deletes waiters that have ended while paused, a page at a time; see `deletePage`. */
export function deleteEndedWaiters(database: Queryable, after?: KeyOfRow): Promise<KeyOfRow | undefined> {
  return deletePage(database, endedWaiters, after);
}
