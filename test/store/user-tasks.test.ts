import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { FactOf } from '@perdure/engine/contract/facts.js';
import { rows } from '../../store/sql/database.js';
import { claimUserTask, unclaimUserTask, updateUserTask } from '../../store/work/user-tasks/assignment.js';
import { addUserTaskComment, listUserTaskComments } from '../../store/work/user-tasks/comments.js';
import { completeUserTask, throwUserTaskError } from '../../store/work/user-tasks/ending.js';
import { listInbox, listUserTasks, streamUserTasks, userTaskSorts } from '../../store/work/user-tasks/lists.js';
import { findUserTask } from '../../store/work/user-tasks/tasks.js';
import { began, commitStep, deploy, graphOf, projectID, start, useStore, type StartOptions } from './support/store.js';

const store = useStore();
const page = { page: 1, pageSize: 100 };
const newest = { ...page, sort: 'createdAt', order: 'desc' } as const;

type Created = Partial<FactOf<'USER_TASK_CREATED'>>;

async function open(more: Created = {}, options: StartOptions = {}) {
  const workflowID = await start(store, options);
  await commitStep(store, workflowID, 1, [
    ...began,
    { kind: 'USER_TASK_CREATED', task: 3, element: 2, node: 'ask', ...more },
  ]);
  return { projectID, workflowID, number: 3 };
}

describe('claiming', () => {
  it('has one winner among fifty people at once', async () => {
    const key = await open({ candidateGroups: ['sales'] });
    const people = Array.from({ length: 50 }, (_, index) => `person-${index}`);
    const answers = await Promise.all(people.map((person) => claimUserTask(store.database, key, person)));
    const winners = people.filter((_, index) => answers[index]!.kind === 'changed');
    expect(winners).toHaveLength(1);
    expect(answers.filter((answer) => 'code' in answer && answer.code === 'CONFLICT')).toHaveLength(49);
    const task = await findUserTask(store.database, key);
    expect(task).toMatchObject({ assignee: winners[0], assignedBy: winners[0], assignedAt: expect.any(Date) });
    for (const answer of answers) if ('message' in answer) expect(answer.message).not.toContain(winners[0]);
  });

  it('changes nothing for the person who has it already', async () => {
    const key = await open();
    const first = await claimUserTask(store.database, key, 'ann');
    expect(first.kind).toBe('changed');
    expect(await claimUserTask(store.database, key, 'ann')).toEqual({ ...first, kind: 'unchanged' });
    expect(await claimUserTask(store.database, key, 'ben')).toMatchObject({ code: 'CONFLICT' });
  });

  it('is refused when the task has ended, its completion is accepted, or it does not exist', async () => {
    const key = await open();
    await completeUserTask(store.database, { ...key, awaited: false });
    expect(await claimUserTask(store.database, key, 'ann')).toMatchObject({ code: 'CONFLICT' });
    await commitStep(store, key.workflowID, 2, [{ kind: 'USER_TASK_COMPLETED', task: 3 }]);
    expect(await claimUserTask(store.database, key, 'ann')).toMatchObject({ code: 'CONFLICT' });
    expect(await claimUserTask(store.database, { ...key, number: 4 }, 'ann')).toMatchObject({ code: 'NOT_FOUND' });
    expect(await claimUserTask(store.database, { ...key, projectID: 'elsewhere' }, 'ann')).toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('is undone by the assignee or by force, and also if the task has no assignee', async () => {
    const key = await open();
    await claimUserTask(store.database, key, 'ann');
    const release = (actor: string, byForce = false) => unclaimUserTask(store.database, key, { actor, byForce });
    expect(await release('ben')).toMatchObject({ code: 'CONFLICT' });
    const task = { assignee: null, assignedAt: null, assignedBy: null };
    expect(await release('ann')).toMatchObject({ kind: 'changed', task });
    expect(await release('ben')).toMatchObject({ kind: 'unchanged', task });
    await claimUserTask(store.database, key, 'ann');
    expect(await release('ben', true)).toMatchObject({ kind: 'changed', task });
  });
});

describe('an update with an expected assignee', () => {
  it('has one winner among many at once', async () => {
    const key = await open({ assignee: 'ann' });
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        updateUserTask(store.database, key, { assignee: `p${index}`, expectedAssignee: 'ann', actor: 'eda' }),
      ),
    );
    expect(answers.filter(({ kind }) => kind === 'changed')).toHaveLength(1);
  });

  it('changes nothing if it differs', async () => {
    const key = await open({ priority: 10, dueDate: 1_800_000_000_000 });
    const before = await findUserTask(store.database, key);
    for (const expectedAssignee of ['ann', 'ben'])
      expect(
        await updateUserTask(store.database, key, { priority: 99, dueDate: null, expectedAssignee, actor: 'eda' }),
      ).toMatchObject({ code: 'CONFLICT' });
    expect(await findUserTask(store.database, key)).toEqual(before);
    expect(
      await updateUserTask(store.database, key, { priority: 99, dueDate: null, expectedAssignee: null, actor: 'eda' }),
    ).toMatchObject({ task: { priority: 99, dueDate: null } });
  });

  it('keeps when and by whom the task was assigned if the assignee stays', async () => {
    const key = await open();
    await claimUserTask(store.database, key, 'ann');
    const task = await findUserTask(store.pool, key);
    expect(await updateUserTask(store.database, key, { assignee: 'ann', priority: 1, actor: 'eda' })).toEqual({
      kind: 'changed',
      task: { ...task, priority: 1 },
    });
    expect(await updateUserTask(store.database, key, { assignee: 'ben', actor: 'eda' })).toMatchObject({
      task: { assignedBy: 'eda' },
    });
  });

  it('guards completing and failing a task in the same statement', async () => {
    const key = await open({ assignee: 'ann' });
    const request = { ...key, awaited: false };
    expect(await completeUserTask(store.database, { ...request, expectedAssignee: 'ben' })).toMatchObject({
      code: 'CONFLICT',
    });
    expect(
      await throwUserTaskError(store.database, { ...request, errorCode: 'E', expectedAssignee: null }),
    ).toMatchObject({
      code: 'CONFLICT',
    });
    expect(await completeUserTask(store.database, { ...request, expectedAssignee: 'ann' })).toMatchObject({
      kind: 'submitted',
    });
  });
});

