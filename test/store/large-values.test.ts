/** Rows with large values: pages and chunks of streams have a limited number of bytes, and so have polls. */
import { describe, expect, it } from 'vitest';
import type { Variables } from '@perdure/engine/contract/json.js';
import { listDefinitions } from '../../store/decisions/decisions.js';
import { listExecutions } from '../../store/decisions/executed.js';
import { listResources } from '../../store/definitions/resources.js';
import type { Queryable } from '../../store/sql/database.js';
import { ENOUGH_BYTES } from '../../store/sql/page.js';
import { putLimit } from '../../store/work/limits/limits.js';
import { listJobs, streamJobs } from '../../store/work/job-lists.js';
import { pollJobs } from '../../store/work/job-queue.js';
import { listUserTasks } from '../../store/work/user-tasks/lists.js';
import { began, commitStep, jobCreated, projectID, start, useStore } from './support/store.js';

const store = useStore();

/** It compresses to a hundredth, so its stored size says little. */
const MEBIBYTE = 'x'.repeat(1024 * 1024);
const JOBS = 20;
/** Rows with a mebibyte each, until there are enough bytes. */
const COMPLETE = ENOUGH_BYTES / MEBIBYTE.length;

let types = 0;
async function manyJobs(variables: Variables, localVariables?: Variables) {
  const taskType = `large-${(types += 1)}`;
  const workflowID = await start(store, { variables });
  const jobs = Array.from({ length: JOBS }, (_, at) =>
    jobCreated(2 + 2 * at, taskType, { ...(localVariables && { localVariables }) }),
  );
  await commitStep(store, workflowID, 1, [...began, ...jobs.flat()]);
  return { taskType, workflowID };
}

/** Notes the bytes that each statement returns. */
function counting(): { database: Queryable; bytes: number[] } {
  const bytes: number[] = [];
  const query = async (...given: Parameters<Queryable['query']>) => {
    const answer = await store.database.query(...given);
    bytes.push(Buffer.byteLength(JSON.stringify(answer.rows)));
    return answer;
  };
  return { database: { query } as Queryable, bytes };
}

describe('a page of rows with large values', () => {
  it('leaves the variables out of the jobs that follow enough bytes', async () => {
    const { workflowID } = await manyJobs({ doc: MEBIBYTE });
    const { database, bytes } = counting();
    const { data, total } = await listJobs(database, projectID, { workflowID }, { page: 1, pageSize: 100 });
    expect([data.length, total]).toEqual([JOBS, JOBS]);
    expect(data.map(({ isOmitted }) => isOmitted)).toEqual(data.map((_, at) => at >= COMPLETE));
    expect(data.map(({ variables }) => 'doc' in variables)).toEqual(data.map((_, at) => at < COMPLETE));
    expect(Math.max(...bytes)).toBeLessThan(ENOUGH_BYTES + 2 * MEBIBYTE.length);
  });

  it('has one complete job however small the page is', async () => {
    const { workflowID } = await manyJobs({ doc: MEBIBYTE });
    const { data } = await listJobs(store.database, projectID, { workflowID }, { page: 7, pageSize: 1 });
    expect(data).toMatchObject([{ isOmitted: false, variables: { doc: MEBIBYTE } }]);
  });

  it('leaves the variables out of user tasks', async () => {
    const workflowID = await start(store, { variables: { doc: MEBIBYTE } });
    await store.database.query(
      `INSERT INTO user_tasks (workflow_id, number, project_id, element, node_id, candidate_users, candidate_groups, created_at)
       SELECT $1, n, $2, n, 'task', '{}', '{}', now() FROM generate_series(1, ${JOBS}) n`,
      [workflowID, projectID],
    );
    const { data } = await listUserTasks(store.database, projectID, { workflowID }, { page: 1, pageSize: 100 });
    expect(data.filter(({ isOmitted }) => !isOmitted)).toHaveLength(COMPLETE);
    expect(data).toHaveLength(JOBS);
  });

  it('leaves inputs and outputs out of evaluations, and XML out of files', async () => {
    await store.database.query(
      `INSERT INTO decision_definitions (project_id, definitions_id, namespace, name, version, xml, imported, model, created_by)
       SELECT $1, 'large', 'large', 'large', n, $2, '[]', '{}', 'eda' FROM generate_series(1, ${JOBS}) n`,
      [projectID, MEBIBYTE],
    );
    await store.database.query(
      `INSERT INTO decision_executions (project_id, definition_id, definitions_id, inputs, outputs)
       SELECT project_id, id, 'large', json_build_object('a', xml), json_build_object('b', xml) FROM decision_definitions
       WHERE definitions_id = 'large'`,
    );
    await store.database.query(
      `INSERT INTO resources (project_id, name, xml, definitions_id, created_by)
       SELECT $1, 'large', $2, 'large', 'eda' FROM generate_series(1, ${JOBS}) n`,
      [projectID, MEBIBYTE],
    );
    const page = { page: 1, pageSize: 100 };
    const files = await listDefinitions(store.database, projectID, page, 'large');
    const drafts = await listResources(store.database, projectID, { definitionsID: 'large' }, page);
    const evaluations = await listExecutions(store.database, projectID, { definitionsID: 'large' }, page);
    expect(files.data.flatMap(({ xml }) => xml ?? [])).toHaveLength(COMPLETE);
    expect(drafts.data.flatMap(({ xml }) => xml ?? [])).toHaveLength(COMPLETE);
    expect(evaluations.data.flatMap(({ inputs }) => inputs ?? [])).toHaveLength(COMPLETE / 2);
    for (const { data } of [files, drafts, evaluations])
      expect(data.filter(({ isOmitted }) => isOmitted).length).toBeGreaterThan(JOBS / 2);
  });
});

