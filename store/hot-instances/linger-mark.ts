/**
 * The mark of a step commit that lingers: the columns `lingering_worker` and `lingering_until` of its instance. The
 * statement of the commit writes it (`../steps/commit/statement.ts`), unless the instance has unread commands. The statement
 * that writes a command returns it, and the command then wakes that worker. `hot-instances/README.md` has the whole picture.
 */
import type { Announcement } from '../sql/announcements.js';
import { preparedRows, type Database } from '../sql/database.js';

/** SQL: the worker whose step commit waits for a command of the instance in the row `i`, or null. */
export function lingeringWorker(i: string): string {
  return `CASE WHEN ${i}.lingering_until > now() THEN ${i}.lingering_worker END`;
}

/** Wakes the commit of `worker` that lingers for an instance. */
export function lingerAnnouncement(worker: string, workflowID: string): Announcement {
  return { channel: lingerChannel(worker), payload: workflowID };
}

export function lingerChannel(worker: string): `perdure_linger_${string}` {
  return `perdure_linger_${worker}`;
}

/**
 * Ends the wait of a commit atomically: a command written afterward is signaled.
 * @returns the number of the last command written before, or undefined if the worker does not linger for the instance
 */
export async function endLinger(database: Database, workflowID: string, worker: string): Promise<number | undefined> {
  const [row] = await preparedRows<{ commandCount: number }>(
    database,
    'end linger',
    'UPDATE instances SET lingering_worker = NULL, lingering_until = NULL WHERE workflow_id = $1 AND lingering_worker = $2 RETURNING command_count AS "commandCount"',
    [workflowID, worker],
  );
  return row?.commandCount;
}

/**
 * Clears the mark of a commit that no longer waits, or whose worker has died: every command written afterward is signaled.
 * @returns the number of the last command written before, or undefined if there is no mark
 */
export async function clearLinger(database: Database, workflowID: string): Promise<number | undefined> {
  const [row] = await preparedRows<{ commandCount: number }>(
    database,
    'clear linger',
    'UPDATE instances SET lingering_worker = NULL, lingering_until = NULL WHERE workflow_id = $1 AND lingering_worker IS NOT NULL RETURNING command_count AS "commandCount"',
    [workflowID],
  );
  return row?.commandCount;
}
