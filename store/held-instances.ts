/**
 * Instances that were paused when they wanted to go on, and telling them when that has ended. A pause wakes nobody when
 * it begins; whoever runs into it is noted here together with what holds it.
 */
import type { Pool, PoolClient } from 'pg';
import { firstRow, rows, type Queryable } from './database.js';
import type { LockedInstance } from './locks.js';

/**
 * Notes a paused instance. The transaction has locked it and all instances above it, so none of them is resumed
 * meanwhile; a suspended definition is locked here.
 * @returns false when it is not paused: then nothing is noted
 */
export async function holdIfPaused(transaction: PoolClient, instance: LockedInstance, ancestors: readonly LockedInstance[]): Promise<boolean> {
  const holder = await holderOf(transaction, instance, ancestors);
  if (holder === undefined) return false;
  await transaction.query(
    `INSERT INTO held_instances (workflow_id, holder) VALUES ($1, $2)
     ON CONFLICT (workflow_id) DO UPDATE SET holder = excluded.holder, held_at = clock_timestamp(), wake_at = NULL`,
    [instance.workflowID, holder],
  );
  return true;
}

/** What pauses it, the nearest first: itself, an instance above it, a definition. */
async function holderOf(transaction: PoolClient, instance: LockedInstance, ancestors: readonly LockedInstance[]): Promise<string | undefined> {
  const suspended = [...ancestors, instance].findLast((candidate) => candidate.suspended);
  if (suspended) return suspended.workflowID;
  if (!instance.definitionSuspended) return undefined;
  const definition = await firstRow<{ id: string }>(
    transaction,
    'SELECT id FROM definitions WHERE id = ANY($1::uuid[]) AND suspended_at IS NOT NULL ORDER BY id LIMIT 1 FOR SHARE',
    [[...instance.ancestorDefinitions, instance.definitionID]],
  );
  return definition?.id;
}

/** What was suspended is resumed: those it held are told from here on. In the transaction that resumes it. */
export async function releaseHeldBy(transaction: PoolClient, holder: string): Promise<void> {
  await transaction.query('INSERT INTO resumptions (holder) VALUES ($1) ON CONFLICT DO NOTHING', [holder]);
}

/** It is suspended again: those it held and that have not been told yet stay as they are. In the transaction that suspends it. */
export async function keepHeldBy(transaction: PoolClient, holder: string): Promise<void> {
  await transaction.query('DELETE FROM resumptions WHERE holder = $1', [holder]);
}

export interface HeldInstance {
  workflowID: string;
  /** Which of its being held this is; a timestamp with microseconds. */
  heldAt: string;
}

/**
 * Instances to be told that they may go on. Asking takes them for a while, as with the rest of the outbox; give those
 * that were told to `forgetHeld`.
 */
export async function heldToWake(pool: Pool, limit: number): Promise<HeldInstance[]> {
  return rows<HeldInstance>(
    pool,
    `WITH finished AS (
       DELETE FROM resumptions r WHERE NOT EXISTS (SELECT 1 FROM held_instances h WHERE h.holder = r.holder)
     ), released AS (
       SELECT h.workflow_id FROM resumptions r JOIN held_instances h ON h.holder = r.holder
       WHERE h.wake_at IS NULL LIMIT $1 FOR UPDATE OF h SKIP LOCKED
     ), overdue AS (
       SELECT workflow_id FROM held_instances WHERE wake_at <= now() LIMIT $1 FOR UPDATE SKIP LOCKED
     ), due AS (
       SELECT workflow_id FROM released UNION ALL SELECT workflow_id FROM overdue
     )
     UPDATE held_instances h SET wake_at = now() + interval '5 seconds' FROM due WHERE h.workflow_id = due.workflow_id
     RETURNING h.workflow_id AS "workflowID", h.held_at::text AS "heldAt"`,
    [limit],
  );
}

/** They have been told. One that has run into another pause meanwhile is noted anew, and stays. */
export async function forgetHeld(pool: Pool, told: readonly HeldInstance[]): Promise<void> {
  await pool.query(
    'DELETE FROM held_instances h USING unnest($1::text[], $2::timestamptz[]) AS t(workflow_id, held_at) WHERE h.workflow_id = t.workflow_id AND h.held_at = t.held_at',
    [told.map(({ workflowID }) => workflowID), told.map(({ heldAt }) => heldAt)],
  );
}

/** Forgets instances that have ended during their pause. */
export async function forgetEndedHeld(database: Queryable): Promise<void> {
  await database.query("DELETE FROM held_instances h USING instances i WHERE i.workflow_id = h.workflow_id AND i.status <> 'RUNNING'");
}
