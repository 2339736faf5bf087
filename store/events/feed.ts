/** Reading the event feed of a project by position. */
import { firstRow, rows, type Database, type Queryable } from '../sql/database.js';
import { firstTurn, takeTurn, turnTaken, turnsOfProjects } from '../turns/project-turns.js';
import type { EventType } from './types.js';

export interface StoredEvent {
  position: string;
  type: EventType;
  subject: string;
  happenedAt: Date;
  data: Record<string, unknown>;
  /** The model's id of the process that the event is about. */
  processID: string | null;
}

export interface FeedRequest {
  projectID: string;
  /** The position after which to begin: `0` is before the oldest event. */
  after: string;
  types?: readonly EventType[] | undefined;
  processID?: string | undefined;
  limit: number;
}

export interface FeedPart {
  kind: 'part';
  events: StoredEvent[];
  /** Everything up to here has been read. */
  next: string;
  /** Whether more can be read now. */
  hasMore: boolean;
}

/** Events after the position are missing, or it has not been assigned yet: after a restore of an older backup. */
export interface Expired {
  kind: 'expired';
  /** Reading after it begins with the oldest event. */
  oldest: string;
}

/** Events that one read looks at, however few of them match. */
const MAX_LOOKED_AT = 5_000;

interface FeedRow {
  expiredThrough: string;
  isUnknown: boolean;
  last: string | null;
  lookedAt: number;
  position: string | null;
  type: EventType;
  subject: string;
  happenedAt: Date;
  data: Record<string, unknown>;
  processID: string | null;
}

/** One statement, so that what retention removes at the same time is either read or reported as expired. */
const readStatement = `
  WITH feed AS (
    SELECT f.expired_through, greatest($2::bigint, CASE WHEN $2::bigint = 0 THEN f.expired_through ELSE 0 END) AS after
    FROM event_feeds f JOIN projects p ON p.id = f.project_id WHERE f.project_id = $1 AND p.event_retention_ms IS NOT NULL
  ), ahead AS MATERIALIZED (
    SELECT e.position, e.type, e.process_id FROM feed, events e WHERE e.project_id = $1 AND e.position > feed.after
    ORDER BY e.position LIMIT ${MAX_LOOKED_AT}
  ), matching AS (
    SELECT position FROM ahead WHERE ($3::text[] IS NULL OR type = ANY($3)) AND ($4::text[] IS NULL OR process_id = ANY($4))
    ORDER BY position LIMIT $5
  )
  SELECT feed.expired_through AS "expiredThrough", feed.after > (SELECT last_value FROM event_positions) AS "isUnknown",
    (SELECT max(position) FROM ahead) AS last, (SELECT count(*)::int FROM ahead) AS "lookedAt",
    e.position, e.type, e.subject, e.happened_at AS "happenedAt", e.data, e.process_id AS "processID"
  FROM feed LEFT JOIN (matching m JOIN events e ON e.project_id = $1 AND e.position = m.position) ON true
  ORDER BY e.position`;

/** Undefined if the project has no feed. */
export async function readFeed(
  database: Queryable,
  { projectID, after, types, processID, limit }: FeedRequest,
): Promise<FeedPart | Expired | undefined> {
  const found = await rows<FeedRow>(database, readStatement, [
    projectID,
    after,
    types ?? null,
    processID === undefined ? null : [processID],
    limit,
  ]);
  const [first] = found;
  if (!first) return undefined;
  const { expiredThrough, isUnknown, last, lookedAt } = first;
  if (isUnknown || (after !== '0' && BigInt(after) < BigInt(expiredThrough)))
    return { kind: 'expired', oldest: expiredThrough };
  const events = found.flatMap(({ position, type, subject, happenedAt, data, processID }) =>
    position === null ? [] : [{ position, type, subject, happenedAt, data, processID }],
  );
  const isLimited = events.length === limit;
  const begin = after === '0' ? expiredThrough : after;
  const next = isLimited ? events.at(-1)!.position : (last ?? begin);
  return { kind: 'part', events, next, hasMore: isLimited || lookedAt === MAX_LOOKED_AT };
}

/**
 * The position of the newest event, for reading what comes from now on. Undefined if the project has no feed. A feed that
 * was switched off and on begins behind the events of the one before, some of which may not be removed yet.
 */
export async function newestPosition(database: Queryable, projectID: string): Promise<string | undefined> {
  const found = await firstRow<{ position: string }>(
    database,
    `SELECT greatest((SELECT max(e.position) FROM events e WHERE e.project_id = $1), f.expired_through) AS position
     FROM event_feeds f JOIN projects p ON p.id = f.project_id WHERE f.project_id = $1 AND p.event_retention_ms IS NOT NULL`,
    [projectID],
  );
  return found?.position;
}

const MAX_REMOVED = 5_000;
/** Arbitrary, and unique in this database: one process at a time removes events, so that none waits for another. */
const REMOVAL_LOCK = 7_303_043;

/** SQL: events of the feed of project `p` recorded before this time are removed. */
const BEGINNING = 'now() - make_interval(secs => coalesce(p.event_retention_ms, 0) / 1000.0)';

/** SQL: the oldest events of the feed of project `p`. */
const oldest = (limit: string) =>
  `SELECT e.position, e.recorded_at FROM events e WHERE e.project_id = p.id AND e.position > 0 ORDER BY e.position LIMIT ${limit}`;

/** SQL: whether an event `old` is too old, or of a feed that was switched off. */
const isOld = `(old.recorded_at < ${BEGINNING} OR old.position <= (SELECT expired_through FROM event_feeds WHERE project_id = p.id))`;

/** Reads the oldest event of each feed, and more only of feeds in which it is old enough. */
export const removeStatement = `
  WITH ${turnsOfProjects({
    isDue: `p.id IN (SELECT project_id FROM event_feeds) AND (SELECT ${isOld} FROM (${oldest('1')}) old)`,
    most: MAX_REMOVED,
    after: '$1',
  })}, due AS MATERIALIZED (
    SELECT p.id AS project_id, old.position FROM turns p CROSS JOIN LATERAL (${oldest('p.share')}) old WHERE ${isOld}
    LIMIT ${MAX_REMOVED}
  ), removed AS (
    DELETE FROM events e USING due d WHERE e.project_id = d.project_id AND e.position = d.position RETURNING e.project_id, e.position
  ), expired AS (
    UPDATE event_feeds f SET expired_through = greatest(f.expired_through, r.last)
    FROM (SELECT project_id, max(position) AS last FROM removed GROUP BY project_id) r WHERE f.project_id = r.project_id
  )
  SELECT (SELECT count(*)::integer FROM removed) AS count, ${turnTaken}`;

/**
 * Removes events older than the retention of their feed, those of an earlier feed, and all events of projects without one. Their positions expire
 * in the same transaction.
 * @param turn the projects that are next; moves on
 * @returns how many, at most 5,000, which feeds share; undefined if another process is removing events
 */
export async function removeOldEvents(database: Database, turn = firstTurn()): Promise<number | undefined> {
  return database.transaction(async (transaction) => {
    const lock = await firstRow<{ taken: boolean }>(transaction, 'SELECT pg_try_advisory_xact_lock($1) AS taken', [
      REMOVAL_LOCK,
    ]);
    if (!lock!.taken) return undefined;
    return (await takeTurn<{ count: number }>(transaction, turn, removeStatement, [])).count;
  });
}
