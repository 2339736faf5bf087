import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type TestHost } from './support/host.js';
import { sequenceModel, serviceTask } from '@perdure/testkit/models';
import { deploy, start, takeJob, untilStatus } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const at = (workflowID: string, commandID: string) => `/bpmn/instances/${workflowID}/commands/${commandID}`;

test('a command that no worker applies in time returns 202 and is applied by the next worker', async () => {
  const definitionID = await deploy(host, sequenceModel('accepted', [serviceTask('accepted-work')]));
  const workflowID = await start(host, definitionID);
  const job = await takeJob(host, 'accepted-work');
  await host.stopWorker();
  const complete = () =>
    host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/complete`, {
      json: { workflowID, clientID: 'worker-1', variables: { kept: true } },
      headers: { Prefer: 'wait=0' },
    });
  const accepted = await complete();
  expect(accepted).toMatchObject({ status: 202, body: { commandID: expect.any(String), status: 'PENDING' } });
  expect((await complete()).body).toEqual(accepted.body);
  const command = () => host.call('viewer', 'GET', at(workflowID, accepted.body.commandID));
  expect((await command()).body).toEqual({ commandID: accepted.body.commandID, status: 'PENDING' });

  await host.startWorker();
  const { body } = await eventually(command, ({ body: found }) => found.status !== 'PENDING');
  expect(body).toEqual({ commandID: accepted.body.commandID, status: 'APPLIED', appliedAt: expect.any(String) });
  expect(await untilStatus(host, workflowID, 'COMPLETED')).toMatchObject({ variables: { kept: true } });
});

test('a command that the end of its instance overtakes is rejected and says so', async () => {
  const definitionID = await deploy(host, sequenceModel('overtaken', [serviceTask('overtaken-work')]));
  const workflowID = await start(host, definitionID);
  const job = await takeJob(host, 'overtaken-work');
  await host.stopWorker();
  const prefer = { headers: { Prefer: 'wait=0' } };
  const completed = await host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/complete`, {
    json: { workflowID },
    ...prefer,
  });
  const late = await host.call('editor', 'PUT', `/bpmn/instances/${workflowID}/variables`, {
    json: { variables: { late: 1 } },
    ...prefer,
  });
  expect([completed.status, late.status]).toEqual([202, 202]);

  await host.startWorker();
  await untilStatus(host, workflowID, 'COMPLETED');
  const { body } = await host.call('viewer', 'GET', at(workflowID, late.body.commandID));
  expect(body).toMatchObject({
    status: 'REJECTED',
    code: 'INSTANCE_ENDED',
    message: expect.any(String),
    appliedAt: expect.any(String),
  });
});

test('a command is found in its own instance and project only', async () => {
  const definitionID = await deploy(host, sequenceModel('found', [serviceTask('found-work')]));
  const [workflowID, other] = [await start(host, definitionID), await start(host, definitionID)];
  const set = await host.call('editor', 'PUT', `/bpmn/instances/${workflowID}/variables`, {
    json: { variables: { a: 1 } },
  });
  const { commandID } = set.body;
  expect((await host.call('viewer', 'GET', at(workflowID, commandID))).status).toBe(200);
  expect((await host.call('viewer', 'GET', at(other, commandID))).status).toBe(404);
  expect((await host.call('viewer', 'GET', at(workflowID, 'not-a-uuid'))).status).toBe(404);
  const token = await host.token('admin', { projects: [{ id: 'p2', roles: ['admin'] }] });
  expect((await host.api.request('GET', `/projects/p2${at(workflowID, commandID)}`, { token })).status).toBe(404);
});
