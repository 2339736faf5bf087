/**
 * The statements of a poll: higher priority first, then by the time since when a job has been available. Rows locked by
 * another poll are skipped. A row that has changed is evaluated again in its newest version, so only one job worker
 * leases a job.
 *
 * A queue has all jobs of one type. While a definition of the project is suspended, it has those of one type and one
 * definition path instead, so that all jobs of the suspended definition are skipped at once. Paths are not walked
 * otherwise: one contains the versions of all callers, so a shared process can have thousands. Each kind of queue has its own
 * statement, because a statement for both costs every poll twice as much.
 *
 * `ahead` looks without locks at what is at the head of all queues; only as many jobs of each queue are then locked as
 * are needed of it.
 *
 * If hot jobs are preferred, jobs whose instances wait for them in their workflow task come before others of their priority.
 *
 * Jobs are left for the next poll after `ENOUGH_BYTES` of variables. The named variables of an instance are picked once for all
 * of its jobs, because Postgres reads them as text.
 *
 * The time when a client was last seen is written every ten seconds, not with every poll.
 *
 * Jobs with a limit key are separate queues, which only types that have had such jobs are asked for. A poll that asks for a
 * limited type leases nothing here: `limits/limited-poll.ts` does then.
 */
import { isAnySuspended } from '../instances/paused.js';
import { ordinaryProject } from '../projects/tests.js';
import { unindexed } from '../sql/by-key.js';
import { ENOUGH_BYTES } from '../sql/page.js';
import { withholdsJobs } from './withheld-jobs.js';
import { jobJoins, listedJobColumns } from './jobs.js';

/** One job in this many is the one of its type that has waited longest, so that low priorities do not starve. */
export const JOBS_PER_LONGEST = 10;

/**
 * The values. As subqueries they are unknown to the planner whether it plans for given values or in general, so it keeps
 * the general plan. With plain values it would plan every poll again, which takes longer than the poll.
 */
export const given = {
  project: '(SELECT $1::text)',
  types: '(SELECT $2::text[])',
  most: '(SELECT $3::integer)',
  client: '(SELECT $4::text)',
  leases: '(SELECT $5::integer[])',
  prefersHot: '(SELECT $6::boolean)',
  untilLongest: '(SELECT $7::integer[])',
  /** Of each type: a JSON array of names of variables, or null for all. */
  names: '(SELECT $8::text[])',
};

export const pending = `j.project_id = ${given.project} AND j.status = 'PENDING' AND NOT j.withheld`;

/** The queues of a poll. */
interface Queues {
  /** The part `queues` of the WITH clause, with the columns `task_type`, `path` and `keyed`, after those that it needs. */
  parts: string;
  /** Whether the job `j` is in the queue `q`. */
  isIn: string;
}

/** SQL: whether a definition of the project is suspended. */
export function isAnySuspendedIn(project: string): string {
  return `EXISTS (SELECT FROM definitions s WHERE s.project_id = ${project} AND s.suspended_at IS NOT NULL)`;
}

/** The asked types with a limit, or with jobs that have a limit key; and what holds for the poll. */
const restrictions = `restricted AS MATERIALIZED (
    SELECT l.task_type, l.keyed, l.concurrent IS NOT NULL OR l.rate_count IS NOT NULL AS limited
    FROM job_limits l WHERE l.project_id = (SELECT ${ordinaryProject('$1')}) AND l.task_type = ANY(${given.types}::text[])
  ), project AS MATERIALIZED (
    SELECT ${isAnySuspendedIn(given.project)} AS suspended, EXISTS (SELECT FROM restricted WHERE limited) AS limited
  ), of_keys AS (
    SELECT task_type, false AS keyed FROM asked UNION ALL SELECT task_type, true FROM restricted WHERE keyed
  )`;

const byType: Queues = {
  parts: `queues AS MATERIALIZED (
    SELECT task_type, NULL::uuid[] AS path, keyed FROM of_keys WHERE NOT (SELECT suspended OR limited FROM project)
  )`,
  isIn: `${pending} AND j.task_type = q.task_type AND j.keyed = q.keyed`,
};

