/** How much of the database a poll of a limited type reads when very many keys wait, before and after Postgres has statistics. */
import { beforeAll, expect, it } from 'vitest';
import { limitedHeadsStatement } from '../../store/work/limits/poll-statements.js';
import { pollJobs } from '../../store/work/job-queue.js';
import { putLimit } from '../../store/work/limits/limits.js';
import { began, commitStep, deploy, projectID, start, useStore } from './support/store.js';

const store = useStore();
const KEYS = 3_000;
const JOBS = 2 * KEYS;
/** To an entry of the index of keys, and to its job. */
const BLOCKS_PER_KEY = 6;

beforeAll(async () => {
  await store.database.query('ALTER TABLE jobs SET (autovacuum_enabled = off)');
  await store.database.query('ALTER TABLE limit_groups SET (autovacuum_enabled = off)');
});

/** Waiting jobs of a type, in turn of each key. Each key has been served. */
async function wait(taskType: string): Promise<void> {
  const { definitionID } = await deploy(store);
  const workflowID = await start(store, { definitionID });
  await commitStep(store, workflowID, 1, began);
  await putLimit(store.database, { projectID, taskType, actor: 'ada', concurrent: 1 });
  await store.database.query('UPDATE job_limits SET keyed = true WHERE task_type = $1', [taskType]);
  await store.database.query(
    `INSERT INTO jobs (workflow_id, number, project_id, definition_path, element, node_id, task_type, retries, created_at, available_at, limit_group)
     SELECT $1, n, $2, ARRAY[$3]::uuid[], n, 'work', $4, 3, now(), now() - n * interval '1 millisecond', md5((n % $5)::text) FROM generate_series(10, ${JOBS}) n`,
    [workflowID, projectID, definitionID, taskType, KEYS],
  );
  await store.database.query(
    `INSERT INTO limit_groups (project_id, task_type, in_tests, limit_group, served_at)
     SELECT $1, $2, false, md5(n::text), now() - n * interval '1 second' FROM generate_series(0, $3 - 1) n`,
    [projectID, taskType, KEYS],
  );
}

interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

/** Blocks that a statement reads. */
async function blocksOf(text: string, values: unknown[]): Promise<number> {
  const explained = await store.database.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${text}`,
    values,
  );
  const { Plan: plan } = explained.rows[0]!['QUERY PLAN'][0];
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

const poll = (taskType: string) =>
  pollJobs(store.database, {
    projectID,
    clientID: 'w',
    types: [{ taskType, lockDurationMilliseconds: 60_000 }],
    maxJobs: 10,
  });

it('a poll compares thousands of waiting keys by one entry of an index each, with statistics and without', async () => {
  await wait('keys');
  const heads = () => blocksOf(limitedHeadsStatement, [projectID, 'keys', '7', 10, 10]);
  expect(await heads()).toBeLessThan(KEYS * BLOCKS_PER_KEY);
  expect(await poll('keys')).toHaveLength(10);
  await store.database.query('ANALYZE jobs, limit_groups, job_limits, instances, definitions');
  expect(await heads()).toBeLessThan(KEYS * BLOCKS_PER_KEY);
  expect(await poll('keys')).toHaveLength(10);
}, 120_000);
