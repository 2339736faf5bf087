/**
 * The mark of a step commit that lingers: the columns `lingering_worker` and `lingering_until` of its instance. The
 * statement of the commit writes it. The statement that writes a command returns it, and the command then wakes that worker.
 * `hot-instances/README.md` describes the whole mechanism.
 */
import type { Announcement } from '../sql/announcements.js';
import { sql, type Parameter, type Sql } from '../sql/builder.js';
import { preparedRows, type Database } from '../sql/database.js';

/** The worker whose commit waits for the next command once written, and for how long. */
export interface LingerMark {
  worker: string;
  milliseconds: number;
}

/** The columns of the mark that a commit writes: null without one, and if commands after number `received` exist. */
export function lingerColumns(received: Parameter, mark: LingerMark | undefined): Sql {
  return sql`CASE WHEN command_count <= ${received}::integer THEN ${mark?.worker ?? null}::text END AS lingering_worker,
    CASE WHEN command_count <= ${received} THEN now() + ${mark?.milliseconds ?? null}::integer * interval '1 millisecond' END AS lingering_until`;
}

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
