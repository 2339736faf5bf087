/** Start timers that an operator skips or runs. The ticks themselves are those that Temporal reports. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endEvent, on, processModel, startEvent } from '@perdure/testkit/models';
import { tickStartTimer, type TickOutcome } from '../../../store/messages/start-timers.js';
import { startTestHost, type TestHost } from './support/host.js';
import { deploy, untilStatus } from './support/steps.js';

const HOUR = 3_600_000;

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const modelOf = (id: string, cycle: string) =>
  processModel(id, [startEvent('hourly', on.cycle(cycle)), endEvent('end')], ['f: hourly -> end']);
const deployTimer = (id: string, cycle: string) => deploy(host, modelOf(id, cycle));
const change = (definitionID: string, action: 'skip' | 'run', node = 'hourly') =>
  host.call('editor', 'POST', `/bpmn/definitions/${definitionID}/start-timers/${node}/${action}`, {
    json: { reason: 'a holiday' },
  });

/** The first tick of the version, in epoch milliseconds. */
async function firstTick(definitionID: string): Promise<number> {
  const { rows } = await host.store.query<{ at: Date }>(
    'SELECT deployed_at AS at FROM start_timers WHERE definition_id = $1',
    [definitionID],
  );
  return Math.ceil((rows[0]!.at.getTime() + HOUR) / 1000) * 1000;
}

async function tick(definitionID: string, at: number): Promise<TickOutcome> {
  const { rows } = await host.store.query<{ projectID: string }>(
    'SELECT project_id AS "projectID" FROM start_timers WHERE definition_id = $1',
    [definitionID],
  );
  return tickStartTimer(host.store, { ...rows[0]!, definitionID, node: 'hourly', trigger: 0 }, at);
}

test('a skipped tick starts nothing, the next ones do, and each request skips one', async () => {
  const definitionID = await deployTimer('skipping', 'R/PT1H');
  const first = await firstTick(definitionID);
  expect(await change(definitionID, 'skip')).toMatchObject({ status: 204 });
  expect(await change(definitionID, 'skip')).toMatchObject({ status: 204 });
  expect(await tick(definitionID, first - HOUR)).toBe('started');
  expect(await tick(definitionID, first)).toBe('skipped');
  expect(await tick(definitionID, first + HOUR)).toBe('skipped');
  expect(await tick(definitionID, first + 2 * HOUR)).toBe('started');
  const { body } = await host.call('admin', 'GET', `/audit?operation=SkipBpmnStartTimer`);
  expect(body.data[0]).toMatchObject({
    definitionID,
    reason: 'a holiday',
    details: { tick: new Date(first + HOUR).toISOString() },
  });
});

test('ten requests at once skip ten ticks', async () => {
  const definitionID = await deployTimer('skippingMuch', 'R/PT1H');
  const first = await firstTick(definitionID);
  await Promise.all(Array.from({ length: 10 }, () => change(definitionID, 'skip')));
  expect(await tick(definitionID, first + 9 * HOUR)).toBe('skipped');
  expect(await tick(definitionID, first + 10 * HOUR)).toBe('started');
});

test('no tick is skipped that does not exist', async () => {
  const definitionID = await deployTimer('twice', 'R2/PT1H');
  expect((await change(definitionID, 'skip')).status).toBe(204);
  expect((await change(definitionID, 'skip')).status).toBe(204);
  expect(await change(definitionID, 'skip')).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT', detail: 'Start event hourly has no tick left to skip.' },
  });
});

test('a script cannot skip all ticks of a timer', async () => {
  const definitionID = await deployTimer('endless', 'R/PT1H');
  for (let count = 0; count < 100; count += 1) await change(definitionID, 'skip');
  expect(await change(definitionID, 'skip')).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
});

test('a run starts an instance in the name of the caller, and moves no tick', async () => {
  const definitionID = await deployTimer('running', 'R1/PT1H');
  expect(await change(definitionID, 'run')).toMatchObject({ status: 204 });
  const { body } = await host.call('viewer', 'GET', `/bpmn/instances?definitionID=${definitionID}`);
  expect(body.data).toMatchObject([{ startedBy: 'editor' }]);
  await untilStatus(host, body.data[0].workflowID, 'COMPLETED');
  expect(await tick(definitionID, await firstTick(definitionID))).toBe('started');
});

test('only timers of the newest version are skipped and run, and a suspended one is not run', async () => {
  const older = await deployTimer('versions', 'R/PT1H');
  const newest = await deployTimer('versions', 'R/PT2H');
  for (const action of ['skip', 'run'] as const) {
    expect(await change(older, action)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect((await change(newest, action, 'end')).status).toBe(404);
  }
  await host.call('admin', 'POST', `/bpmn/definitions/${newest}/suspend`);
  expect(await change(newest, 'run')).toMatchObject({ status: 409, body: { code: 'DEFINITION_SUSPENDED' } });
});