describe('a user task', () => {
  it('tells who completed or failed it, and who assigned it', async () => {
    const [completed, failed] = [await open({ assignee: 'ann' }), await open()];
    await completeUserTask(store.database, { ...completed, actor: 'ann', awaited: false });
    await commitStep(store, completed.workflowID, 2, [{ kind: 'USER_TASK_COMPLETED', task: 3 }]);
    await throwUserTaskError(store.database, { ...failed, actor: 'ben', errorCode: 'E', awaited: false });
    await commitStep(store, failed.workflowID, 2, [{ kind: 'USER_TASK_FAILED', task: 3, errorCode: 'E' }]);
    expect(await findUserTask(store.database, completed)).toMatchObject({
      completedBy: 'ann',
      failedBy: null,
      assignedBy: null,
      assignedAt: expect.any(Date),
    });
    expect(await findUserTask(store.database, failed)).toMatchObject({ completedBy: null, failedBy: 'ben' });
  });

  it('keeps its schedule and gets the name of the version that its instance migrates to', async () => {
    const processID = `p-${randomUUID()}`;
    const version = (nodeID: string, name: string) =>
      deploy(store, processID, {
        graph: {
          ...graphOf(processID),
          nodes: [
            ...graphOf(processID).nodes,
            { kind: 'userTask', id: nodeID, name, parent: processID, incoming: [], outgoing: [] },
          ],
        },
      });
    const [first, second] = [await version('ask', 'Ask a friend'), await version('asked', 'Ask the boss')];
    const schedule = { dueDate: 1_800_000_000_000, followUpDate: 1_700_000_000_000, priority: 7 };
    const key = await open(schedule, { definitionID: first.definitionID });
    const dates = { dueDate: new Date(schedule.dueDate), followUpDate: new Date(schedule.followUpDate), priority: 7 };
    expect(await findUserTask(store.database, key)).toMatchObject({
      ...dates,
      name: 'Ask a friend',
      processID,
      processVersion: 1,
    });
    await commitStep(store, key.workflowID, 2, [
      {
        kind: 'INSTANCE_MIGRATED',
        target: { definitionID: second.definitionID, graphSha256: 'unused', version: 2 },
        nodes: [['ask', 'asked']],
      } as never,
    ]);
    expect(await findUserTask(store.database, key)).toMatchObject({
      ...dates,
      nodeID: 'asked',
      name: 'Ask the boss',
      definitionID: second.definitionID,
      processVersion: 2,
    });
    const named = async (nameContains: string) =>
      (await listUserTasks(store.database, projectID, { processId: processID, nameContains }, newest)).total;
    expect(await named('THE BOSS')).toBe(1);
    expect(await named('friend')).toBe(0);
    expect(await named('%')).toBe(0);
  });
});

