/** Statistics and duration targets as callers see them, on real instances. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sequenceModel, serviceTask, userTask } from '@perdure/testkit/models';
import { foldNext } from '../../../store/statistics/fold.js';
import { startTestHost, type TestHost } from './support/host.js';
import { deploy, jobOf, start, untilStatus } from './support/steps.js';

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

async function fold(): Promise<void> {
  while ((await foldNext(host.store)).hasMore);
}

const statistics = async (processID: string, query = '') =>
  host.call('viewer', 'GET', `/bpmn/processes/${processID}/statistics${query}`);

test('statistics of a process name its nodes and show how long jobs waited and were worked on', async () => {
  const definitionID = await deploy(host, sequenceModel('counted', [serviceTask('work')]));
  const workflowID = await start(host, definitionID);
  const { executionKey } = await jobOf(host, workflowID);
  const poll = { clientID: 'c', taskTypes: [{ taskType: 'work' }] };
  const leased = await host.call('executor', 'POST', '/bpmn/external-jobs/poll', { json: poll });
  expect(leased.status, JSON.stringify(leased.body)).toBe(200);
  const json = { workflowID, clientID: 'c' };
  await host.call('executor', 'POST', `/bpmn/external-jobs/${executionKey}/complete`, { json });
  await untilStatus(host, workflowID, 'COMPLETED');
  await fold();
  const { status, body } = await statistics('counted');
  expect(status).toBe(200);
  expect(body).toMatchObject({ processID: 'counted', step: 'day', targets: [] });
  expect(body.series.length).toBeGreaterThanOrEqual(30);
  expect(body.series.at(-1)).toMatchObject({ started: 1, completed: 1, canceled: 0, failed: 0, incidents: 0 });
  const work = body.nodes.find(({ nodeID }: { nodeID: string }) => nodeID === 'work');
  expect(work).toMatchObject({ nodeType: 'serviceTask', started: 1, completed: 1 });
  expect(work.waiting.p95Ms + work.working.p95Ms).toBeLessThanOrEqual(1.1 * work.p95Ms + 100);
  expect(body.flows.map(({ taken }: { taken: number }) => taken)).toEqual([1, 1]);
  const numbers = (await host.call('viewer', 'GET', '/bpmn/statistics')).body;
  expect(numbers.last24Hours).toMatchObject({ completed: 1 });
  expect(numbers.runningByAge.map(({ olderThan }: { olderThan: string }) => olderThan)).toEqual([
    'PT1H',
    'P1D',
    'P7D',
    'P30D',
  ]);
});

test('the trend of a project has its hours and the processes that stand out, of at most a week', async () => {
  const definitionID = await deploy(host, sequenceModel('trendy', [serviceTask('trendy-work')]));
  await jobOf(host, await start(host, definitionID));
  await fold();
  const trend = (query = '') => host.call('viewer', 'GET', `/bpmn/statistics/trend${query}`);
  const { body } = await trend();
  expect(body.series.length).toBeGreaterThanOrEqual(24);
  expect(body.series.at(-1).started).toBeGreaterThanOrEqual(1);
  expect(body.busiest.map(({ processID }: { processID: string }) => processID)).toContain('trendy');
  expect((await trend('?since=2026-01-01T00:30:00Z&until=2026-01-08T00:30:00Z')).body.series).toHaveLength(169);
  expect((await trend('?since=2026-01-01T00:00:00Z&until=2026-01-09T00:00:00Z')).status).toBe(400);
  expect((await trend('?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z')).status).toBe(400);
});

test('a range that is empty or too long is refused, and a process that does not exist is not found', async () => {
  await deploy(host, sequenceModel('ranges', [userTask('t')]));
  const at = (query: string) => statistics('ranges', query).then(({ status }) => status);
  expect(await at('?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z')).toBe(400);
  expect(await at('?since=2024-01-01T00:00:00Z&until=2026-01-01T00:00:00Z')).toBe(400);
  expect(await at('?since=2026-01-01T00:00:00Z&until=2026-02-15T00:00:00Z&step=hour')).toBe(400);
  expect(await at('?since=2026-01-01T00:00:00Z&until=2026-02-01T00:00:00Z&step=hour')).toBe(200);
  expect((await statistics('nowhere')).status).toBe(404);
});

test('targets are replaced as a whole, and apply to what begins afterward', async () => {
  const definitionID = await deploy(host, sequenceModel('timed', [userTask('decide')]));
  const before = await start(host, definitionID);
  const path = '/bpmn/processes/timed/targets';
  const put = (targets: unknown[]) => host.call('editor', 'PUT', path, { json: { targets } });
  const given = [{ duration: 'PT1S' }, { nodeID: 'decide', duration: '90m' }];
  expect(await put(given)).toMatchObject({
    status: 200,
    body: { targets: [{ duration: 'PT1S' }, { nodeID: 'decide', duration: 'PT1H30M' }] },
  });
  const after = await start(host, definitionID);
  for (const workflowID of [before, after])
    await host.store.query(
      "UPDATE instances SET completed_at = created_at + interval '2 seconds', status = 'CANCELED' WHERE workflow_id = $1",
      [workflowID],
    );
  const over = await host.call('viewer', 'GET', `/bpmn/instances?definitionID=${definitionID}&overTarget=true`);
  expect(over.body.data).toMatchObject([{ workflowID: after, overTarget: true }]);
  expect((await put([{ duration: 'PT1S' }, { duration: 'PT2S' }])).status).toBe(400);
  expect((await put([{ duration: 'P367D' }])).status).toBe(400);
  expect((await host.call('editor', 'PUT', '/bpmn/processes/nowhere/targets', { json: { targets: [] } })).status).toBe(
    404,
  );
  expect(await put([])).toMatchObject({ status: 200, body: { targets: [] } });
  expect((await host.call('viewer', 'GET', path)).body).toEqual({ targets: [] });
});
