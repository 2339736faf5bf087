/** The statements of a poll of limited types. The transaction has locked the limits, so leases of these types wait. */
import { isAnySuspended } from '../../instances/paused.js';
import { unindexed } from '../../sql/by-key.js';
import { jobJoins } from '../jobs.js';
import {
  few,
  given,
  isAnySuspendedIn,
  isAvailable,
  leaseAssignments,
  leasedColumns,
  pending,
  runs,
} from '../poll-statement.js';
import { limitOf } from './limits.js';
import { countedAt, isInWindow, reopensAt } from './rate-window.js';
import { areCounted, isCounted, isGroupOf, leasedInWindow, leasedOf, type KeyOfType } from './usage.js';

/** Keys of a priority that one poll compares. Of more, it compares others each time. */
const MAX_HEADS = 5_000;

/** The time of the statement: the transaction may have begun long before it had the lock. */
const NOW = 'statement_timestamp()';

/** Of the statements for one type, $2. */
const taskType = '(SELECT $2::text)';

const isOfType = `${pending} AND j.task_type = ${taskType}`;
const canBeLeased = `${isAvailable} AND ${runs} AND (NOT ${isAnySuspendedIn(given.project)} OR NOT ${isAnySuspended('j.definition_path')})`;
const candidate = 'j.workflow_id, j.number, j.available_at';

/** The priorities of the jobs with keys, or of those without, downward. */
function prioritiesOf(name: string, ofKey: string): string {
  const highest = (below = '') =>
    `(SELECT j.priority FROM jobs j WHERE ${isOfType} AND ${ofKey} ${below} ORDER BY j.priority DESC LIMIT 1)`;
  return `${name} AS (
    SELECT ${highest()} AS priority
    UNION ALL
    SELECT ${highest('AND j.priority < p.priority')} FROM ${name} p WHERE p.priority IS NOT NULL
  )`;
}

const hasKey = 'j.limit_group IS NOT NULL';

/** Keys of the priority `p`, upward from a random one, and then those before it. */
function groupsOf(bounds: string): string {
  const next = (after: string) =>
    `(SELECT j.limit_group FROM jobs j WHERE ${isOfType} AND ${hasKey} AND j.priority = p.priority AND ${bounds} ${after} ORDER BY j.limit_group LIMIT 1)`;
  return `(WITH RECURSIVE ahead AS (
      SELECT ${next('')} AS limit_group
      UNION ALL
      SELECT ${next('AND j.limit_group > a.limit_group')} FROM ahead a WHERE a.limit_group IS NOT NULL
    ) SELECT limit_group FROM ahead WHERE limit_group IS NOT NULL)`;
}

const first = (condition: string) =>
  `SELECT ${candidate} FROM jobs j WHERE ${isOfType} AND ${condition} AND j.priority = p.priority AND ${canBeLeased} ORDER BY j.available_at LIMIT 1`;

const key: KeyOfType = { project: given.project, taskType, group: 'h.limit_group', l: 'l', at: NOW };

/** The keys, with what is used of the limit. */
const states = `
  SELECT h.limit_group, s.served_at, l.concurrent, l.rate_count, ${leasedOf(key)} AS leased, ${leasedInWindow('s', key)} AS used,
    (SELECT min(c.lock_expires_at) FROM jobs c WHERE ${isCounted('c', key)}) AS lease_ends_at, ${reopensAt('s', 'l', NOW)} AS window_opens_at
  FROM (SELECT DISTINCT limit_group FROM heads) h JOIN job_limits l ON ${limitOf('l', given.project, taskType)}
  LEFT JOIN limit_groups s ON ${isGroupOf('s', key)}`;

export interface HeadRow {
  group: string;
  priority: number;
  workflowID: string;
  number: number;
  availableAt: number;
  servedAt: number | null;
  /** How many more jobs of the group can be leased now. */
  room: number;
  /** Milliseconds until a lease ends, or leaves the window. */
  opensIn: number | null;
}

