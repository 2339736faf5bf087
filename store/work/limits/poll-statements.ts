/** The statements of a poll of limited types. The transaction has locked the limits, so leases of these types wait. */
import { isAnySuspended } from '../../instances/paused.js';
import { unindexed } from '../../sql/by-key.js';
import {
  askedNames,
  few,
  fittingOf,
  given,
  isAnySuspendedIn,
  isAvailable,
  leaseAssignments,
  leasedColumns,
  leasedJoins,
  pending,
  runs,
} from '../poll-statement.js';
import { limitOf } from './limits.js';
import { countedAt, isInWindow, reopensAt } from './rate-window.js';
import { areCounted, isGroupOf, leasedInWindow, queueName, typeOf, type KeyOfType } from './usage.js';

/** Keys and priorities that one poll compares. Of more, it compares others each time. */
const MAX_HEADS = 5_000;

/** The time of the statement: the transaction may have begun long before it had the lock. */
const NOW = 'statement_timestamp()';

/** Of the statements for one type, $2. */
const taskType = '(SELECT $2::text)';

const isOfType = `${pending} AND j.task_type = ${taskType}`;
const canBeLeased = `${isAvailable} AND ${runs} AND (NOT ${isAnySuspendedIn(given.project)} OR NOT ${isAnySuspended('j.definition_path')})`;
const candidate = 'j.workflow_id, j.number, j.available_at';

const queue = `(SELECT ${queueName('$1::text', '$2::text')})`;

/** Whether the job is of the type and has a key. */
const hasKey = `${typeOf('j')} = ${queue} AND j.status = 'PENDING' AND NOT j.withheld AND j.limit_group IS NOT NULL`;
const hasNoKey = `${isOfType} AND NOT j.keyed`;

/** Among the jobs of one key: those of the queue `q`. */
const ofKey = (q: string) =>
  `${q}.limit_group <> '' AND ${hasKey} AND j.limit_group = ${q}.limit_group AND j.priority = ${q}.priority`;
/** Among the jobs without a key: those of the queue `q`. */
const ofNoKey = (q: string) => `${q}.limit_group = '' AND ${hasNoKey} AND j.priority = ${q}.priority`;

/** The priorities of the jobs with keys, or of those without, downward. */
function prioritiesOf(name: string, ofKeys: string): string {
  const highest = (below = '') =>
    `(SELECT j.priority FROM jobs j WHERE ${ofKeys} ${below} ORDER BY j.priority DESC LIMIT 1)`;
  return `${name} AS (
    SELECT ${highest()} AS priority
    UNION ALL
    SELECT ${highest('AND j.priority < p.priority')} FROM ${name} p WHERE p.priority IS NOT NULL
  )`;
}

/** Keys of the priority `p` with the first time at which a job of each is available, upward from a random key, and then those before it. */
function keysOf(bounds: string): string {
  const next = (after: string) =>
    `(SELECT j.limit_group, j.available_at FROM jobs j WHERE ${hasKey} AND j.priority = p.priority AND ${bounds} ${after}
      ORDER BY j.limit_group, j.available_at LIMIT 1)`;
  return `(WITH RECURSIVE ahead AS (
      ${next('')}
      UNION ALL
      SELECT following.* FROM ahead a CROSS JOIN LATERAL ${next('AND j.limit_group > a.limit_group')} following
    ) SELECT * FROM ahead)`;
}

const key: KeyOfType = { project: given.project, taskType, group: 'w.limit_group', l: 'l', at: NOW };

/** When the first lease of a used up key ends, and when the first one leaves its window. */
const opensAt = `CASE WHEN u.leased >= u.concurrent THEN u.first_end END, CASE WHEN u.used >= u.rate_count THEN u.reopens_at END`;

/**
 * $3: where to begin with the keys. `queues` has each key and priority with a job that is available, and what is left of the
 * limit. It reads the first job of each in the index, not its instance: that waits until the queue has its turn.
 */