const byPath: Queues = {
  parts: `paths AS (
    SELECT k.task_type, k.keyed, (SELECT j.definition_path FROM jobs j
      WHERE ${pending} AND j.task_type = k.task_type AND j.keyed = k.keyed ORDER BY j.definition_path LIMIT 1) AS path
    FROM of_keys k WHERE NOT (SELECT limited FROM project)
    UNION ALL
    SELECT p.task_type, p.keyed, (SELECT j.definition_path FROM jobs j
      WHERE ${pending} AND j.task_type = p.task_type AND j.keyed = p.keyed AND j.definition_path > p.path ORDER BY j.definition_path LIMIT 1)
    FROM paths p WHERE p.path IS NOT NULL
  ), queues AS MATERIALIZED (
    SELECT task_type, path, keyed FROM paths WHERE path IS NOT NULL AND NOT ${isAnySuspended('path')}
  )`,
  isIn: `${pending} AND j.task_type = q.task_type AND j.keyed = q.keyed AND j.definition_path = q.path`,
};
export const isAvailable = 'j.available_at <= now()';
/**
 * Whether the instance of the job runs. As a join, the planner could begin with the instances, of which it expects few
 * to run, and read all of them.
 */
export const runs = `(SELECT i.status = 'RUNNING' AND NOT ${withholdsJobs('i')} FROM instances i WHERE i.workflow_id = j.workflow_id)`;
const key = 'j.workflow_id, j.number, j.task_type, j.priority, j.available_at, j.local_variables';

/**
 * Jobs of the queue `q` in order. The priorities are walked downward only as far as needed: a nested loop asks its outer
 * side, here a recursion, for one row after the other. So neither leased jobs nor those of other priorities are read.
 */
function inOrder({ isIn }: Queues, jobsOfPriority: string, most: string): string {
  return `
    WITH RECURSIVE priorities AS (
      (SELECT j.priority FROM jobs j WHERE ${isIn} ORDER BY j.priority DESC LIMIT 1)
      UNION ALL
      SELECT (SELECT j.priority FROM jobs j WHERE ${isIn} AND j.priority < p.priority ORDER BY j.priority DESC LIMIT 1)
      FROM priorities p WHERE p.priority IS NOT NULL
    )
    SELECT of_priority.* FROM priorities p CROSS JOIN LATERAL (${jobsOfPriority}) of_priority
    WHERE p.priority IS NOT NULL LIMIT ${most}`;
}

/** Jobs without a priority and with one, each by their index. */
function longestOfQueue({ isIn }: Queues): string {
  return ['j.priority = 0', 'j.priority <> 0']
    .map(
      (hasPriority) => `
  (SELECT j.workflow_id, j.number, j.available_at FROM jobs j
   WHERE ${isIn} AND ${hasPriority} AND ${isAvailable} ORDER BY j.available_at LIMIT d.jobs)`,
    )
    .join(' UNION ALL ');
}

const isTaken = (taken: string) =>
  `EXISTS (SELECT FROM ${taken} t WHERE t.workflow_id = j.workflow_id AND t.number = j.number)`;

/**
 * The rows of a common table expression, as an array whose length the planner takes for 10. It expects thousands of rows
 * of a recursion, and would read all of `jobs` instead of looking up each.
 */
export function few(table: string, columns: readonly string[]): string {
  return `unnest(${columns.map((column) => `ARRAY(SELECT ${column} FROM ${table})`).join(', ')}) AS`;
}

/** SQL: the client as the list of job workers shows it. An index has no room for a longer id. */
const listed = `left(${given.client}, 255)`;

/** The heads of all queues. */
const aheadOf = (queues: Queues): string => `${restrictions}, ${queues.parts}, ahead AS MATERIALIZED (
    SELECT q.task_type, q.path, q.keyed, head.priority, head.available_at FROM queues q CROSS JOIN LATERAL (${inOrder(
      queues,
      `SELECT j.priority, j.available_at FROM jobs j WHERE ${queues.isIn} AND j.priority = p.priority AND ${isAvailable} ORDER BY j.available_at LIMIT ${given.most}`,
      given.most,
    )}) head
    ORDER BY head.priority DESC, head.available_at LIMIT ${given.most}
  )`;

