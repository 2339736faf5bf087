/**
 * Leasing jobs. A job worker takes jobs of some types under a lease; a job that it does not end before the lease does is
 * leased again.
 */
import { indexedText } from '../sql/text.js';
import { preparedRows, rows, type Database, type Queryable } from '../sql/database.js';
import { deletePage, type KeyOfRow, type PagedDelete } from '../sql/delete-page.js';
import { parseExecutionKey } from '../sql/ids.js';
import { timeCondition } from '../lists/filters.js';
import { jobsAnnouncements } from './announced-jobs.js';
import { isLeased } from './leases.js';
import { listPage, Filter, type Page, type PageRequest } from '../sql/page.js';
import { toJob } from './jobs.js';
import { pollLimited } from './limits/limited-poll.js';
import {
  pollValues,
  type HandedOutJob,
  type LeasedRecord,
  type PollOptions,
  type PollRequest,
} from './poll-request.js';
import { pollByPathStatement, pollStatement } from './poll-statement.js';

export type { HandedOutJob, PollOptions, PollRequest };

/** A row of a poll; without a job if none was leased. */
type PollRow = (LeasedRecord | { place: null }) & {
  /** Whether a definition of the project is suspended. */
  isSuspended: boolean;
  /** Whether one of the types has a limit. */
  isLimited: boolean;
};

/** A poll that waited for a limit that was removed begins again. */
const MAX_LOOKS = 5;

/** Leases up to `maxJobs` jobs that no other client holds. The list is empty if no job is available. */
export async function pollJobs(
  database: Database,
  request: PollRequest,
  options: PollOptions = {},
): Promise<HandedOutJob[]> {
  const types = new Map(request.types.map((type) => [indexedText(type.taskType), type]));
  for (let looks = 1; ; looks += 1) {
    const unlimited = await pollUnlimited(database, request, options);
    const leased = unlimited === 'limited' ? await pollLimited(database, request, options, pollUnlimited) : unlimited;
    if (leased !== undefined || looks === MAX_LOOKS)
      return (leased ?? []).map(({ waitedSeconds, wasLongest, lease, place: _place, ...record }) => ({
        ...toJob(record, types.get(record.taskType)!.fetchVariables),
        waitedSeconds,
        wasLongest,
        leaseToken: String(lease),
      }));
  }
}

/** Leases jobs of types without a limit; nothing if one of them has a limit. */
async function pollUnlimited(
  database: Queryable,
  request: PollRequest,
  options: PollOptions,
): Promise<LeasedRecord[] | 'limited'> {
  const values = pollValues(request, options);
  let polled = await preparedRows<PollRow>(database, 'poll jobs', pollStatement, values);
  if (polled[0]?.isSuspended && !polled[0].isLimited)
    polled = await preparedRows<PollRow>(database, 'poll jobs by path', pollByPathStatement, values);
  if (polled[0]?.isLimited) return 'limited';
  return polled.filter(hasJob).map(({ isSuspended: _isSuspended, isLimited: _isLimited, ...leased }) => leased);
}

function hasJob(row: PollRow): row is LeasedRecord & PollRow {
  return row.place !== null;
}

/**
 * Ends the leases of jobs that were leased to a client that has disconnected, so that the next one gets them at once.
 */
export async function takeBack(
  database: Database,
  { projectID, clientID }: PollRequest,
  jobs: readonly HandedOutJob[],
): Promise<void> {
  const keys = jobs.flatMap((job) => ({ ...parseExecutionKey(job.executionKey)!, lease: job.leaseToken }));
  await database.query(
    `UPDATE jobs j SET locked_by = NULL, lock_expires_at = NULL, available_at = now()
     FROM unnest($3::text[], $4::integer[], $5::integer[]) AS k(workflow_id, number, lease)
     WHERE j.workflow_id = k.workflow_id AND j.number = k.number AND j.lease = k.lease
       AND j.project_id = $1 AND j.locked_by = $2 AND j.status = 'PENDING' AND j.ending_command IS NULL`,
    [
      projectID,
      clientID,
      keys.map(({ workflowID }) => workflowID),
      keys.map(({ number }) => number),
      keys.map(({ lease }) => lease),
    ],
  );
  database.announce(
    jobsAnnouncements(
      projectID,
      jobs.map(({ taskType }) => taskType),
    ),
  );
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

/**
 * Ends the lease on a job. Its former holder cannot end the job anymore.
 * @returns false if the job does not exist or has ended
 */
export async function endLease(
  database: Database,
  { projectID, workflowID, number }: { projectID: string; workflowID: string; number: number },
): Promise<boolean> {
  const [job] = await rows<{ taskType: string }>(
    database,
    `UPDATE jobs SET locked_by = NULL, lock_expires_at = NULL,
       available_at = CASE WHEN lock_expires_at > now() THEN now() ELSE available_at END
     WHERE project_id = $1 AND workflow_id = $2 AND number = $3 AND status = 'PENDING' AND ending_command IS NULL
     RETURNING task_type AS "taskType"`,
    [projectID, workflowID, number],
  );
  if (job) database.announce(jobsAnnouncements(projectID, [job.taskType]));
  return job !== undefined;
}

export interface QueueDepth {
  taskType: string;
  /** Jobs that have not ended, including leased ones. */
  pendingCount: number;
}

/** Pending jobs by type, by name. */
export async function queueDepth(database: Queryable, projectID: string, createdAfter?: Date): Promise<QueueDepth[]> {
  const pending = new Filter()
    .where('project_id = ?', projectID)
    .whereTrue("status = 'PENDING'")
    .whereGiven(timeCondition('created_at', 'after'), createdAfter);
  return rows<QueueDepth>(
    database,
    `SELECT task_type AS "taskType", count(*)::float8 AS "pendingCount" FROM jobs ${pending.text}
     GROUP BY task_type ORDER BY task_type`,
    pending.values,
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

const oldWorkers: PagedDelete = {
  table: 'job_workers',
  key: ['project_id', 'task_type', 'client_id'],
  condition: "job_workers.last_seen_at < now() - interval '1 day'",
  pageSize: 5_000,
};

/** Deletes clients not seen for a day, a page at a time; see `deletePage`. */
export function forgetOldWorkers(database: Queryable, after?: KeyOfRow): Promise<KeyOfRow | undefined> {
  return deletePage(database, oldWorkers, after);
}