const queuesAndUsage = `
  WITH RECURSIVE ${prioritiesOf('of_keys', hasKey)}, ${prioritiesOf('without_keys', hasNoKey)}, waiting AS MATERIALIZED (
    SELECT '' AS limit_group, p.priority, first.available_at FROM without_keys p CROSS JOIN LATERAL (
      SELECT j.available_at FROM jobs j WHERE ${hasNoKey} AND j.priority = p.priority ORDER BY j.available_at LIMIT 1
    ) first WHERE p.priority IS NOT NULL AND first.available_at <= now()
    UNION ALL
    (SELECT k.limit_group, p.priority, k.available_at FROM of_keys p CROSS JOIN LATERAL (
       SELECT * FROM ${keysOf('j.limit_group >= (SELECT $3::text)')} UNION ALL SELECT * FROM ${keysOf('j.limit_group < (SELECT $3::text)')}
     ) k WHERE p.priority IS NOT NULL AND k.available_at <= now() LIMIT ${MAX_HEADS})
  ), leases AS MATERIALIZED (
    SELECT coalesce(c.limit_group, '') AS limit_group, count(*) AS jobs, min(c.lock_expires_at) AS first_end
    FROM jobs c WHERE ${typeOf('c')} = ${queue} AND ${areCounted('c', NOW)} GROUP BY coalesce(c.limit_group, '')
  ), usage AS MATERIALIZED (
    SELECT w.limit_group, s.served_at, l.concurrent, l.rate_count, coalesce(e.jobs, 0) AS leased, e.first_end,
      ${leasedInWindow('s', key)} AS used,
      CASE WHEN l.rate_count IS NOT NULL THEN ${reopensAt('s', 'l', NOW)} END AS reopens_at
    FROM (SELECT DISTINCT limit_group FROM waiting) w JOIN job_limits l ON ${limitOf('l', given.project, taskType)}
      LEFT JOIN limit_groups s ON ${isGroupOf('s', key)} LEFT JOIN leases e ON e.limit_group = w.limit_group
  ), queues AS MATERIALIZED (
    SELECT w.*, u.served_at, greatest(0, least(u.concurrent - u.leased, u.rate_count - u.used))::integer AS room,
      greatest(${opensAt}) AS opens_at
    FROM waiting w JOIN usage u USING (limit_group)
  )`;

/** A queue of a key and a priority that the poll compares, or the only row without one. */
export interface HeadRow {
  /** Milliseconds until a lease ends, or leaves the window, of a key that is used up. */
  opensIn: number | null;
  /** Whether the poll compares all queues that no limit holds back. */
  isWhole: boolean;
  group: string | null;
  priority: number;
  workflowID: string;
  number: number;
  availableAt: number;
  servedAt: number | null;
  /** How many more jobs of the group can be leased now. */
  room: number;
}

/**
 * The queues from which the next $4 jobs come, with the first job of each. Of those to be taken in turn, they are the first
 * ones by priority and turn that have $4 keys: while fewer jobs are taken, there is a key among them that had none. Of the
 * longest available ones, they are all queues of the $5 keys that have waited longest. While a definition is suspended,
 * first jobs can be of it, and all queues are compared.
 */
export const limitedHeadsStatement = `${queuesAndUsage}, open AS MATERIALIZED (
    SELECT *, row_number() OVER (PARTITION BY limit_group ORDER BY priority DESC) = 1 AS is_highest FROM queues WHERE room > 0
  ), in_turn AS (
    SELECT *, count(*) FILTER (WHERE is_highest) OVER (ORDER BY priority DESC, served_at NULLS FIRST, available_at, limit_group) AS keys FROM open
  ), longest AS MATERIALIZED (
    SELECT limit_group FROM open GROUP BY limit_group ORDER BY min(available_at) LIMIT $5
  ), compared AS MATERIALIZED (
    SELECT * FROM in_turn
    WHERE keys <= $4::integer OR limit_group IN (SELECT limit_group FROM longest) OR ${isAnySuspendedIn(given.project)}
  ), heads AS (
    SELECT c.limit_group AS group, c.priority, c.served_at, c.room, head.* FROM compared c CROSS JOIN LATERAL (
      ${firstOf('c', 1)}
    ) head
  )
  SELECT (extract(epoch FROM (SELECT min(opens_at) FROM queues WHERE room = 0) - ${NOW}) * 1000)::float8 AS "opensIn",
    (SELECT count(*) FROM compared) = (SELECT count(*) FROM open) AS "isWhole",
    h.group, h.priority, h.workflow_id AS "workflowID", h.number, extract(epoch FROM h.available_at)::float8 AS "availableAt",
    extract(epoch FROM h.served_at)::float8 AS "servedAt", h.room
  FROM (SELECT) AS one LEFT JOIN heads h ON true`;

