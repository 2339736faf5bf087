/**
 * The projects in which jobs of some types can be leased now: for a worker of all projects. Projects of tests are left out,
 * because a draft must not call real services.
 */
import { rows, type Queryable } from '../../sql/database.js';

/** Projects per call. They are in random order, so that none is passed over for long. */
const MAX_PROJECTS = 100;

export async function projectsWithJobs(database: Queryable, taskTypes: readonly string[]): Promise<string[]> {
  const found = await rows<{ id: string }>(
    database,
    `SELECT p.id FROM projects p WHERE strpos(p.id, '~') = 0 AND EXISTS (
       SELECT 1 FROM unnest($1::text[]) AS t(task_type) CROSS JOIN LATERAL (
         SELECT 1 FROM jobs j WHERE j.project_id = p.id AND j.task_type = t.task_type AND j.status = 'PENDING' AND NOT j.withheld
           AND j.available_at <= now() LIMIT 1) available)
     ORDER BY random() LIMIT ${MAX_PROJECTS}`,
    [taskTypes],
  );
  return found.map(({ id }) => id);
}
