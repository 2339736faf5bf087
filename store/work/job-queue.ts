/**
 * Leasing jobs. A job worker takes jobs of one type under a lease; a job that it does not end before the lease does is
 * leased again.
 */
import type { Pool } from 'pg';
import { announce, jobsAnnouncement } from '../sql/announcements.js';
import { unindexed } from '../sql/by-key.js';
import { preparedRows, rows, type Queryable } from '../sql/database.js';
import { holdsJobs } from './held-jobs.js';
import { parseExecutionKey } from '../sql/ids.js';
import { isLeased } from './leases.js';
import { listPage, Filter, type Page, type PageRequest } from '../sql/page.js';
import { jobColumns, jobJoins, toJob, type Job, type JobRecord } from './jobs.js';
import { isAnySuspended } from '../instances/paused.js';

export interface PollRequest {
  projectID: string;
  taskType: string;
  clientID: string;
  lockDurationMilliseconds: number;
  maxJobs: number;
  /** Return only these variables (default: all). */
  fetchVariables?: string[] | undefined;
}

/**
 * First come, first served, by the time since when a job has been available. Rows locked by another poll are skipped. A
 * row that has changed is evaluated again in its newest version, so only one job worker leases a job.
 *
 * Jobs are found by their definition path (few definitions have jobs of one type at a time), so that all jobs of a
 * suspended definition are skipped at once.
 *
 * If `$6` is true, jobs whose instances wait for them in their workflow task come first.
 *
 * The time when a client was last seen is written every ten seconds, not with every poll.
 */
const pollStatement = `
  WITH RECURSIVE paths AS (
    (SELECT definition_path AS path FROM jobs WHERE project_id = $1 AND task_type = $2 AND status = 'PENDING' AND NOT held ORDER BY definition_path LIMIT 1)
    UNION ALL
    SELECT (SELECT j.definition_path FROM jobs j
      WHERE j.project_id = $1 AND j.task_type = $2 AND j.status = 'PENDING' AND NOT j.held AND j.definition_path > p.path ORDER BY j.definition_path LIMIT 1)
    FROM paths p WHERE p.path IS NOT NULL
  ), seen AS (
    INSERT INTO job_workers (project_id, task_type, client_id, last_seen_at)
    SELECT $1, $2, $3, now() WHERE NOT EXISTS (
      SELECT 1 FROM job_workers WHERE project_id = $1 AND task_type = $2 AND client_id = $3 AND last_seen_at > now() - interval '10 seconds')
    ON CONFLICT (project_id, task_type, client_id) DO UPDATE SET last_seen_at = now()
  ), hot AS MATERIALIZED (
    SELECT j.workflow_id, j.number, j.available_at FROM jobs j JOIN instances i ON i.workflow_id = j.workflow_id
    WHERE $6::boolean AND j.project_id = $1 AND j.task_type = $2 AND j.hot_until > now() AND j.status = 'PENDING' AND NOT j.held AND j.available_at <= now()
      AND ${unindexed('i.status')} = 'RUNNING' AND NOT ${holdsJobs('i')} AND NOT ${isAnySuspended('j.definition_path')}
    ORDER BY j.hot_until LIMIT $5 FOR UPDATE OF j SKIP LOCKED
  ), available AS MATERIALIZED (
    SELECT of_path.workflow_id, of_path.number, of_path.available_at FROM paths p CROSS JOIN LATERAL (
      SELECT j.workflow_id, j.number, j.available_at FROM jobs j JOIN instances i ON i.workflow_id = j.workflow_id
      WHERE j.project_id = $1 AND j.task_type = $2 AND j.definition_path = p.path AND j.status = 'PENDING' AND NOT j.held AND j.available_at <= now()
        AND ${unindexed('i.status')} = 'RUNNING' AND NOT ${holdsJobs('i')}
        AND NOT EXISTS (SELECT FROM hot h WHERE h.workflow_id = j.workflow_id AND h.number = j.number)
      ORDER BY j.available_at LIMIT $5 FOR UPDATE OF j SKIP LOCKED
    ) of_path
    WHERE p.path IS NOT NULL AND NOT ${isAnySuspended('p.path')}
    ORDER BY of_path.available_at LIMIT $5 - (SELECT count(*) FROM hot)
  ), chosen AS (
    SELECT * FROM hot UNION ALL SELECT * FROM available
  ), taken AS (
    UPDATE jobs t SET locked_by = $3, lock_expires_at = now() + $4 * interval '1 millisecond',
      available_at = now() + $4 * interval '1 millisecond', handed_out_at = now(), lease = lease + 1, hot_until = NULL
    FROM chosen a WHERE t.workflow_id = a.workflow_id AND t.number = a.number RETURNING t.*, a.available_at AS waiting_since
  )
  SELECT ${jobColumns}, j.lease, extract(epoch FROM now() - j.waiting_since)::float8 AS "waitedSeconds" FROM taken j ${jobJoins} ORDER BY j.created_at, j.number`;