/** SQL of the assignments of a lease to the row of a job, from `since` on as long as the row `a` of its type says. */
export function leaseAssignments(since: string): string {
  const end = `${since} + a.lease_milliseconds * interval '1 millisecond'`;
  return `locked_by = ${given.client}, lock_expires_at = ${end}, available_at = ${end}, leased_at = ${since},
      first_leased_at = coalesce(first_leased_at, ${since}), lease = lease + 1, hot_until = NULL`;
}

/** SQL: the names of variables that the type `a` asks for; null for all. */
export const askedNames =
  'CASE WHEN a.names IS NOT NULL THEN ARRAY(SELECT json_array_elements_text(a.names::json)) END';

const picked = (variables: string) =>
  `CASE WHEN a.names IS NULL THEN ${variables} ELSE pick_variables(${variables}, a.names) END`;

/**
 * The parts `roots`, the variables of the instances of the `chosen` jobs, and `fitting`, the first of these jobs that have enough
 * bytes together. All of them stay locked until the poll ends.
 */
export function fittingOf(orderBy: string): string {
  const before = (value: string) => `coalesce(bytes_until(${value}, ${ENOUGH_BYTES}) OVER before, 0)`;
  return `roots AS MATERIALIZED (
    SELECT i.workflow_id, a.task_type, ${picked('i.variables')} AS variables
    FROM (SELECT DISTINCT * FROM ${few('chosen', ['workflow_id', 'task_type'])} c(workflow_id, task_type)) c JOIN asked a USING (task_type) JOIN instances i USING (workflow_id)
  ), fitting AS MATERIALIZED (
    SELECT * FROM (
      SELECT c.*, ${before('r.variables')} + ${before(picked('c.local_variables'))} AS bytes_before
      FROM chosen c JOIN asked a USING (task_type) JOIN roots r USING (workflow_id, task_type)
      WINDOW before AS (ORDER BY ${orderBy} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    ) c WHERE bytes_before < ${ENOUGH_BYTES}
  )`;
}

/** SQL of the columns of a leased job `j` of the type `a`, with the variables `r` of its instance. */
export const leasedColumns = `${listedJobColumns}, r.variables AS "rootVariables", ${picked('j.local_variables')} AS "localVariables", j.lease, extract(epoch FROM now() - j.waiting_since)::float8 AS "waitedSeconds", j.was_longest AS "wasLongest"`;

/** Joins for `leasedColumns`. */
export const leasedJoins = `${jobJoins} JOIN asked a ON a.task_type = j.task_type
    JOIN roots r ON r.workflow_id = j.workflow_id AND r.task_type = j.task_type`;

