/** Timers by hand, over HTTP: one effect for each tick, whatever else happens to it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  boundaryEvent,
  catchEvent,
  endEvent,
  on,
  processModel,
  sequenceModel,
  serviceTask,
  startEvent,
} from '@perdure/testkit/models';
import { startTestHost, type TestHost } from './support/host.js';
import { deploy, start, untilStatus } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

interface TimerWait {
  kind: string;
  timerID: string;
  dueAt: string;
  repeats?: number;
}

const waitFor = { Prefer: 'wait=20' };
const timersOf = async (workflowID: string) =>
  ((await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/waits`)).body.data as TimerWait[]).filter(
    ({ kind }) => kind === 'timer',
  );
const timerOf = async (workflowID: string) =>
  (
    await eventually(
      () => timersOf(workflowID),
      (timers) => timers.length === 1,
    )
  )[0]!;
const pathOf = (timerID: string) => `/bpmn/instances/${timerID.split(':')[0]}/timers/${timerID}`;
const fire = (timerID: string, reason = 'now') =>
  host.call('editor', 'POST', `${pathOf(timerID)}/fire`, { json: { reason }, headers: waitFor });
const change = (timerID: string, dueAt: string) =>
  host.call('editor', 'PATCH', pathOf(timerID), { json: { dueAt, reason: 'other plans' }, headers: waitFor });
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

const holding = sequenceModel('holding', [catchEvent('hold', on.timer('P1D'))]);
const ticking = processModel(
  'ticking',
  [
    startEvent('start'),
    serviceTask('ticking-work'),
    boundaryEvent('tick', 'ticking-work', on.cycle('R/PT1H'), { interrupting: false }),
    endEvent('end'),
    endEvent('ticked'),
  ],
  ['a: start -> ticking-work', 'b: ticking-work -> end', 'c: tick -> ticked'],
);

test('a timer is changed under the same id, then fired, and the timeline says who did it and where', async () => {
  const workflowID = await start(host, await deploy(host, holding));
  const { timerID } = await timerOf(workflowID);
  const dueAt = inDays(3);
  expect(await change(timerID, dueAt)).toMatchObject({ status: 200, body: { kind: 'timer', timerID, dueAt } });
  expect(await timerOf(workflowID)).toMatchObject({ timerID, dueAt });
  expect(await fire(timerID)).toMatchObject({ status: 204 });
  await untilStatus(host, workflowID, 'COMPLETED');
  expect(await fire(timerID)).toMatchObject({ status: 409 });
  const { data } = (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/timeline`)).body;
  expect(data).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'UPDATE_TIMER', nodeIDs: ['hold'], reason: 'other plans', outcome: 'APPLIED' }),
      expect.objectContaining({ kind: 'FIRE_TIMER', nodeIDs: ['hold'], reason: 'now', outcome: 'APPLIED' }),
    ]),
  );
});

test('a time in the past is now', async () => {
  const workflowID = await start(host, await deploy(host, holding));
  expect(await change((await timerOf(workflowID)).timerID, '2020-01-01T00:00:00Z')).toMatchObject({ status: 200 });
  await untilStatus(host, workflowID, 'COMPLETED');
});

test('a timer that is brought forward fires at its new time by itself', async () => {
  const workflowID = await start(host, await deploy(host, holding));
  const { timerID } = await timerOf(workflowID);
  const dueAt = Date.now() + 2_000;
  const written = new Date(dueAt + 3_600_000).toISOString().replace('Z', '+01:00');
  expect(await change(timerID, written)).toMatchObject({ status: 200, body: { dueAt: new Date(dueAt).toISOString() } });
  await untilStatus(host, workflowID, 'COMPLETED');
  expect(Date.now()).toBeGreaterThanOrEqual(dueAt);
});

test('of many requests for one tick of a cycle, one fires it', async () => {
  const workflowID = await start(host, await deploy(host, ticking));
  const { timerID, dueAt } = await timerOf(workflowID);
  const statuses = (await Promise.all(Array.from({ length: 8 }, () => fire(timerID)))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 204)).toHaveLength(1);
  expect(statuses.filter((status) => status === 409)).toHaveLength(7);
  const next = await timerOf(workflowID);
  expect(next.timerID).not.toBe(timerID);
  expect(Date.parse(next.dueAt) - Date.parse(dueAt)).toBe(3_600_000);
});

test('a timer that is fired during a pause takes effect with the resume, once', async () => {
  const workflowID = await start(host, await deploy(host, holding));
  const { timerID } = await timerOf(workflowID);
  await host.call('admin', 'POST', `/bpmn/instances/${workflowID}/suspend`, { json: {} });
  expect(await fire(timerID)).toMatchObject({ status: 204 });
  expect(await fire(timerID)).toMatchObject({ status: 409 });
  expect((await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}`)).body.status).toBe('RUNNING');
  await host.call('admin', 'POST', `/bpmn/instances/${workflowID}/resume`, { json: {} });
  await untilStatus(host, workflowID, 'COMPLETED');
});

test('ids that were never a timer are 404, and times too far ahead 400', async () => {
  const workflowID = await start(host, await deploy(host, holding));
  const { timerID } = await timerOf(workflowID);
  for (const other of [`${workflowID}:1`, `${workflowID}:9999`])
    expect(await fire(other)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  expect(await host.call('editor', 'POST', `/bpmn/instances/${workflowID}/timers/no/fire`, { json: {} })).toMatchObject(
    { status: 404 },
  );
  expect(await change(timerID, inDays(367))).toMatchObject({ status: 400 });
  expect(await change(timerID, inDays(365))).toMatchObject({ status: 200 });
  expect(await host.call('viewer', 'POST', `${pathOf(timerID)}/fire`, { json: {} })).toMatchObject({ status: 404 });
});
