import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Fact, FactOf } from '@perdure/engine/contract/facts.js';
import { resolveIncident } from '../../store/work/incidents.js';
import { listIncidents } from '../../store/work/incidents/lists.js';
import { updateUserTask, type UserTaskUpdate } from '../../store/work/user-tasks/assignment.js';
import { completeUserTask, throwUserTaskError } from '../../store/work/user-tasks/ending.js';
import { listInbox, listUserTasks } from '../../store/work/user-tasks/lists.js';
import { findUserTask, type UserTaskKey } from '../../store/work/user-tasks/tasks.js';
import { began, commitStep, projectID, start, useStore, type StartOptions } from './support/store.js';

const store = useStore();
const page = { page: 1, pageSize: 100 };
const tasksPage = { ...page, sort: 'createdAt', order: 'desc' } as const;

async function startWithTask(
  more: Partial<FactOf<'USER_TASK_CREATED'>> = {},
  options: StartOptions = {},
): Promise<string> {
  const workflowID = await start(store, options);
  await commitStep(store, workflowID, 1, [
    ...began,
    { kind: 'USER_TASK_CREATED', task: 3, element: 2, node: 'ask', ...more },
  ]);
  return workflowID;
}

const request = (workflowID: string) => ({ workflowID, projectID, number: 3, awaited: false });

const inboxOf = (project: string, subject: string, groups: string[] = []) =>
  listInbox(store.database, project, { subject, groups }, { status: ['CREATED'] }, tasksPage);
const assign = (key: UserTaskKey, update: Omit<UserTaskUpdate, 'actor'>) =>
  updateUserTask(store.database, key, { actor: 'eda', ...update });