/** Its only row has no job if none was leased. */
const pollOf = (queues: Queues): string => `
  WITH RECURSIVE asked AS MATERIALIZED (
    SELECT a.task_type, a.lease_milliseconds, a.until_longest, ${askedNames} AS names
    FROM unnest(${given.types}, ${given.leases}, ${given.untilLongest}, ${given.names}) AS a(task_type, lease_milliseconds, until_longest, names)
  ), ${aheadOf(queues)}, seen AS (
    INSERT INTO job_workers (project_id, task_type, client_id, last_seen_at)
    SELECT ${given.project}, a.task_type, ${listed}, now() FROM asked a WHERE NOT EXISTS (
      SELECT 1 FROM job_workers w
      WHERE w.project_id = ${given.project} AND w.task_type = a.task_type AND w.client_id = ${listed} AND w.last_seen_at > now() - interval '10 seconds')
    ORDER BY a.task_type
    ON CONFLICT (project_id, task_type, client_id) DO UPDATE SET last_seen_at = now()
  ), due AS MATERIALIZED (
    SELECT a.task_type, a.until_longest, 1 + (count(*) - a.until_longest) / ${JOBS_PER_LONGEST} AS jobs FROM asked a JOIN ahead USING (task_type)
    GROUP BY a.task_type, a.until_longest HAVING count(*) >= a.until_longest
  ), longest AS MATERIALIZED (
    SELECT locked.*, d.until_longest FROM due d CROSS JOIN LATERAL (
      SELECT of_queue.* FROM queues q CROSS JOIN LATERAL (${longestOfQueue(queues)}) of_queue
      WHERE q.task_type = d.task_type ORDER BY of_queue.available_at LIMIT d.jobs
    ) l CROSS JOIN LATERAL (
      SELECT ${key} FROM jobs j
      WHERE j.workflow_id = l.workflow_id AND j.number = l.number AND ${unindexed('j.status')} = 'PENDING' AND NOT j.withheld AND ${isAvailable} AND ${runs}
      LIMIT 1 FOR UPDATE OF j SKIP LOCKED
    ) locked
  ), hot AS MATERIALIZED (
    SELECT of_type.* FROM asked q CROSS JOIN LATERAL (
      SELECT ${key} FROM jobs j
      WHERE ${given.prefersHot} AND ${pending} AND j.task_type = q.task_type AND j.hot_until > now() AND ${isAvailable}
        AND j.priority >= (SELECT max(priority) FROM ahead) AND ${runs} AND NOT ${isAnySuspended('j.definition_path')} AND NOT ${isTaken('longest')}
      ORDER BY j.hot_until LIMIT ${given.most} FOR UPDATE OF j SKIP LOCKED
    ) of_type LIMIT ${given.most} - (SELECT count(*) FROM longest)
  ), needed AS (
    SELECT task_type, path, keyed, count(*) AS jobs FROM ahead GROUP BY task_type, path, keyed
  ), available AS MATERIALIZED (
    SELECT of_queue.* FROM needed q CROSS JOIN LATERAL (${inOrder(
      queues,
      `SELECT ${key} FROM jobs j
       WHERE ${queues.isIn} AND j.priority = p.priority AND ${isAvailable} AND ${runs} AND NOT ${isTaken('longest')} AND NOT ${isTaken('hot')}
       ORDER BY j.available_at LIMIT q.jobs FOR UPDATE OF j SKIP LOCKED`,
      'q.jobs',
    )}) of_queue
    ORDER BY of_queue.priority DESC, of_queue.available_at LIMIT ${given.most} - (SELECT count(*) FROM longest) - (SELECT count(*) FROM hot)
  ), others AS (
    SELECT hot.*, true AS is_hot FROM hot UNION ALL SELECT available.*, false FROM available
  ), chosen AS MATERIALIZED (
    SELECT workflow_id, number, task_type, available_at, local_variables,
      until_longest + ${JOBS_PER_LONGEST} * (row_number() OVER (PARTITION BY task_type ORDER BY available_at, number) - 1) AS turn, 0 AS rank FROM longest
    UNION ALL
    SELECT workflow_id, number, task_type, available_at, local_variables,
      row_number() OVER (ORDER BY priority DESC, is_hot DESC, available_at, number), 1 FROM others
  ), ${fittingOf('c.turn, c.rank, c.workflow_id, c.number')}, taken AS (
    UPDATE jobs t SET ${leaseAssignments('now()')}
    FROM ${few('fitting', ['workflow_id', 'number', 'available_at'])} c(workflow_id, number, available_at), asked a
    WHERE t.workflow_id = c.workflow_id AND t.number = c.number AND t.task_type = a.task_type
    RETURNING t.*, c.available_at AS waiting_since, (SELECT count(*) FROM longest l WHERE l.workflow_id = t.workflow_id AND l.number = t.number) > 0 AS was_longest
  ), leased AS (
    SELECT ${leasedColumns},
      row_number() OVER (ORDER BY j.priority DESC, j.waiting_since, j.created_at, j.number) AS place
    FROM taken j ${leasedJoins}
  )
  SELECT project.suspended AS "isSuspended", project.limited AS "isLimited", leased.* FROM project LEFT JOIN leased ON true ORDER BY place`;

/** With `isSuspended`, it has leased nothing: `pollByPathStatement` does then. With `isLimited`, neither does. */
export const pollStatement = pollOf(byType);

export const pollByPathStatement = pollOf(byPath);

/** The jobs at the head of the queues of unlimited types, as a poll would lease them. */
const headsOf = (queues: Queues): string => `
  WITH RECURSIVE asked AS MATERIALIZED (
    SELECT * FROM unnest(${given.types}) AS a(task_type)
  ), ${aheadOf(queues)}
  SELECT project.suspended AS "isSuspended", ahead.priority, extract(epoch FROM ahead.available_at)::float8 AS "availableAt"
  FROM project LEFT JOIN ahead ON true ORDER BY ahead.priority DESC, ahead.available_at`;

export const headsStatement = headsOf(byType);

export const headsByPathStatement = headsOf(byPath);
