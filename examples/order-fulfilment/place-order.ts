/** Deploys both processes and starts an order: `place-order.js TOTAL QUANTITY`, from the top folder of the repository. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { unwrap } from '@perdure/client';
import { decodeFile } from '@perdure/lib/model-files/decode.js';
import { shopFor, type Shop } from './settings.js';

export interface Order {
  orderID: string;
  total: number;
  items: { sku: string; quantity: number }[];
}

/** Deploys a file of this folder; answers the id of its process's new version. */
export async function deploy({ client, projectID }: Shop, name: string, folder: URL): Promise<string> {
  const xml = decodeFile(await readFile(new URL(name, folder)), name);
  const { id: resourceID } = await unwrap(
    client.POST('/projects/{projectID}/bpmn/resources', { params: { path: { projectID } }, body: { name, xml } }),
  );
  const params = { path: { projectID, resourceID } };
  await unwrap(client.POST('/projects/{projectID}/bpmn/resources/{resourceID}/deploy', { params }));
  const { processes = [] } = await unwrap(client.GET('/projects/{projectID}/bpmn/resources/{resourceID}', { params }));
  return processes[0]!.id;
}

/** Starts an order; answers the workflowID of its instance. */
export async function placeOrder(
  { client, projectID }: Shop,
  processDefinitionID: string,
  order: Order,
): Promise<string> {
  // Started once, however often the request has to be sent.
  const params = { path: { projectID }, header: { 'Idempotency-Key': order.orderID } };
  const body = { processDefinitionID, businessId: order.orderID, variables: { ...order } };
  const { workflowID } = await unwrap(client.POST('/projects/{projectID}/bpmn/instances', { params, body }));
  return workflowID;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = pathToFileURL(`${process.cwd()}/examples/order-fulfilment/`);
  const shop = shopFor('editor');
  await deploy(shop, 'collect-payment.bpmn', folder);
  const definitionID = await deploy(shop, 'order-fulfilment.bpmn', folder);
  const [total = '120', quantity = '2'] = process.argv.slice(2);
  const order = {
    orderID: `order-${randomUUID()}`,
    total: Number(total),
    items: [{ sku: 'kettle', quantity: Number(quantity) }],
  };
  console.log(`Started ${await placeOrder(shop, definitionID, order)}`);
}
