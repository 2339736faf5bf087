/** Deploys both processes and starts an order: `place-order.js TOTAL QUANTITY`, from the top folder of the repository. */
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { RestClient } from './rest-client.js';
import { clientFor } from './settings.js';

export interface Order {
  orderID: string;
  total: number;
  items: { sku: string; quantity: number }[];
}

interface ResourceDetail {
  id: string;
  processes: { id: string; processID: string }[];
}

/** Deploys a file of this folder; answers the id of its process's new version. */
export async function deploy(client: RestClient, name: string, folder: URL): Promise<string> {
  const xml = await readFile(new URL(name, folder), 'utf8');
  const { id } = await client.post<ResourceDetail>('/bpmn/resources', { name, xml });
  await client.post(`/bpmn/resources/${id}/deploy`);
  const { processes } = await client.get<ResourceDetail>(`/bpmn/resources/${id}`);
  return processes[0]!.id;
}

/** Starts an order; answers the workflowID of its instance. */
export async function placeOrder(client: RestClient, processDefinitionID: string, order: Order): Promise<string> {
  const start = { processDefinitionID, businessId: order.orderID, variables: order };
  const { workflowID } = await client.post<{ workflowID: string }>('/bpmn/instances', start, { idempotencyKey: order.orderID });
  return workflowID;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = pathToFileURL(`${process.cwd()}/examples/order-fulfilment/`);
  const client = clientFor('editor');
  await deploy(client, 'collect-payment.bpmn', folder);
  const definitionID = await deploy(client, 'order-fulfilment.bpmn', folder);
  const [total = '120', quantity = '2'] = process.argv.slice(2);
  const order = { orderID: `order-${Date.now()}`, total: Number(total), items: [{ sku: 'kettle', quantity: Number(quantity) }] };
  console.log(`Started ${await placeOrder(client, definitionID, order)}`);
}
