import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { cleanup } from '../../worker/chores/cleanup.js';
import { deploy, projectID, useStore, valueOf } from '../store/support/store.js';
import { ensureTestProject, testProjectOf } from '../../store/projects/tests.js';
import { runAll } from './support/chores.js';

const store = useStore();
const chores = () => cleanup({ store: store.database, onExpired: () => {} });

it('cleanup deletes rows past their retention, and keeps younger ones', async () => {
  const [old, young, worker] = [randomUUID(), randomUUID(), randomUUID()];
  const insertKey = `INSERT INTO idempotency_keys (project_id, operation_id, subject, key, fingerprint, created_at)
    VALUES ('p', 'Start', 'eda', $1, 'f', now() - $2::interval)`;
  await store.database.query(insertKey, [old, '25 hours']);
  await store.database.query(insertKey, [young, '23 hours']);
  await store.database.query(
    "INSERT INTO job_workers (project_id, task_type, client_id, last_seen_at) VALUES ('p', 't', $1, now() - interval '2 days'), ('p', 't', 'young', now())",
    [worker],
  );
  await runAll(chores());
  expect(await valueOf(store, 'SELECT array_agg(client_id) AS value FROM job_workers')).toEqual(['young']);
  expect(
    await valueOf(store, 'SELECT array_agg(key) AS value FROM idempotency_keys WHERE key IN ($1, $2)', [old, young]),
  ).toEqual([young]);
});

it('cleanup catches up with keys of a day in which no process ran, a limited number per statement', async () => {
  await store.database.query(
    `INSERT INTO idempotency_keys (project_id, operation_id, subject, key, fingerprint, created_at)
     SELECT 'many', 'Start', 'eda', n::text, 'f', now() - interval '30 hours' FROM generate_series(1, 12000) n`,
  );
  const deleted: number[] = [];
  const counting = {
    query: async (...query: [string]) => {
      const result = await store.database.query(...query);
      deleted.push(result.rowCount ?? 0);
      return result;
    },
  };
  const keys = cleanup({ store: counting as never, onExpired: () => {} }).filter(
    ({ name }) => name === 'idempotency_keys',
  );
  await runAll(keys);
  expect(deleted).toEqual([5_000, 5_000, 2_000, 0]);
});

it('cleanup erases all tests of deleted drafts in one run, except one that cannot be erased', async () => {
  const tests = testProjectOf(projectID);
  await ensureTestProject(store.database, projectID);
  const { definitionID } = await deploy(store, 'tested');
  await store.database.query(
    `WITH tested AS (UPDATE resources SET tested_draft = gen_random_uuid(), project_id = $2
       WHERE id = (SELECT resource_id FROM definitions WHERE id = $1))
     INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, variables, status, completed_at)
     SELECT 'test-' || n, $2, $1, 'test-' || n, '{}', 'COMPLETED', now() FROM generate_series(1, 70) n`,
    [definitionID, tests],
  );
  // Refused as long as a called instance is running.
  await store.database.query(
    `INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, parent_workflow_id, variables)
     VALUES ('test-1.called', $2, $1, 'test-1', 'test-1', '{}')`,
    [definitionID, tests],
  );
  await runAll(chores().filter(({ name }) => name === 'tests_of_deleted_drafts'));
  const left = 'SELECT array_agg(workflow_id ORDER BY workflow_id) AS value FROM instances WHERE project_id = $1';
  expect(await valueOf(store, left, [tests])).toEqual(['test-1', 'test-1.called']);
});

it('cleanup walks over tables without an index on age page by page', async () => {
  await store.database.query(
    `INSERT INTO job_workers (project_id, task_type, client_id, last_seen_at)
     SELECT 'pages', 't', n::text, now() - CASE WHEN n % 2 = 0 THEN interval '2 days' ELSE interval '0' END FROM generate_series(1, 11000) n`,
  );
  await runAll(chores().filter(({ name }) => name === 'job_workers'));
  expect(
    await valueOf(
      store,
      `SELECT array_agg(DISTINCT client_id::int % 2) || count(*)::int AS value FROM job_workers WHERE project_id = 'pages'`,
    ),
  ).toEqual([1, 5_500]);
});
