/** Every index of user tasks costs each task a write, so each is there for a read that nothing else serves. */
import { beforeAll, expect, it } from 'vitest';
import { reportOverdueTasks } from '../../store/events/of-task.js';
import type { Queryable } from '../../store/sql/database.js';
import { rows } from '../../store/sql/database.js';
import {
  listUserTasks,
  userTaskSorts,
  type UserTaskFilter,
  type UserTaskSort,
} from '../../store/work/user-tasks/lists.js';
import { findUserTask } from '../../store/work/user-tasks/tasks.js';
import { start, useStore } from './support/store.js';

const store = useStore();
const project = 'tasks';
const COUNT = 40_000;
let workflowID: string;

/** Half of them have ended; of the open ones few have no assignee, a candidate, or a due date that has not been reported. */
beforeAll(async () => {
  workflowID = await start(store, { project });
  await store.database.query(
    `INSERT INTO user_tasks (workflow_id, number, project_id, element, node_id, status, completed_at, assignee, candidate_users,
       candidate_groups, created_at, due_date, overdue_reported, priority)
     SELECT $1, n, $2, n, 'ask', CASE WHEN n % 2 = 0 THEN 'CREATED' ELSE 'COMPLETED' END, CASE WHEN n % 2 = 1 THEN now() - n * interval '1 second' END,
       CASE WHEN n % 1000 > 0 THEN 'person-' || n % 1009 END, CASE WHEN n % 997 = 0 THEN ARRAY['ann'] ELSE '{}' END,
       CASE WHEN n % 991 = 0 THEN ARRAY['sales'] ELSE '{}' END, now() - n * 7919 % ${COUNT} * interval '1 minute',
       CASE WHEN n % 4 = 0 THEN now() - n * 7907 % ${COUNT} * interval '1 minute' END, n % 400 > 0, n % 100
     FROM generate_series(1, ${COUNT}) n`,
    [workflowID, project],
  );
  await store.database.query('UPDATE projects SET event_retention_ms = 86400000 WHERE id = $1', [project]);
  await store.database.query('ANALYZE user_tasks, projects');
});

interface Plan {
  'Index Name'?: string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

/** Indexes of user tasks that the plans of the statements use. */
async function indexesOf(read: (database: Queryable) => Promise<unknown>): Promise<Set<string>> {
  const used = new Set<string>();
  const visit = (plan: Plan) => {
    if (plan['Index Name']?.startsWith('user_tasks')) used.add(plan['Index Name']);
    plan.Plans?.forEach(visit);
  };
  const query = async (statement: string | { text: string; values?: unknown[] }, values?: unknown[]) => {
    const { text, values: given } = typeof statement === 'string' ? { text: statement, values } : statement;
    if (!/^\s*EXPLAIN/.test(text)) {
      const [plan] = await rows<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        store.database,
        `EXPLAIN (FORMAT JSON) ${text}`,
        given ?? [],
      );
      visit(plan!['QUERY PLAN'][0]!.Plan);
    }
    return store.database.query(text, given);
  };
  await read({ query, transaction: (work: (t: unknown) => unknown) => work({ query }) } as never);
  return used;
}

const list = (filter: UserTaskFilter, sort: UserTaskSort) => (database: Queryable) =>
  listUserTasks(database, project, filter, { page: 1, pageSize: 20, sort, order: 'desc' });

const reads: [index: string, of: string, read: (database: Queryable) => Promise<unknown>][] = [
  ['user_tasks_pkey', 'one task', (database) => findUserTask(database, { projectID: project, workflowID, number: 2 })],
  ['user_tasks_by_project', 'the newest tasks', list({}, 'createdAt')],
  ['user_tasks_open', 'the newest open tasks', list({ status: ['CREATED'] }, 'createdAt')],
  ['user_tasks_ended', 'the tasks that ended last', list({ status: ['COMPLETED'] }, 'completedAt')],
  ['user_tasks_open_by_due_date', 'open tasks by due date', list({ status: ['CREATED'] }, 'dueDate')],
  ['user_tasks_open_by_priority', 'open tasks by priority', list({ status: ['CREATED'] }, 'priority')],
  ['user_tasks_open_unassigned', 'unassigned tasks', list({ status: ['CREATED'], unassigned: true }, 'createdAt')],
  ['user_tasks_by_assignee', 'the tasks of a person', list({ assignee: 'person-7' }, 'createdAt')],
  ['user_tasks_by_candidate_user', 'tasks for a person', list({ candidateUser: 'ann' }, 'createdAt')],
  ['user_tasks_by_candidate_group', 'tasks for a group', list({ candidateGroup: 'sales' }, 'createdAt')],
  ['user_tasks_becoming_overdue', 'tasks to report', (database) => reportOverdueTasks(database as never)],
];

it.each(reads)('%s is read for %s', async (index, _of, read) => {
  expect([...(await indexesOf(read))]).toContain(index);
});

it('there is no index without such a read', async () => {
  const found = await rows<{ name: string }>(
    store.database,
    "SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indrelid = 'user_tasks'::regclass ORDER BY 1",
    [],
  );
  expect(found.map(({ name }) => name).toSorted()).toEqual(reads.map(([index]) => index).toSorted());
});

it('an order by a value that tasks can lack puts those without it last in both directions, by their creation', async () => {
  for (const sort of ['dueDate', 'completedAt'] as const)
    for (const order of ['asc', 'desc'] as const) {
      const ask = (page: number) =>
        listUserTasks(store.database, project, { nodeID: 'ask' }, { page, pageSize: 100, sort, order });
      const isThere = (tasks: { dueDate: Date | null; completedAt: Date | null }[]) =>
        tasks.map((task) => task[sort] !== null);
      const [first, last] = [await ask(1), await ask(COUNT / 100)];
      expect(isThere(first.data)).not.toContain(false);
      expect(isThere(last.data)).not.toContain(true);
      const created = last.data.map(({ createdAt }) => (order === 'asc' ? 1 : -1) * createdAt.getTime());
      expect(created).toEqual(created.toSorted((one, other) => one - other));
    }
  expect(userTaskSorts).toEqual(expect.arrayContaining(['dueDate', 'completedAt']));
});