describe('comments', () => {
  it('are listed oldest first, with those of the earlier tasks of the same activation', async () => {
    const key = await open();
    for (const text of ['one', 'two']) await addUserTaskComment(store.database, key, { author: 'ann', text });
    await commitStep(store, key.workflowID, 2, [
      { kind: 'USER_TASK_FAILED', task: 3, errorCode: 'E' },
      { kind: 'USER_TASK_CREATED', task: 5, element: 2, node: 'ask' },
      { kind: 'USER_TASK_CREATED', task: 7, element: 6, node: 'ask' },
    ]);
    const again = { ...key, number: 5 };
    await addUserTaskComment(store.database, again, { author: 'ben', text: 'three' });
    const texts = async (number: number) =>
      (await listUserTaskComments(store.database, { ...key, number }, page)).data.map(({ text }) => text);
    expect(await texts(5)).toEqual(['one', 'two', 'three']);
    expect(await texts(3)).toEqual(['one', 'two']);
    expect(await texts(7)).toEqual([]);
    expect(await addUserTaskComment(store.database, key, { author: 'ann', text: 'late' })).toMatchObject({
      code: 'CONFLICT',
    });
    expect(await listUserTaskComments(store.database, { ...again, projectID: 'elsewhere' }, page)).toEqual({
      data: [],
      total: 0,
    });
  });

  it('are at most 500, however many come at once', async () => {
    const key = await open();
    await store.database.query('UPDATE user_tasks SET comment_count = 490 WHERE workflow_id = $1', [key.workflowID]);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        addUserTaskComment(store.database, key, { author: 'ann', text: String(index) }),
      ),
    );
    expect(answers.filter((answer) => 'commentID' in answer)).toHaveLength(10);
    expect(answers.filter((answer) => 'code' in answer && answer.code === 'CONFLICT')).toHaveLength(20);
  });
});

