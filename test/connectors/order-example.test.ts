/** The example of the repository with its payment by an HTTP task instead of a job worker. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ConnectorsRole } from '../../connectors/role.js';
import { createBank } from '../../examples/payment-over-http/bank.js';
import { startTestHost, type TestHost } from '../api/operations/support/host.js';
import { deploy, start, untilStatus } from '../api/operations/support/steps.js';
import { startConnectors } from './support/connectors.js';
import { eventually } from '../support/eventually.js';

const { server, charges } = createBank();
let host: TestHost;
let connectors: ConnectorsRole;
let processDefinitionID: string;
beforeAll(async () => {
  host = await startTestHost();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const bank = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  connectors = startConnectors(host, { allow: bank });
  await deploy(host, fileOf('payment-over-http/collect-payment').replace('http://127.0.0.1:7070', bank));
  processDefinitionID = await deploy(host, fileOf('order-fulfilment/order-fulfilment'));
});
afterAll(async () => {
  await connectors?.stop();
  await host?.close();
  server.close();
});

function fileOf(name: string): string {
  return readFileSync(new URL(`../../examples/${name}.bpmn`, import.meta.url), 'utf8');
}

async function order(total: number): Promise<string> {
  const variables = { orderID: `order-${total}`, total, items: [{ sku: 'kettle', quantity: 2 }] };
  return start(host, processDefinitionID, { variables });
}

async function complete(workflowID: string, nodeID: string, variables: Record<string, unknown> = {}): Promise<void> {
  const { body } = await eventually(
    () => host.call('executor', 'GET', `/bpmn/external-jobs?nodeID=${nodeID}&workflowID=${workflowID}&status=PENDING`),
    ({ body: { data } }) => data.length === 1,
  );
  const [{ executionKey, taskType }] = body.data;
  const polled = await host.call('executor', 'POST', '/bpmn/external-jobs/poll', {
    json: { taskType, clientID: 'shop', timeout: '0s' },
  });
  expect(polled.body).toMatchObject([{ executionKey }]);
  await host.call('executor', 'POST', `/bpmn/external-jobs/${executionKey}/complete`, {
    json: { workflowID, clientID: 'shop', variables },
  });
}

it('the example completes an order whose card the bank charges, once', async () => {
  const workflowID = await order(120);
  await complete(workflowID, 'ReserveStock');
  await complete(workflowID, 'PackItems');
  await complete(workflowID, 'HandToCarrier');
  await untilStatus(host, workflowID, 'COMPLETED');
  expect([...charges.values()]).toEqual([120]);
  expect([...charges.keys()]).toEqual([expect.stringContaining(workflowID)]);
});

it('the example refuses an order whose card the bank declines', async () => {
  const workflowID = await order(9000);
  await complete(workflowID, 'ReserveStock');
  const { body } = await eventually(
    () => host.call('executor', 'GET', `/bpmn/instances/${workflowID}/user-tasks`),
    ({ body: { data } }) => data.length === 1,
  );
  await host.call('executor', 'POST', `/bpmn/user-tasks/${body.data[0].executionKey}/complete`, {
    json: { variables: { approved: true } },
  });
  await complete(workflowID, 'NotifyCustomer');
  await untilStatus(host, workflowID, 'COMPLETED');
  expect([...charges.values()]).not.toContain(9000);
});
