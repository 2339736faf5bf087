/** Which jobs a limit holds back at the time of a read. */
import { rows, type Queryable } from '../../sql/database.js';
import { limitOf } from './limits.js';
import { isGroupOf, leasedInWindow, leasedOf, type KeyOfType } from './usage.js';

export type HeldBy = 'CONCURRENCY' | 'RATE';

interface JobKey {
  workflowID: string;
  number: number;
}

const key: KeyOfType = { project: '$1::text', taskType: 'k.task_type', group: 'k.limit_group', l: 'l', at: 'now()' };

const heldStatement = `
  WITH waiting AS MATERIALIZED (
    SELECT j.workflow_id, j.number, j.task_type, coalesce(j.limit_group, '') AS limit_group
    FROM unnest($2::text[], $3::integer[]) AS w(workflow_id, number) JOIN jobs j USING (workflow_id, number)
    WHERE j.project_id = $1 AND j.status = 'PENDING' AND NOT j.withheld AND j.available_at <= now()
  ), keys AS MATERIALIZED (
    SELECT k.task_type, k.limit_group, l.concurrent, l.rate_count, ${leasedOf(key)} AS leased, ${leasedInWindow('s', key)} AS used
    FROM (SELECT DISTINCT task_type, limit_group FROM waiting) k JOIN job_limits l ON ${limitOf('l', '$1', 'k.task_type')}
    LEFT JOIN limit_groups s ON ${isGroupOf('s', key)}
  )
  SELECT w.workflow_id AS "workflowID", w.number, CASE WHEN k.leased >= k.concurrent THEN 'CONCURRENCY' ELSE 'RATE' END AS "heldBy"
  FROM waiting w JOIN keys k USING (task_type, limit_group) WHERE k.leased >= k.concurrent OR k.used >= k.rate_count`;

/** The jobs that a limit holds back, by number and instance. */
export async function heldJobs(
  database: Queryable,
  projectID: string,
  jobs: readonly JobKey[],
): Promise<(job: JobKey) => HeldBy | undefined> {
  if (jobs.length === 0) return () => undefined;
  const held = await rows<JobKey & { heldBy: HeldBy }>(database, heldStatement, [
    projectID,
    jobs.map(({ workflowID }) => workflowID),
    jobs.map(({ number }) => number),
  ]);
  const byKey = new Map(held.map(({ workflowID, number, heldBy }) => [`${number} ${workflowID}`, heldBy]));
  return ({ workflowID, number }) => byKey.get(`${number} ${workflowID}`);
}