/** A job that was just leased. */
export interface HandedOutJob extends Job {
  /** Time since when it was available: its creation, the end of its backoff, or the end of an earlier lease. */
  waitedSeconds: number;
  /** Identifies this lease. Results with this token are accepted only until the job is leased again. */
  leaseToken: string;
}

/**
 * Leases up to `maxJobs` jobs that no other client holds. The list is empty if no job is available.
 * @param prefersHot whether jobs whose instances wait for them in their workflow task come first
 */
export async function pollJobs(database: Queryable, request: PollRequest, prefersHot = false): Promise<HandedOutJob[]> {
  const { projectID, taskType, clientID, lockDurationMilliseconds, maxJobs, fetchVariables } = request;
  const taken = await preparedRows<JobRecord & { waitedSeconds: number; lease: number }>(
    database,
    'poll jobs',
    pollStatement,
    [projectID, taskType, clientID, lockDurationMilliseconds, maxJobs, prefersHot],
  );
  return taken.map(({ waitedSeconds, lease, ...record }) => ({
    ...toJob(record, fetchVariables),
    waitedSeconds,
    leaseToken: String(lease),
  }));
}

/**
 * Ends the leases of jobs that were leased to a client that has disconnected, so that the next one gets them at once.
 */
export async function takeBack(
  pool: Pool,
  { projectID, taskType, clientID }: PollRequest,
  jobs: readonly HandedOutJob[],
): Promise<void> {
  const keys = jobs.flatMap((job) => ({ ...parseExecutionKey(job.executionKey)!, lease: job.leaseToken }));
  await pool.query(
    `UPDATE jobs j SET locked_by = NULL, lock_expires_at = NULL, available_at = now()
     FROM unnest($3::text[], $4::integer[], $5::integer[]) AS k(workflow_id, number, lease)
     WHERE j.workflow_id = k.workflow_id AND j.number = k.number AND j.lease = k.lease AND j.project_id = $1 AND j.locked_by = $2 AND j.status = 'PENDING' AND j.ending_command IS NULL`,
    [
      projectID,
      clientID,
      keys.map(({ workflowID }) => workflowID),
      keys.map(({ number }) => number),
      keys.map(({ lease }) => lease),
    ],
  );
  announce(pool, [jobsAnnouncement(projectID, taskType, jobs.length)]);
}

/**
 * Extends the lease from now on.
 * @returns when the lease ends; undefined if the client does not hold it (anymore)
 */
export async function extendLease(
  database: Queryable,
  job: {
    projectID: string;
    workflowID: string;
    number: number;
    clientID: string;
    leaseToken?: string | undefined;
    lockDurationMilliseconds: number;
  },
): Promise<Date | undefined> {
  const { projectID, workflowID, number, clientID, leaseToken, lockDurationMilliseconds } = job;
  const [extended] = await rows<{ lockExpiresAt: Date }>(
    database,
    `UPDATE jobs SET lock_expires_at = now() + $5 * interval '1 millisecond', available_at = now() + $5 * interval '1 millisecond'
     WHERE project_id = $1 AND workflow_id = $2 AND number = $3 AND ${isLeased({ client: '$4', lease: '$6' })}
       AND status = 'PENDING' AND ending_command IS NULL
     RETURNING lock_expires_at AS "lockExpiresAt"`,
    [projectID, workflowID, number, clientID, lockDurationMilliseconds, leaseToken ?? null],
  );
  return extended?.lockExpiresAt;
}

export interface QueueDepth {
  taskType: string;
  /** Jobs that have not ended, including leased ones. */
  pendingCount: number;
}

/** Pending jobs by type, by name. */
export async function queueDepth(database: Queryable, projectID: string, createdAfter?: Date): Promise<QueueDepth[]> {
  return rows<QueueDepth>(
    database,
    `SELECT task_type AS "taskType", count(*)::float8 AS "pendingCount" FROM jobs
     WHERE project_id = $1 AND status = 'PENDING' AND ($2::timestamptz IS NULL OR created_at > $2)
     GROUP BY task_type ORDER BY task_type`,
    [projectID, createdAfter ?? null],
  );
}

export interface JobWorker {
  taskType: string;
  clientID: string;
  lastSeenAt: Date;
}

/** Clients that polled for jobs within the last minute (plus up to ten seconds between two writes). */
export async function listWorkers(database: Queryable, projectID: string, page: PageRequest): Promise<Page<JobWorker>> {
  const query = {
    columns: 'task_type AS "taskType", client_id AS "clientID", last_seen_at AS "lastSeenAt"',
    table: 'job_workers',
    filter: new Filter().where('project_id = ?', projectID).whereTrue("last_seen_at > now() - interval '70 seconds'"),
    orderBy: 'task_type, client_id',
  };
  return listPage<JobWorker>(database, query, page);
}

/** Deletes clients not seen for a day. */
export async function forgetOldWorkers(database: Queryable): Promise<void> {
  await database.query("DELETE FROM job_workers WHERE last_seen_at < now() - interval '1 day'");
}