/** The first jobs of the queue `q` that can be leased. */
function firstOf(q: string, count: number | string): string {
  const first = (isIn: string) =>
    `(SELECT ${candidate} FROM jobs j WHERE ${isIn} AND ${canBeLeased} ORDER BY j.available_at LIMIT ${count})`;
  return `${first(ofKey(q))} UNION ALL ${first(ofNoKey(q))}`;
}

/** $3 to $5: the queues by key and priority, and how many jobs of each. */
export const limitedQueuesStatement = `
  SELECT q.place::integer, j.workflow_id AS "workflowID", j.number, extract(epoch FROM j.available_at)::float8 AS "availableAt"
  FROM unnest($3::text[], $4::integer[], $5::integer[]) WITH ORDINALITY AS q(limit_group, priority, count, place)
  CROSS JOIN LATERAL (${firstOf('q', 'q.count')}) j
  ORDER BY q.place, j.available_at`;

/** Leases the jobs $3, $6 in this order, $7 says which were the longest available. Those that others change are left out. */
export const leaseLimitedStatement = `
  WITH asked AS MATERIALIZED (
    SELECT a.task_type, a.lease_milliseconds, ${askedNames} AS names
    FROM unnest(${given.types}, ${given.leases}, ${given.names}) AS a(task_type, lease_milliseconds, names)
  ), chosen AS MATERIALIZED (
    SELECT locked.*, c.place, c.longest FROM unnest($3::text[], $6::integer[], $7::boolean[]) WITH ORDINALITY AS c(workflow_id, number, longest, place)
    CROSS JOIN LATERAL (
      SELECT ${candidate}, j.task_type, j.local_variables FROM jobs j
      WHERE j.workflow_id = c.workflow_id AND j.number = c.number AND ${unindexed('j.status')} = 'PENDING' AND NOT j.withheld AND ${canBeLeased}
      LIMIT 1 FOR UPDATE OF j SKIP LOCKED
    ) locked
  ), ${fittingOf('c.place')}, taken AS (
    UPDATE jobs t SET ${leaseAssignments(NOW)}, counted = true
    FROM ${few('fitting', ['workflow_id', 'number', 'available_at', 'place', 'longest'])} c(workflow_id, number, available_at, place, longest), asked a
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
  SELECT ${leasedColumns}, j.place FROM taken j ${leasedJoins} ORDER BY j.place`;

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

const countOf = (isIn: string) => `(SELECT FROM jobs j WHERE ${isIn} AND ${isAvailable} LIMIT ${MAX_HELD})`;

/** Leased and held jobs of one type, and the keys with the most held jobs. */
export const usageStatement = `${queuesAndUsage}, held AS MATERIALIZED (
    SELECT q.limit_group, sum(c.jobs) AS jobs FROM queues q CROSS JOIN LATERAL (
      SELECT count(*) AS jobs FROM (${countOf(ofKey('q'))} UNION ALL ${countOf(ofNoKey('q'))}) counted
    ) c
    WHERE q.room = 0 GROUP BY q.limit_group
  ), used AS (
    SELECT limit_group, coalesce(l.jobs, 0)::integer AS leased, least(coalesce(h.jobs, 0), ${MAX_HELD})::integer AS held
    FROM held h FULL JOIN leases l USING (limit_group) ORDER BY held DESC, leased DESC, limit_group
  )
  SELECT coalesce((SELECT sum(leased) FROM used), 0)::integer AS leased, least(coalesce((SELECT sum(held) FROM used), 0), ${MAX_HELD})::integer AS held,
    coalesce((SELECT json_agg(json_build_object('leased', leased, 'held', held, 'key', (
      SELECT j.limit_key FROM jobs j WHERE ${typeOf('j')} = ${queue} AND j.status = 'PENDING'
        AND u.limit_group <> '' AND j.limit_group = u.limit_group AND j.limit_key IS NOT NULL LIMIT 1))) FROM (SELECT * FROM used LIMIT ${MAX_KEYS}) u), '[]') AS keys`;
