import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type TestHost } from './support/host.js';
import { sequenceModel, serviceTask } from '@perdure/testkit/models';
import { deploy, start, takeJob, untilStatus } from './support/steps.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

test('a process is deployed, started, worked on and completed', async () => {
  const definitionID = await deploy(host, sequenceModel('first', [serviceTask('ship')]));
  const workflowID = await start(host, definitionID, { variables: { order: 7 } });
  const job = await takeJob(host, 'ship');
  expect(job).toMatchObject({ workflowID, nodeID: 'ship', variables: { order: 7 } });
  const completed = await host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/complete`, {
    json: { workflowID, clientID: 'worker-1', variables: { shipped: true } },
  });
  expect(completed).toMatchObject({ status: 200, body: { status: 'APPLIED' } });
  const instance = await untilStatus(host, workflowID, 'COMPLETED');
  expect(instance).toMatchObject({ variables: { order: 7, shipped: true }, activeScopes: [] });
});
