/** How many rows a poll reads, counted by Postgres. */
import { expect, it } from 'vitest';
import type { Database } from '../../store/sql/database.js';
import { pollJobs } from '../../store/work/job-queue.js';
import { resumeDefinition, suspendDefinition } from '../../store/suspension/definitions.js';
import { resumeInstance, suspendInstance } from '../../store/suspension/suspension.js';
import { cancelInstance } from '../../store/instances/cancellation.js';
import { deploy, projectID, start, startWithJob, useStore } from './support/store.js';

const store = useStore();
const PAUSED = 2_000;

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Relation Name'?: string;
  Plans?: Plan[];
}

/** Rows of `jobs` that the poll looks at. */
async function rowsRead(taskType: string): Promise<number> {
  let read = 0;
  const explaining = {
    query: async ({ text, values }: { text: string; values: unknown[] }) => {
      const { rows } = await store.database.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        values,
      );
      read += readBy(rows[0]!['QUERY PLAN'][0].Plan);
      const suspended = 'SELECT EXISTS (SELECT FROM definitions WHERE suspended_at IS NOT NULL) AS "isSuspended"';
      return { rows: (await store.database.query(`${suspended}, false AS "isLimited", NULL AS place`)).rows };
    },
  };
  await pollJobs(explaining as unknown as Database, {
    projectID,

    clientID: 'w',
    types: [{ taskType, lockDurationMilliseconds: 1 }],
    maxJobs: 10,
  });
  return read;
}

function readBy(plan: Plan): number {
  const own =
    plan['Relation Name'] === 'jobs'
      ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
      : 0;
  return own + (plan.Plans ?? []).reduce((sum, part) => sum + readBy(part), 0);
}

/** Called by `parent`, each with a job that is older than every other. */
async function callMany(parent: string, taskType: string): Promise<void> {
  await store.database.query(
    `INSERT INTO instances (workflow_id, project_id, definition_id, parent_workflow_id, root_workflow_id, depth, variables, ancestor_definitions)
     SELECT workflow_id || '-' || n, project_id, definition_id, workflow_id, workflow_id, 1, '{}', ARRAY[definition_id] FROM instances, generate_series(1, ${PAUSED}) n WHERE workflow_id = $1`,
    [parent],
  );
  await store.database.query(
    `INSERT INTO jobs (workflow_id, number, project_id, definition_path, element, node_id, task_type, retries, created_at, available_at)
     SELECT workflow_id, 3, project_id, ancestor_definitions || definition_id, 2, 'task', $2, 3, now() - interval '1 hour', now() - interval '1 hour' FROM instances WHERE parent_workflow_id = $1`,
    [parent, taskType],
  );
  await store.database.query('ANALYZE jobs, instances');
}

it('the rows that a poll reads do not grow with the jobs below an instance that is suspended or being canceled', async () => {
  const parent = await start(store);
  await callMany(parent, 'many');
  await startWithJob(store, 'many');
  await suspendInstance(store.database, { projectID, workflowID: parent, actor: 'ada' });
  await store.database.query('VACUUM ANALYZE jobs');
  expect(await rowsRead('many')).toBeLessThan(50);
  await resumeInstance(store.database, { projectID, workflowID: parent, actor: 'ada' });
  await cancelInstance(store.database, { projectID, workflowID: parent, awaited: false });
  await store.database.query('VACUUM ANALYZE jobs');
  expect(await rowsRead('many')).toBeLessThan(50);
});

/** Jobs whose instances are called by that many definitions, as those of a shared process are after many deployments. */
async function callFromMany(called: string, taskType: string, paths: number): Promise<void> {
  await store.database.query(
    `INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, depth, variables, ancestor_definitions)
     SELECT workflow_id || '-' || n, project_id, definition_id, workflow_id || '-' || n, 1, '{}', ARRAY[gen_random_uuid()]
     FROM instances, generate_series(1, $2::integer) n WHERE workflow_id = $1`,
    [called, paths],
  );
  await store.database.query(
    `INSERT INTO jobs (workflow_id, number, project_id, definition_path, element, node_id, task_type, priority, retries, created_at, available_at)
     SELECT workflow_id, 3, project_id, ancestor_definitions || definition_id, 2, 'task', $2, number % 2, 3, now() - number * interval '1 second', now() - number * interval '1 second'
     FROM instances WHERE starts_with(workflow_id, $1 || '-')`,
    [called, taskType],
  );
  await store.database.query('VACUUM ANALYZE jobs, instances');
}

it('the rows that a poll reads do not grow with the definitions that call its process', async () => {
  const called = await start(store);
  await callFromMany(called, 'shared', PAUSED);
  expect(await rowsRead('shared')).toBeLessThan(150);
});

it('the rows that a poll reads do not grow with the jobs of a suspended definition', async () => {
  const { definitionID } = await deploy(store);
  await callMany(await start(store, { definitionID }), 'definition');
  await startWithJob(store, 'definition');
  const suspension = { projectID, definitionID, actor: 'ada' };
  await suspendDefinition(store.database, suspension);
  await store.database.query('VACUUM ANALYZE jobs');
  expect(await rowsRead('definition')).toBeLessThan(50);
  await resumeDefinition(store.database, suspension);
});

it('polls lease the same jobs in the same order while an unrelated definition is suspended', async () => {
  const called = await start(store);
  await callFromMany(called, 'ordered', 40);
  const lease = async () => {
    const leased: string[] = [];
    for (const [turn, maxJobs] of [1, 3, 1, 7, 2, 10, 5, 11].entries()) {
      const types = [{ taskType: 'ordered', lockDurationMilliseconds: 60_000 }];
      const longest = { untilLongest: () => 1 + (turn % 4) };
      const jobs = await pollJobs(store.database, { projectID, clientID: 'w', types, maxJobs }, longest);
      leased.push(...jobs.map(({ executionKey, wasLongest }) => `${executionKey} ${wasLongest}`));
    }
    await store.database.query(
      "UPDATE jobs SET available_at = created_at, lock_expires_at = NULL, locked_by = NULL WHERE task_type = 'ordered'",
    );
    return leased;
  };
  const leased = await lease();
  expect(leased).toHaveLength(40);
  const suspension = { projectID, definitionID: (await deploy(store)).definitionID, actor: 'ada' };
  await suspendDefinition(store.database, suspension);
  expect(await lease()).toEqual(leased);
  await resumeDefinition(store.database, suspension);
});