describe('a list of user tasks', () => {
  /** Tasks of one process, with schedules that are partly absent. */
  async function many(count: number) {
    const nodeID = `n-${randomUUID()}`;
    const { definitionID } = await deploy(store);
    const workflowID = await start(store, { definitionID });
    await commitStep(store, workflowID, 1, [
      ...began,
      ...Array.from({ length: count }, (_, index) => ({
        kind: 'USER_TASK_CREATED' as const,
        task: index + 10,
        element: index + 10,
        node: nodeID,
        priority: (index * 7) % 5,
        ...(index % 3 > 0 && { dueDate: 1_800_000_000_000 + ((index * 13) % 11) * 1000 }),
      })),
    ]);
    return { nodeID, definitionID };
  }

  it.each(userTaskSorts.flatMap((sort) => [['asc', sort] as const, ['desc', sort] as const]))(
    'has every task once in %s order of %s, those without a value last',
    async (order, sort) => {
      const { nodeID } = await many(40);
      const read = [];
      for (let number = 1; number <= 6; number += 1) {
        const request = { page: number, pageSize: 7, sort, order };
        const { data, total } = await listUserTasks(store.database, projectID, { nodeID }, request);
        expect(total).toBe(40);
        read.push(...data);
      }
      expect(new Set(read.map(({ executionKey }) => executionKey)).size).toBe(40);
      const values = read.map((task) => task[sort]).map((value) => (value === null ? null : Number(value)));
      const present = values.filter((value) => value !== null);
      expect(values.slice(0, present.length)).toEqual(present);
      expect(present).toEqual(present.toSorted((a, b) => (order === 'asc' ? a - b : b - a)));
    },
  );

  it('is found by dates, and by a follow-up date that has come or was never set', async () => {
    const nodeID = `n-${randomUUID()}`;
    const at = (day: number) => Date.UTC(2026, 0, day);
    const timeOf = (day: number) => new Date(at(day)).toISOString();
    const early = await open({ node: nodeID, dueDate: at(2), followUpDate: at(1) });
    const late = await open({ node: nodeID, dueDate: at(3), followUpDate: at(2) });
    const none = await open({ node: nodeID });
    const found = async (filter: Parameters<typeof listUserTasks>[2]) =>
      (
        await listUserTasks(
          store.database,
          projectID,
          { nodeID, ...filter },
          { ...newest, sort: 'dueDate', order: 'asc' },
        )
      ).data.map(({ workflowID }) => workflowID);
    expect(await found({})).toEqual([early, late, none].map(({ workflowID }) => workflowID));
    expect(await found({ dueBefore: timeOf(2) })).toEqual([early.workflowID]);
    expect(await found({ dueAfter: timeOf(2) })).toEqual([late.workflowID]);
    expect(await found({ followUpBefore: timeOf(1) })).toEqual([early.workflowID, none.workflowID]);
    await claimUserTask(store.database, late, 'ann');
    expect(await found({ unassigned: false })).toEqual([late.workflowID]);
    expect(await found({ unassigned: true })).toEqual([early.workflowID, none.workflowID]);
    expect(await found({ status: ['COMPLETED', 'FAILED'] })).toEqual([]);
    expect(await found({ status: ['COMPLETED', 'CREATED'], dueBefore: timeOf(2) })).toEqual([early.workflowID]);
  });

  it('streams every task once, and none that is created in the meantime', async () => {
    const { nodeID, definitionID } = await many(250);
    for (const order of ['asc', 'desc'] as const) {
      const read: string[] = [];
      for await (const { executionKey } of streamUserTasks(store.database, projectID, { nodeID }, order)) {
        read.push(executionKey);
        if (read.length !== 50) continue;
        const workflowID = await start(store, { definitionID });
        await commitStep(
          store,
          workflowID,
          1,
          [...began, { kind: 'USER_TASK_CREATED', task: 3, element: 2, node: nodeID }],
          { inputs: { now: Date.UTC(2030, 0, 1), lastCommand: 0 } },
        );
        await store.database.query("DELETE FROM user_tasks WHERE workflow_id || ':' || number = ANY($1)", [read]);
      }
      expect(new Set(read).size).toBe(read.length);
      expect(read).toHaveLength(order === 'asc' ? 250 : 201);
    }
  });

  it('of 50,000 open tasks reads only its page and the entries of one index', async () => {
    const project = `large-${randomUUID()}`;
    const workflowID = await start(store, { project });
    await store.database.query(
      `INSERT INTO user_tasks (workflow_id, number, project_id, element, node_id, candidate_users, candidate_groups, created_at, due_date, priority)
       SELECT $1, n, $2, n, 'ask', '{}', ARRAY['sales'], now(), CASE WHEN n % 5 > 0 THEN now() + (n * 7919 % 50000) * interval '1 minute' END, n % 100
       FROM generate_series(1, 50000) n`,
      [workflowID, project],
    );
    await store.database.query('ANALYZE user_tasks');
    const plans: { index: string[]; read: number }[] = [];
    const explaining = {
      query: async (text: string, values: unknown[]) => {
        if (!text.includes('count(*)') && !text.startsWith('EXPLAIN')) plans.push(await explain(text, values));
        return store.database.query(text, values);
      },
    } as unknown as typeof store.pool;
    const open = { status: ['CREATED'] };
    for (const sort of ['dueDate', 'priority'] as const)
      for (const order of ['asc', 'desc'] as const) {
        const page = { page: 1, pageSize: 20, sort, order };
        expect((await listUserTasks(explaining, project, open, page)).data).toHaveLength(20);
        const ann = { subject: 'ann', groups: ['sales'] };
        expect((await listInbox(explaining, project, ann, open, page)).data).toHaveLength(20);
      }
    for (const { index, read } of plans) {
      expect(index.some((name) => /^user_tasks_open_by_(due_date|priority)$/.test(name))).toBe(true);
      expect(read).toBeLessThan(100);
    }
  });

  interface Plan {
    'Relation Name'?: string;
    'Index Name'?: string;
    'Actual Rows': number;
    'Rows Removed by Filter'?: number;
    Plans?: Plan[];
  }

  /** Indexes of a statement, and how many tasks it reads. */
  async function explain(text: string, values: unknown[]): Promise<{ index: string[]; read: number }> {
    const [answer] = await rows<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      store.database,
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values,
    );
    const found = { index: [] as string[], read: 0 };
    const visit = (plan: Plan) => {
      if (plan['Index Name'] !== undefined) found.index.push(plan['Index Name']);
      if (plan['Relation Name'] === 'user_tasks')
        found.read += plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0);
      plan.Plans?.forEach(visit);
    };
    visit(answer!['QUERY PLAN'][0]!.Plan);
    return found;
  }
});