describe('a stream of rows with large values', () => {
  it.each(['asc', 'desc'] as const)('has every job complete once, in chunks of enough bytes: %s', async (order) => {
    const { workflowID } = await manyJobs({ doc: MEBIBYTE });
    const { database, bytes } = counting();
    const keys = new Set<string>();
    let count = 0;
    for await (const { executionKey, variables } of streamJobs(database, projectID, { workflowID }, order)) {
      expect(variables['doc']).toHaveLength(MEBIBYTE.length);
      keys.add(executionKey);
      count += 1;
    }
    expect([count, keys.size]).toEqual([JOBS, JOBS]);
    expect(Math.max(...bytes)).toBeLessThan(ENOUGH_BYTES + 2 * MEBIBYTE.length);
  });
});

describe('a poll for jobs with large variables', () => {
  const poll = (taskType: string, fetchVariables?: string[], database: Queryable = store.database) =>
    pollJobs(database as typeof store.database, {
      projectID,
      clientID: 'one',
      types: [{ taskType, lockDurationMilliseconds: 30_000, fetchVariables }],
      maxJobs: 100,
    });

  it('leases as many as have enough bytes, and leaves the others for the next polls', async () => {
    const { taskType } = await manyJobs({ doc: MEBIBYTE });
    const leased: string[] = [];
    for (;;) {
      const jobs = await poll(taskType);
      if (jobs.length === 0) break;
      expect(jobs).toHaveLength(COMPLETE);
      for (const { executionKey, variables } of jobs) {
        expect(variables['doc']).toHaveLength(MEBIBYTE.length);
        leased.push(executionKey);
      }
    }
    expect([leased.length, new Set(leased).size]).toEqual([JOBS, JOBS]);
  });

  it('leases all of them if it asks for a small variable, and reads no other', async () => {
    const { taskType } = await manyJobs({ doc: MEBIBYTE, id: 7 }, { other: MEBIBYTE, item: 'a' });
    const { database, bytes } = counting();
    const jobs = await poll(taskType, ['id', 'item', 'absent'], database);
    expect(jobs.map(({ variables }) => variables)).toEqual(Array.from({ length: JOBS }, () => ({ id: 7, item: 'a' })));
    expect(Math.max(...bytes)).toBeLessThan(100_000);
  });

  it('picks variables with text that Postgres cannot decode', async () => {
    const hostile = 'a\u0000b\ud800';
    const { taskType } = await manyJobs({ [hostile]: 1, id: hostile, other: 2 });
    expect((await poll(taskType, ['id', hostile]))[0]!.variables).toEqual({ id: hostile, [hostile]: 1 });
  });

  it('leases as many of a limited type', async () => {
    const { taskType } = await manyJobs({ doc: MEBIBYTE });
    await putLimit(store.database, { projectID, taskType, actor: 'ada', concurrent: 10 });
    expect(await poll(taskType)).toHaveLength(COMPLETE);
    expect(await poll(taskType)).toHaveLength(COMPLETE);
    expect(await poll(taskType)).toHaveLength(10 - 2 * COMPLETE);
  });

  it('takes the longest available job in its turn, not before those of higher priority', async () => {
    const taskType = 'large-turns';
    const workflowID = await start(store, { variables: { doc: MEBIBYTE } });
    const jobs = Array.from({ length: JOBS }, (_, at) =>
      jobCreated(2 + 2 * at, taskType, { priority: at < 10 ? 1 : 5 }),
    );
    await commitStep(store, workflowID, 1, [...began, ...jobs.flat()]);
    await store.database.query(
      `UPDATE jobs SET available_at = now() - (100 - number) * interval '1 second' WHERE workflow_id = $1`,
      [workflowID],
    );
    const leased = await poll(taskType);
    expect(leased.map(({ priority }) => priority)).toEqual([5, 5, 5, 5]);
  });
});