describe('a user task', () => {
  it('is found by its assignee and candidates, and by no one else', async () => {
    const [anna, ben, group, task] = [randomUUID(), randomUUID(), randomUUID(), {}];
    const assigned = await startWithTask({ ...task, assignee: anna });
    const candidate = await startWithTask({ ...task, candidateUsers: [anna, ben] });
    const grouped = await startWithTask({ ...task, candidateGroups: [group] });
    await startWithTask();
    const mine = async (subject: string, groups: string[] = []) =>
      (await inboxOf(projectID, subject, groups)).data.map(({ workflowID }) => workflowID).sort();
    expect(await mine(anna, [group])).toEqual([assigned, candidate, grouped].sort());
    expect(await mine(ben)).toEqual([candidate]);
    expect(await mine(randomUUID(), [group])).toEqual([grouped]);
    expect((await inboxOf('elsewhere', anna)).total).toBe(0);
    await completeUserTask(store.database, request(assigned));
    await commitStep(store, assigned, 2, [{ kind: 'USER_TASK_COMPLETED', task: 3 }]);
    expect(await mine(anna)).toEqual([candidate]);
  });

  it('is listed by every filter', async () => {
    const [user, group, businessID] = [randomUUID(), randomUUID(), randomUUID()];
    const workflowID = await startWithTask(
      { assignee: user, candidateUsers: [user], candidateGroups: [group], localVariables: { y: 1 } },
      { businessID, variables: { x: 1 } },
    );
    const list = async (filter: Parameters<typeof listUserTasks>[2]) =>
      (await listUserTasks(store.database, projectID, filter, tasksPage)).data;
    for (const filter of [
      { workflowID },
      { assignee: user },
      { candidateUser: user },
      { candidateGroup: group },
      { businessId: businessID },
    ]) {
      expect(await list(filter)).toMatchObject([
        { executionKey: `${workflowID}:3`, variables: { x: 1, y: 1 }, status: 'CREATED' },
      ]);
    }
    expect(await list({ workflowID, status: ['COMPLETED'] })).toEqual([]);
  });

  it('is assigned again while it is open', async () => {
    const workflowID = await startWithTask({ assignee: 'anna', candidateUsers: ['anna'] });
    const key = { projectID, workflowID, number: 3 };
    expect(await assign(key, { assignee: null, candidateGroups: ['g'] })).toMatchObject({
      task: { assignee: null, candidateUsers: ['anna'], candidateGroups: ['g'] },
    });
    expect(await assign(key, { assignee: 'ben' })).toMatchObject({
      task: { assignee: 'ben', candidateGroups: ['g'] },
    });
    expect(await assign({ ...key, number: 4 }, {})).toMatchObject({
      kind: 'refused',
      code: 'NOT_FOUND',
    });
    await completeUserTask(store.database, request(workflowID));
    expect(await assign(key, { assignee: 'eve' })).toMatchObject({
      kind: 'refused',
      code: 'CONFLICT',
    });
    expect(await findUserTask(store.database, key)).toMatchObject({ assignee: 'ben' });
  });

  it('is ended by one of many that try at once', async () => {
    const workflowID = await startWithTask();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        index % 2 === 0
          ? completeUserTask(store.database, { ...request(workflowID), variables: { index } })
          : throwUserTaskError(store.database, { ...request(workflowID), errorCode: 'E' }),
      ),
    );
    expect(answers.filter(({ kind }) => kind === 'submitted')).toHaveLength(1);
    expect(answers.filter((answer) => answer.kind === 'refused' && answer.code === 'CONFLICT')).toHaveLength(29);
    expect(await completeUserTask(store.database, { ...request(workflowID), projectID: 'elsewhere' })).toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('an incident', () => {
  const raised: Fact = {
    kind: 'INCIDENT_RAISED',
    incident: 3,
    element: 2,
    node: 'n',
    errorType: 'FeelError',
    errorCode: 'DIVISION_BY_ZERO',
    message: 'm',
  };

  it('is resolved by one of many that try at once, and again after a rejection', async () => {
    const workflowID = await start(store);
    await commitStep(store, workflowID, 1, [...began, raised]);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => resolveIncident(store.database, request(workflowID))),
    );
    expect(answers.filter(({ kind }) => kind === 'submitted')).toMatchObject([
      { command: { kind: 'RESOLVE_INCIDENT', incident: 3 } },
    ]);
    expect(answers.filter((answer) => answer.kind === 'refused' && answer.code === 'CONFLICT')).toHaveLength(19);
    await commitStep(store, workflowID, 2, [], {
      inputs: { now: 1, lastCommand: 1 },
      outcomes: [{ number: 1, status: 'REJECTED', code: 'BAD_REQUEST' }],
    });
    expect(await resolveIncident(store.database, request(workflowID))).toMatchObject({ kind: 'submitted' });
    expect(await resolveIncident(store.database, { ...request(workflowID), number: 9 })).toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('is listed across instances by every filter, with the one before it', async () => {
    const workflowID = await start(store);
    await commitStep(store, workflowID, 1, [...began, raised]);
    await commitStep(store, workflowID, 2, [
      { kind: 'INCIDENT_RESOLVED', incident: 3, actor: 'olga' },
      { ...raised, incident: 4, previous: 3 },
    ]);
    const list = async (filter: Parameters<typeof listIncidents>[2]) =>
      (await listIncidents(store.database, projectID, { workflowID, ...filter }, page)).data.map(
        ({ incidentID }) => incidentID,
      );
    const [first, second] = [`${workflowID}:3`, `${workflowID}:4`];
    expect(await list({})).toEqual([second, first]);
    expect(await list({ status: 'open' })).toEqual([second]);
    expect(await list({ status: 'resolved' })).toEqual([first]);
    expect(await list({ errorType: ['BpmnError'] })).toEqual([]);
    expect(await list({ errorType: ['FeelError'], since: new Date(1_000_002).toISOString() })).toEqual([second]);
    expect(await list({ until: new Date(1_000_001).toISOString() })).toEqual([first]);
    const { data } = await listIncidents(store.database, projectID, { workflowID, status: 'open' }, page);
    expect(data).toMatchObject([
      { previousIncidentID: first, processVersion: 1, errorCode: 'DIVISION_BY_ZERO', nodeID: 'n' },
    ]);
  });
});
