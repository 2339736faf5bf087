/** Rows of the jobs and user tasks that an instance waits for, by the number of the wait. */
import { rows, type Queryable } from '../sql/database.js';
import type { Execution } from '../work/executions/executions.js';
import { heldJobs, type HeldBy } from '../work/limits/held-jobs.js';

export interface WaitRows {
  jobs: ReadonlyMap<number, WaitingJob>;
  userTasks: ReadonlyMap<number, WaitingUserTask>;
}

export interface WaitingJob {
  taskType: string;
  retries: number;
  /** Null once a result was accepted. */
  availableAt: Date | null;
  lockedBy: string | null;
  lockExpiresAt: Date | null;
  /** The limit of its type that holds it back. */
  heldBy?: HeldBy | undefined;
  execution: Execution | null;
}

export interface WaitingUserTask {
  assignee: string | null;
  candidateUsers: string[];
  candidateGroups: string[];
  dueDate: Date | null;
}

export async function readWaitRows(
  database: Queryable,
  { projectID, workflowID }: { projectID: string; workflowID: string },
  { jobs, userTasks }: { jobs: readonly number[]; userTasks: readonly number[] },
): Promise<WaitRows> {
  return {
    jobs: await readJobs(database, projectID, workflowID, jobs),
    userTasks: await byNumber<WaitingUserTask>(
      database,
      `SELECT number, assignee, candidate_users AS "candidateUsers", candidate_groups AS "candidateGroups", due_date AS "dueDate"
       FROM user_tasks WHERE workflow_id = $1 AND number = ANY($2::integer[])`,
      workflowID,
      userTasks,
    ),
  };
}

async function readJobs(
  database: Queryable,
  projectID: string,
  workflowID: string,
  numbers: readonly number[],
): Promise<Map<number, WaitingJob>> {
  const jobs = await byNumber<WaitingJob>(
    database,
    `SELECT number, task_type AS "taskType", retries, available_at AS "availableAt", locked_by AS "lockedBy", lock_expires_at AS "lockExpiresAt", execution
     FROM jobs WHERE workflow_id = $1 AND number = ANY($2::integer[])`,
    workflowID,
    numbers,
  );
  const heldBy = await heldJobs(
    database,
    projectID,
    [...jobs.keys()].map((number) => ({ workflowID, number })),
  );
  return new Map([...jobs].map(([number, job]) => [number, { ...job, heldBy: heldBy({ workflowID, number }) }]));
}

async function byNumber<Row>(
  database: Queryable,
  statement: string,
  workflowID: string,
  numbers: readonly number[],
): Promise<Map<number, Row>> {
  if (numbers.length === 0) return new Map();
  const found = await rows<Row & { number: number }>(database, statement, [workflowID, numbers]);
  return new Map(found.map((row) => [row.number, row]));
}
