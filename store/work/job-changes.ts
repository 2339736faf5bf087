/** Changing a pending job: its attempts, its priority, and when it can be leased. A poll sees all of a change or nothing. */
import { unindexed } from '../sql/by-key.js';
import { firstRow, rows, type Database } from '../sql/database.js';
import { refused, type Refusal } from '../sql/refusal.js';
import { jobsAnnouncements } from './announced-jobs.js';
import { jobColumns, jobJoins, toJob, type Job, type JobRecord } from './jobs.js';

export interface JobChange {
  projectID: string;
  workflowID: string;
  /** The job's number in its instance. */
  number: number;
  /** Attempts left. */
  retries?: number | undefined;
  priority?: number | undefined;
  /** A time in the past means now; a job that is available keeps its place. */
  availableAt?: Date | undefined;
}

/** A lease is never cut short, so it also decides until when the job is not available. */
const changeStatement = `
  WITH changed AS (
    UPDATE jobs j SET retries = coalesce($4::integer, j.retries), priority = coalesce($5::integer, j.priority),
      available_at = CASE WHEN $6::timestamptz IS NULL THEN j.available_at WHEN $6::timestamptz <= now() THEN least(j.available_at, now()) ELSE $6::timestamptz END
    FROM instances i
    WHERE i.workflow_id = $2 AND ${unindexed('i.status')} = 'RUNNING' AND NOT i.canceling
      AND j.workflow_id = $2 AND j.number = $3 AND ${unindexed('j.project_id')} = $1
      AND ${unindexed('j.status')} = 'PENDING' AND j.ending_command IS NULL
      AND ($6::timestamptz IS NULL OR NOT coalesce(j.lock_expires_at > now(), false))
    RETURNING j.*
  )
  SELECT ${jobColumns} FROM changed j ${jobJoins}`;

/** Changes a job that has not ended and is not ending. */
export async function changeJob(
  database: Database,
  change: JobChange,
): Promise<{ kind: 'changed'; job: Job } | Refusal<'NOT_FOUND' | 'CONFLICT'>> {
  const { projectID, workflowID, number, retries, priority, availableAt } = change;
  const [changed] = await rows<JobRecord>(database, changeStatement, [
    projectID,
    workflowID,
    number,
    retries ?? null,
    priority ?? null,
    availableAt ?? null,
  ]);
  if (!changed) return explainRefusal(database, change);
  if (availableAt) database.announce(jobsAnnouncements(projectID, [changed.taskType]));
  return { kind: 'changed', job: toJob(changed) };
}

async function explainRefusal(
  database: Database,
  { projectID, workflowID, number }: JobChange,
): Promise<Refusal<'NOT_FOUND' | 'CONFLICT'>> {
  const job = await firstRow<{ status: string; leased: boolean; ending: boolean }>(
    database,
    `SELECT j.status, coalesce(j.lock_expires_at > now(), false) AS leased, j.ending_command IS NOT NULL OR i.canceling OR i.status <> 'RUNNING' AS ending
     FROM jobs j JOIN instances i USING (workflow_id) WHERE j.project_id = $1 AND j.workflow_id = $2 AND j.number = $3`,
    [projectID, workflowID, number],
  );
  if (!job) return refused('NOT_FOUND', `There is no job ${number} of instance ${workflowID} in this project`);
  const state = job.status !== 'PENDING' ? job.status : job.ending ? 'ending' : job.leased ? 'leased' : undefined;
  return refused(
    'CONFLICT',
    state === undefined
      ? `Job ${number} of instance ${workflowID} has changed in the meantime. Retry the request.`
      : `Cannot change job ${number} of instance ${workflowID} because its state is ${state}`,
  );
}