/** $3: where to begin with the keys. */
const headsAndStates = `
  WITH RECURSIVE ${prioritiesOf('of_keys', hasKey)}, ${prioritiesOf('without_keys', 'NOT j.keyed')}, heads AS MATERIALIZED (
    (SELECT '' AS limit_group, p.priority, head.* FROM without_keys p CROSS JOIN LATERAL (${first('NOT j.keyed')}) head WHERE p.priority IS NOT NULL)
    UNION ALL
    (SELECT g.limit_group, p.priority, head.* FROM of_keys p CROSS JOIN LATERAL (
       SELECT * FROM ${groupsOf('j.limit_group >= (SELECT $3::text)')} UNION ALL SELECT * FROM ${groupsOf('j.limit_group < (SELECT $3::text)')}
     ) g CROSS JOIN LATERAL (${first('j.limit_group = g.limit_group')}) head
     WHERE p.priority IS NOT NULL LIMIT ${MAX_HEADS})
  ), states AS MATERIALIZED (${states})`;

export const limitedHeadsStatement = `${headsAndStates}
  SELECT limit_group AS group, h.priority, h.workflow_id AS "workflowID", h.number, extract(epoch FROM h.available_at)::float8 AS "availableAt",
    extract(epoch FROM s.served_at)::float8 AS "servedAt",
    greatest(0, least(s.concurrent - s.leased, s.rate_count - s.used))::integer AS room,
    (extract(epoch FROM greatest(CASE WHEN s.leased >= s.concurrent THEN s.lease_ends_at END, CASE WHEN s.used >= s.rate_count THEN s.window_opens_at END) - ${NOW}) * 1000)::float8 AS "opensIn"
  FROM heads h JOIN states s USING (limit_group)`;

const ofQueue = (condition: string) =>
  `(SELECT ${candidate} FROM jobs j WHERE ${isOfType} AND ${condition} AND j.priority = q.priority AND ${canBeLeased} ORDER BY j.available_at LIMIT q.count)`;

/** $3 to $5: the queues by key and priority, and how many jobs of each. */
export const limitedQueuesStatement = `
  SELECT q.place::integer, j.workflow_id AS "workflowID", j.number, extract(epoch FROM j.available_at)::float8 AS "availableAt"
  FROM unnest($3::text[], $4::integer[], $5::integer[]) WITH ORDINALITY AS q(limit_group, priority, count, place)
  CROSS JOIN LATERAL (${ofQueue("q.limit_group <> '' AND j.limit_group = q.limit_group")} UNION ALL ${ofQueue("q.limit_group = '' AND NOT j.keyed")}) j
  ORDER BY q.place, j.available_at`;

/** Leases the jobs $3, $6 in this order, $7 says which were the longest available. Those that others change are left out. */
export const leaseLimitedStatement = `
  WITH asked AS MATERIALIZED (
    SELECT * FROM unnest(${given.types}, ${given.leases}) AS a(task_type, lease_milliseconds)
  ), chosen AS MATERIALIZED (
    SELECT locked.*, c.place, c.longest FROM unnest($3::text[], $6::integer[], $7::boolean[]) WITH ORDINALITY AS c(workflow_id, number, longest, place)
    CROSS JOIN LATERAL (
      SELECT ${candidate} FROM jobs j
      WHERE j.workflow_id = c.workflow_id AND j.number = c.number AND ${unindexed('j.status')} = 'PENDING' AND NOT j.withheld AND ${canBeLeased}
      LIMIT 1 FOR UPDATE OF j SKIP LOCKED
    ) locked
  ), taken AS (
    UPDATE jobs t SET ${leaseAssignments(NOW)}, counted = true
    FROM ${few('chosen', ['workflow_id', 'number', 'available_at', 'place', 'longest'])} c(workflow_id, number, available_at, place, longest), asked a
    WHERE t.workflow_id = c.workflow_id AND t.number = c.number AND t.task_type = a.task_type
    RETURNING t.*, c.available_at AS waiting_since, c.longest AS was_longest, c.place
  ), of_groups AS (
    SELECT task_type, coalesce(limit_group, '') AS limit_group, count(*)::integer AS leases, max(place) AS place
    FROM taken GROUP BY task_type, coalesce(limit_group, '')
  ), clock AS MATERIALIZED (
    SELECT clock_timestamp() AS at FROM (SELECT count(*) FROM taken) after_all
  ), served AS (
    INSERT INTO limit_groups AS g (project_id, task_type, in_tests, limit_group, served_at, counted_at, counted)
    SELECT l.project_id, l.task_type, strpos(${given.project}, '~') > 0, t.limit_group, c.at + t.place * interval '1 microsecond',
      CASE WHEN l.rate_count IS NULL THEN '{}' ELSE ARRAY[${countedAt('l', 'c.at')}] END, CASE WHEN l.rate_count IS NULL THEN '{}' ELSE ARRAY[t.leases] END
    FROM clock c, of_groups t JOIN job_limits l ON l.project_id = split_part(${given.project}, '~', 1) AND l.task_type = t.task_type
    ON CONFLICT (project_id, task_type, in_tests, limit_group) DO UPDATE SET served_at = excluded.served_at,
      counted_at = ${merged('array_agg(e.at ORDER BY e.at)')}, counted = ${merged('array_agg(e.leases ORDER BY e.at)')}
  )
  SELECT ${leasedColumns}, j.place FROM taken j ${jobJoins} ORDER BY j.place`;

