/**
 * The window of a search: all instances of the definition up to the newest one at the start of the search.
 *
 * Numbers are taken before a start commits. An instance inside the window may therefore be uncommitted when the first
 * page is read, and would appear on a later one. The window waits for it: a transaction that takes a number holds a
 * write lock on the table from before that moment until its end. Once all transactions have ended that held such a lock
 * after the newest number was read, everything in the window exists or never will.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { firstRow, type Database } from '../sql/database.js';

/** Interval between checks of the transactions it waits for; they take milliseconds. */
const LOOK_MILLISECONDS = 3;

/**
 * Maximum wait for a writer, in milliseconds. A slower one does not delay searches: its instance then appears on a page
 * that reaches its number after the commit, or not at all in this search; no other instance is affected.
 */
const PATIENCE_MILLISECONDS = 1000;

/**
 * The number of the newest instance of the definition, once all lower numbers are committed or rolled back; 0 if the
 * definition has no instance.
 */
export async function searchWindow(database: Database, projectID: string, definitionID: string): Promise<number> {
  const newest = await firstRow<{ number: number }>(
    database,
    `SELECT number::float8 AS number FROM instances i WHERE project_id = $1 AND definition_id = $2 ORDER BY i.number DESC LIMIT 1`,
    [projectID, definitionID],
  );
  if (newest === undefined) return 0;
  await settle(database);
  return newest.number;
}

async function settle(database: Database): Promise<void> {
  const since = performance.now();
  let writers = await writersAmong(database, undefined);
  while (writers.length > 0 && performance.now() - since < PATIENCE_MILLISECONDS) {
    await pause(LOOK_MILLISECONDS);
    writers = await writersAmong(database, writers);
  }
}

/** Transactions that are writing to the table of instances; only those of `known` if given. */
async function writersAmong(database: Database, known: readonly string[] | undefined): Promise<string[]> {
  const found = await firstRow<{ writers: string[] }>(
    database,
    `SELECT coalesce(array_agg(DISTINCT virtualtransaction), '{}') AS writers FROM pg_locks
     WHERE locktype = 'relation' AND relation = 'instances'::regclass AND mode = 'RowExclusiveLock' AND granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND ($1::text[] IS NULL OR virtualtransaction = ANY ($1))`,
    [known ?? null],
  );
  return found!.writers;
}
