/** The contents of each kind of event, without values of variables. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Fact } from '@perdure/engine/contract/facts.js';
import { reportOverdueTasks } from '../../../store/events/of-task.js';
import { failInstance } from '../../../store/steps/fail-instance.js';
import { submitCommand } from '../../../store/instances/submit-command.js';
import { instanceConditions } from '../../../store/instances/filters.js';
import { createBatch } from '../../../store/batches/create.js';
import { runTurn, takeTurns } from '../../../store/batches/turns.js';
import { ensureProject } from '../../../store/projects/projects.js';
import { resumeDefinition, suspendDefinition } from '../../../store/suspension/definitions.js';
import { resumeInstance, suspendInstance } from '../../../store/suspension/suspension.js';
import { completeUserTask } from '../../../store/work/user-tasks/ending.js';
import { claimUserTask, updateUserTask } from '../../../store/work/user-tasks/assignment.js';
import { began, commitStep, deploy, start, useStore, type StartOptions } from '../support/store.js';
import { beginFeed, namesOf, readAll } from '../support/events.js';

const store = useStore();

async function openProject() {
  const project = `p-${randomUUID()}`;
  await ensureProject(store.database, project);
  const { definitionID } = await deploy(store, 'order', { project });
  await beginFeed(store, project);
  const common = { definitionID, processId: 'order', processVersion: 1 };
  const begin = (more: StartOptions = {}) => start(store, { project, definitionID, ...more });
  const events = () => readAll(store, { projectID: project });
  return { project, common, begin, events };
}

const SECRET = 'do-not-tell';
const task: Fact = {
  kind: 'USER_TASK_CREATED',
  task: 3,
  element: 2,
  node: 'ask',
  assignee: 'ann',
  dueDate: Date.parse('2030-01-01T00:00:00Z'),
  priority: 70,
};

test('the life of an instance, with its task', async () => {
  const { project, common, begin, events } = await openProject();
  const workflowID = await begin({ businessID: 'order-17', variables: { secret: SECRET } });
  await commitStep(store, workflowID, 1, [...began, task]);
  const key = { projectID: project, workflowID, number: 3 };
  await updateUserTask(store.database, key, { assignee: 'ben', actor: 'eda', reason: 'ann is ill' });
  const ended = await completeUserTask(store.database, {
    ...key,
    variables: { secret: SECRET },
    actor: 'ben',
    awaited: false,
  });
  expect(ended.kind).toBe('submitted');
  await commitStep(store, workflowID, 2, [
    { kind: 'USER_TASK_COMPLETED', task: 3 },
    { kind: 'COMMAND_HANDLED', number: 1 },
    { kind: 'INSTANCE_COMPLETED' },
  ]);
  const found = await events();
  const ofInstance = { workflowID, ...common, businessId: 'order-17' };
  const ofTask = { ...ofInstance, nodeID: 'ask', dueDate: '2030-01-01T00:00:00.000Z', priority: 70 };
  expect(found.map(({ type, subject, data }) => ({ type, subject, data }))).toEqual([
    { type: 'instance.started', subject: workflowID, data: { ...ofInstance, status: 'RUNNING', actor: 'eda' } },
    { type: 'task.created', subject: `${workflowID}:3`, data: { ...ofTask, assignee: 'ann' } },
    {
      type: 'task.assigned',
      subject: `${workflowID}:3`,
      data: { ...ofTask, assignee: 'ben', actor: 'eda', reason: 'ann is ill' },
    },
    { type: 'task.completed', subject: `${workflowID}:3`, data: { ...ofTask, assignee: 'ben', actor: 'ben' } },
    { type: 'instance.completed', subject: workflowID, data: { ...ofInstance, status: 'COMPLETED' } },
  ]);
  expect(JSON.stringify(found)).not.toContain(SECRET);
});

test('a cancellation has its actor and reason, and cancels the task', async () => {
  const { begin, events, project } = await openProject();
  const workflowID = await begin();
  await commitStep(store, workflowID, 1, [...began, task]);
  await submitCommand(store.database, {
    workflowID,
    projectID: project,
    body: { kind: 'CANCEL_INSTANCE' },
    actor: 'eda',
    reason: 'ordered twice',
    awaited: false,
  });
  await commitStep(
    store,
    workflowID,
    2,
    [
      { kind: 'USER_TASK_CANCELED', task: 3, reason: 'ordered twice' },
      { kind: 'COMMAND_HANDLED', number: 1 },
      { kind: 'INSTANCE_CANCELED', reason: 'ordered twice' },
    ],
    { inputs: { now: 2_000_000, lastCommand: 1 } },
  );
  const [canceledTask, canceled] = (await events()).slice(-2);
  expect(canceledTask).toMatchObject({ type: 'task.canceled', data: { assignee: 'ann' } });
  expect(canceled).toMatchObject({
    type: 'instance.canceled',
    data: { status: 'CANCELED', actor: 'eda', reason: 'ordered twice' },
  });
});

test('incidents say where and of which kind, and never their message', async () => {
  const { begin, events } = await openProject();
  const workflowID = await begin();
  const raised: Fact = {
    kind: 'INCIDENT_RAISED',
    incident: 3,
    element: 2,
    node: 'charge',
    errorType: 'JOB_FAILED' as never,
    errorCode: 'CARD',
    message: SECRET,
  };
  await commitStep(store, workflowID, 1, [...began, raised]);
  await commitStep(store, workflowID, 2, [{ kind: 'INCIDENT_RESOLVED', incident: 3, actor: 'eda' }]);
  await commitStep(store, workflowID, 3, [{ ...raised, incident: 4, previous: 3 }]);
  const data = { workflowID, nodeID: 'charge', errorType: 'JOB_FAILED', errorCode: 'CARD' };
  expect((await events()).slice(1)).toMatchObject([
    { type: 'incident.raised', subject: `${workflowID}:3`, data },
    { type: 'incident.resolved', subject: `${workflowID}:3`, data },
    { type: 'incident.raised', subject: `${workflowID}:4`, data: { ...data, previousIncidentID: `${workflowID}:3` } },
  ]);
  expect(JSON.stringify(await events())).not.toContain(SECRET);
});

test('an instance that fails says why, in at most 1,000 characters', async () => {
  const { begin, events } = await openProject();
  const workflowID = await begin();
  await commitStep(store, workflowID, 1, [...began, task]);
  await failInstance(store.database, workflowID, 'x'.repeat(5_000));
  const found = await events();
  expect(namesOf(found).slice(-2)).toEqual(['task.canceled', 'instance.failed']);
  expect(found.at(-1)!.data).toMatchObject({ status: 'FAILED', failureReason: 'x'.repeat(1_000) });
});

test('a suspension of a definition is one event, and that of an instance another', async () => {
  const { project, common, begin, events } = await openProject();
  const workflowID = await begin();
  await begin();
  const by = { projectID: project, actor: 'eda', reason: 'maintenance' };
  await suspendDefinition(store.database, { ...by, definitionID: common.definitionID });
  await resumeDefinition(store.database, { ...by, definitionID: common.definitionID });
  await suspendInstance(store.database, { ...by, workflowID });
  await resumeInstance(store.database, { ...by, workflowID });
  const found = (await events()).slice(2);
  expect(namesOf(found)).toEqual([
    'definition.suspended',
    'definition.resumed',
    'instance.suspended',
    'instance.resumed',
  ]);
  for (const { data } of found) expect(data).toMatchObject({ actor: 'eda', reason: 'maintenance', processId: 'order' });
  expect(found[0]!.data).toMatchObject({ version: 1 });
  expect(found[2]!.data).toMatchObject({ workflowID, status: 'RUNNING' });
});

test('a deployment has an event per process, with who deployed it', async () => {
  const { project, events } = await openProject();
  const { definitionID } = await deploy(store, 'order', { project });
  expect(await events()).toMatchObject([
    {
      type: 'definition.deployed',
      subject: definitionID,
      data: { definitionID, processId: 'order', processVersion: 2, version: 2, actor: 'eda' },
    },
  ]);
});

test('a task becomes overdue once, and again when its due date was moved', async () => {
  const { project, begin, events } = await openProject();
  const workflowID = await begin();
  await commitStep(store, workflowID, 1, [...began, { ...task, dueDate: Date.parse('2020-01-01T00:00:00Z') }]);
  const counts = await Promise.all([reportOverdueTasks(store.database), reportOverdueTasks(store.database)]);
  expect(counts[0]! + counts[1]!).toBe(1);
  expect(await reportOverdueTasks(store.database)).toBe(0);
  const key = { projectID: project, workflowID, number: 3 };
  await claimUserTask(store.database, key, 'ann');
  expect(await reportOverdueTasks(store.database)).toBe(0);
  await updateUserTask(store.database, key, { dueDate: new Date('2021-01-01T00:00:00Z'), actor: 'eda' });
  expect(await reportOverdueTasks(store.database)).toBe(1);
  const overdue = (await events()).filter(({ type }) => type === 'task.overdue');
  expect(overdue.map(({ data }) => data['dueDate'])).toEqual(['2020-01-01T00:00:00.000Z', '2021-01-01T00:00:00.000Z']);
});

test('the end of a batch is reported with its counts', async () => {
  const { project, begin, events } = await openProject();
  const workflowID = await begin();
  const accepted = await createBatch(store.database, {
    projectID: project,
    operation: 'SUSPEND',
    targets: { kind: 'instances', matching: instanceConditions(project, {}) },
    input: {},
    createdBy: 'eda',
    reason: 'maintenance',
    itemsPerSecond: 500,
  });
  if (accepted.kind !== 'created') throw new Error('The batch was not created');
  const isDone = async () => namesOf(await events()).includes('batch.completed');
  while (!(await isDone())) for (const turn of await takeTurns(store.database, 2)) await runTurn(store.database, turn);
  const found = await events();
  expect(found.find(({ type }) => type === 'instance.suspended')).toMatchObject({ subject: workflowID });
  expect(found.find(({ type }) => type === 'batch.completed')).toMatchObject({
    subject: accepted.batchID,
    data: {
      batchID: accepted.batchID,
      operation: 'SUSPEND',
      counts: { pending: 0, applied: 1, failedAgain: 0, rejected: 0, skipped: 0, canceled: 0 },
      actor: 'eda',
      reason: 'maintenance',
    },
  });
});