/** SQL: the entries of a group that a window of now or later contains, with the new one; those of one time are added up. */
function merged(aggregate: string): string {
  return `coalesce((
    SELECT ${aggregate} FROM (
      SELECT e.at, sum(e.leases)::integer AS leases FROM (
        SELECT * FROM unnest(g.counted_at, g.counted) UNION ALL SELECT * FROM unnest(excluded.counted_at, excluded.counted)
      ) AS e(at, leases) JOIN job_limits l ON l.project_id = excluded.project_id AND l.task_type = excluded.task_type
      WHERE ${isInWindow('e.at', 'l', NOW)} GROUP BY e.at
    ) e), '{}')`;
}

/** Held jobs are counted so far. */
export const MAX_HELD = 10_000;
const MAX_KEYS = 20;

const countOf = (condition: string) =>
  `(SELECT FROM jobs j WHERE ${isOfType} AND ${condition} AND j.priority = h.priority AND ${isAvailable} LIMIT ${MAX_HELD})`;

/** Leased and held jobs of one type, and the keys with the most held jobs. */
export const usageStatement = `${headsAndStates}, held AS MATERIALIZED (
    SELECT h.limit_group, sum(c.jobs) AS jobs FROM heads h JOIN states s USING (limit_group) CROSS JOIN LATERAL (
      SELECT count(*) AS jobs FROM (
        ${countOf("h.limit_group <> '' AND j.limit_group = h.limit_group")} UNION ALL ${countOf("h.limit_group = '' AND NOT j.keyed")}
      ) counted
    ) c
    WHERE s.leased >= s.concurrent OR s.used >= s.rate_count GROUP BY h.limit_group
  ), leased AS MATERIALIZED (
    SELECT coalesce(c.limit_group, '') AS limit_group, count(*) AS jobs FROM jobs c
    WHERE c.project_id = ${given.project} AND c.task_type = ${taskType} AND ${areCounted('c', NOW)} GROUP BY coalesce(c.limit_group, '')
  ), used AS (
    SELECT limit_group, coalesce(l.jobs, 0)::integer AS leased, least(coalesce(h.jobs, 0), ${MAX_HELD})::integer AS held
    FROM held h FULL JOIN leased l USING (limit_group) ORDER BY held DESC, leased DESC, limit_group
  )
  SELECT coalesce((SELECT sum(leased) FROM used), 0)::integer AS leased, least(coalesce((SELECT sum(held) FROM used), 0), ${MAX_HELD})::integer AS held,
    coalesce((SELECT json_agg(json_build_object('leased', leased, 'held', held, 'key', (
      SELECT j.limit_key FROM jobs j WHERE j.project_id = ${given.project} AND j.task_type = ${taskType} AND j.status = 'PENDING'
        AND u.limit_group <> '' AND j.limit_group = u.limit_group AND j.limit_key IS NOT NULL LIMIT 1))) FROM (SELECT * FROM used LIMIT ${MAX_KEYS}) u), '[]') AS keys`;
