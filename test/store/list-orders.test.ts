/**
 * The orders that clients offer with a filter begin with rows that match, wherever these are. So a page reads few rows,
 * however long the list is.
 */
import { fastOrders, lists } from '@perdure/client';
import { beforeAll, expect, it } from 'vitest';
import type { InstanceFilter } from '../../store/instances/filters.js';
import { listInstances, type InstanceSort } from '../../store/instances/lists.js';
import { listJobs, type JobFilter, type JobSort } from '../../store/work/job-lists.js';
import { listUserTasks, type UserTaskFilter, type UserTaskSort } from '../../store/work/user-tasks/lists.js';
import type { Queryable } from '../../store/sql/database.js';
import type { SortedPageRequest } from '../../store/lists/list.js';
import { deploy, projectID, useStore } from './support/store.js';
import { rowsReadBy } from './support/rows-read.js';

const store = useStore();
const COUNT = 30_000;
/** More than are read and then sorted. */
const MATCHES = 11_000;
/** A page has 100. */
const MOST_READ = 1_000;

/** Ids, numbers, business ids, and times of start and end are in the same order. */
beforeAll(async () => {
  const { definitionID } = await deploy(store, 'many');
  await store.database.query(
    `INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, business_id, status, created_at, completed_at, variables)
     SELECT 'w' || lpad(n::text, 6, '0'), $1, $2, 'w' || lpad(n::text, 6, '0'),
       CASE WHEN n <= ${MATCHES} THEN 'first-' WHEN n <= ${COUNT - MATCHES} THEN 'middle-' ELSE 'newest-' END || lpad(n::text, 6, '0'), 'COMPLETED',
       '2026-01-01'::timestamptz + n * interval '1 hour', '2026-01-01'::timestamptz + (n + 1) * interval '1 hour', '{}'
     FROM generate_series(1, ${COUNT}) n`,
    [projectID, definitionID],
  );
  await store.database.query(
    `INSERT INTO jobs (workflow_id, number, project_id, definition_path, node_id, element, task_type, status, retries, created_at, completed_at, available_at)
     SELECT workflow_id, 3, project_id, ARRAY[definition_id], 'Node', 2, 'many', 'COMPLETED', 1, created_at, completed_at, created_at FROM instances`,
  );
  await store.database.query(
    `INSERT INTO user_tasks (workflow_id, number, project_id, element, node_id, status, created_at, completed_at, due_date, priority, candidate_users, candidate_groups)
     SELECT workflow_id, 4, project_id, 2, 'Node', 'COMPLETED', created_at, completed_at, completed_at, number % 100, '{}', '{}' FROM instances`,
  );
  await store.database.query('ANALYZE instances, jobs, user_tasks');
}, 120_000);

const timeOf = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * 3_600_000).toISOString();
const times = {
  createdAfter: timeOf(COUNT - MATCHES),
  createdBefore: timeOf(MATCHES),
  completedAfter: timeOf(COUNT - MATCHES + 1),
  completedBefore: timeOf(MATCHES + 1),
};

/** How many rows the scans of a page read. */
const readBy = (readPage: (database: Queryable) => Promise<unknown>) => rowsReadBy(store, readPage);

const page = <Sort extends string>(order: { sort: Sort; order: 'asc' | 'desc' }): SortedPageRequest<Sort> => ({
  page: 1,
  pageSize: 100,
  ...order,
});

const byTime = Object.entries(times).map(([name, time]) => ({ [name]: time }));

it.each<InstanceFilter>([...byTime, { businessIdPrefix: 'first-' }, { businessIdPrefix: 'newest-' }])(
  'the offered orders of instances by %j read few rows',
  async (filter) => {
    const offered = fastOrders<InstanceSort>(lists.ListBpmnInstances, filter);
    for (const order of offered) {
      const read = await readBy((database) => listInstances(database, projectID, filter, page(order)));
      expect(read, `${order.sort} ${order.order}`).toBeLessThan(MOST_READ);
    }
  },
);

it.each<InstanceFilter>(byTime)('the orders of instances that are not offered by %j read many', async (filter) => {
  const [name] = Object.keys(filter);
  const slow = lists.ListBpmnInstances.slow.filter(({ filters }) => filters.some((one) => one === name));
  expect(slow).not.toEqual([]);
  for (const { sort, order } of slow) {
    const read = await readBy((database) => listInstances(database, projectID, filter, page({ sort, order })));
    expect(read, `${sort} ${order}`).toBeGreaterThan(MATCHES / 2);
  }
});

it.each<JobFilter>(byTime)('the offered orders of jobs by %j read few rows', async (filter) => {
  for (const order of fastOrders<JobSort>(lists.ListBpmnExternalJobs, filter)) {
    const read = await readBy((database) => listJobs(database, projectID, filter, page(order)));
    expect(read, `${order.sort} ${order.order}`).toBeLessThan(MOST_READ);
  }
});

it.each<UserTaskFilter>([{}, { status: ['COMPLETED'] }, ...byTime])(
  'the offered orders of user tasks by %j read few rows',
  async (filter) => {
    const offered = fastOrders<UserTaskSort>(lists.ListBpmnUserTasks, filter);
    expect(offered.map(({ sort }) => sort)).not.toContain('priority');
    for (const order of offered) {
      const read = await readBy((database) => listUserTasks(database, projectID, filter, page(order)));
      expect(read, `${order.sort} ${order.order}`).toBeLessThan(MOST_READ);
    }
  },
);

const ended = 12_000;
it.each<JobFilter>([
  { status: ['PENDING'] },
  { completedAfter: timeOf(ended), completedBefore: timeOf(ended + 200) },
  { workflowID: `w${String(ended).padStart(6, '0')}` },
  { businessId: `middle-${String(ended).padStart(6, '0')}` },
])('jobs of one worker are found together with %j by reading few rows', async (filter) => {
  await store.database.query("UPDATE jobs SET locked_by = 'rare' WHERE workflow_id = $1", [
    `w${String(ended).padStart(6, '0')}`,
  ]);
  const list = (database: Queryable) =>
    listJobs(database, projectID, { lockedBy: 'rare', ...filter }, { page: 1, pageSize: 100 });
  expect(await list(store.database)).toMatchObject({ total: filter.status ? 0 : 1 });
  expect(await rowsReadBy(store, list, /^SELECT/)).toBeLessThan(MOST_READ);
});
