/** The example of the repository with its scripted model, asked by a real connector. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ConnectorsRole } from '../../connectors/role.js';
import { createModel } from '../../examples/support-agent/model.js';
import { startTestHost, type TestHost } from '../api/operations/support/host.js';
import { deploy, start, takeJob, untilStatus } from '../api/operations/support/steps.js';
import { eventually } from '../support/eventually.js';
import { startConnectors } from './support/connectors.js';

const server = createModel();
let host: TestHost;
let connectors: ConnectorsRole;
let processDefinitionID: string;
beforeAll(async () => {
  host = await startTestHost();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const model = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  connectors = startConnectors(host, { allow: model });
  const xml = readFileSync(new URL('../../examples/support-agent/support-agent.bpmn', import.meta.url), 'utf8');
  processDefinitionID = await deploy(host, xml.replace('http://127.0.0.1:7071', model));
});
afterAll(async () => {
  await connectors?.stop();
  await host?.close();
  server.close();
});

async function complete(taskType: string, variables: object = {}): Promise<any> {
  const job = await takeJob(host, taskType);
  await host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/complete`, {
    json: { workflowID: job.workflowID, clientID: 'worker-1', variables },
  });
  return job;
}

async function decide(workflowID: string, approved: boolean): Promise<void> {
  const look = () => host.call('executor', 'GET', `/bpmn/instances/${workflowID}/user-tasks`);
  const { body } = await eventually(look, (found) => found.body.data.length === 1);
  const key = body.data[0].executionKey;
  const answer = await host.call('executor', 'POST', `/bpmn/user-tasks/${key}/complete`, {
    json: { variables: { approved } },
  });
  expect(answer.status).toBe(200);
}

it.each<[string, boolean, string]>([
  ['pays a refund that a person has approved', true, 'You get your money back.'],
  ['pays no refund that a person has refused', false, 'A colleague will write to you.'],
])('the example %s', async (_what, approved, answer) => {
  const variables = { email: 'mia@example.com', question: 'I want my money back' };
  const workflowID = await start(host, processDefinitionID, { variables });
  const job = await complete('search-orders', { orders: [{ order: '4711', state: 'lost' }] });
  expect(job.variables.email).toBe('mia@example.com');
  await decide(workflowID, approved);
  if (approved) await complete('pay-refund');
  const sent = await complete('send-answer');
  expect(sent.variables.answer).toBe(answer);
  await untilStatus(host, workflowID, 'COMPLETED');
});
