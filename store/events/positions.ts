/**
 * Positions of events. Numbers are taken before the commit, so an event with a lower number can become visible after one
 * with a higher number, and a reader that is past the higher one would miss it. Therefore events get their positions only once
 * they are committed, by one process at a time. Events of one instance keep their order: the later change waited for the
 * lock of the earlier one.
 */
import { firstRow, rows, type Database } from '../sql/database.js';

/** Any number that no other advisory lock uses. */
export const POSITIONS_LOCK = 7_301_989;
const MAX_EVENTS_PER_STATEMENT = 1_000;

const assignStatement = `
  WITH next AS MATERIALIZED (
    SELECT number FROM events WHERE position IS NULL ORDER BY number LIMIT ${MAX_EVENTS_PER_STATEMENT}
  ), placed AS MATERIALIZED (
    SELECT number, nextval('event_positions') AS position FROM (SELECT number FROM next ORDER BY number) AS ordered
  ), updated AS (
    UPDATE events e SET position = p.position FROM placed p WHERE e.number = p.number RETURNING e.project_id
  )
  SELECT project_id AS "projectID", count(*)::int AS count FROM updated GROUP BY project_id`;

export interface Assigned {
  /** Projects with new events. */
  projectIDs: string[];
  /** Whether there may be more. */
  isFull: boolean;
}

/** Gives positions to committed events, unless another process is doing it. */
export async function assignPositions(database: Database): Promise<Assigned> {
  return database.transaction(async (transaction) => {
    // In a separate statement: the next one must see what the previous holder of the lock has committed.
    const lock = await firstRow<{ taken: boolean }>(transaction, 'SELECT pg_try_advisory_xact_lock($1) AS taken', [
      POSITIONS_LOCK,
    ]);
    if (!lock!.taken) return { projectIDs: [], isFull: false };
    const counts = await rows<{ projectID: string; count: number }>(transaction, assignStatement, []);
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    return { projectIDs: counts.map(({ projectID }) => projectID), isFull: total === MAX_EVENTS_PER_STATEMENT };
  });
}

/** Whether any project has a feed, or had one until just now; otherwise there is nothing to do. */
export async function hasFeeds(database: Database): Promise<boolean> {
  const found = await firstRow<{ exists: boolean }>(
    database,
    `SELECT EXISTS (SELECT FROM projects WHERE event_retention_ms IS NOT NULL) OR EXISTS (SELECT FROM events WHERE position IS NULL) AS exists`,
    [],
  );
  return found!.exists;
}
