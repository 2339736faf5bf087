/** Orders of the example. Their business id marks them, so that the demo worker completes only their jobs. */
import { api, unwrap } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';

export const orderProcessID = 'order-fulfilment';
const prefix = 'demo-order-';

export const smallTotal = 120;
/** Above the limit of 1,000, so that a person must approve the order. */
export const largeTotal = 1_500;
export const approvalNode = 'ApproveOrder';

export interface DemoOrder {
  projectID: string;
  businessID: string;
  workflowID: string;
}

export function newOrderID(): string {
  return `${prefix}${crypto.randomUUID().slice(0, 8)}`;
}

/** The demo order of an instance, or undefined if the instance is not a demo order. */
export function demoOrderOf(
  projectID: string,
  { workflowID, processId, businessId }: Pick<Schemas['BpmnInstanceState'], 'workflowID' | 'processId' | 'businessId'>,
): DemoOrder | undefined {
  return processId === orderProcessID && businessId?.startsWith(prefix)
    ? { projectID, businessID: businessId, workflowID }
    : undefined;
}

/** Starts an order once, even if the request is repeated. */
export async function startOrder(
  projectID: string,
  processDefinitionID: string,
  { orderID, total }: { orderID: string; total: number },
): Promise<DemoOrder> {
  const { workflowID } = await unwrap(
    api.POST('/projects/{projectID}/bpmn/instances', {
      params: { path: { projectID }, header: { 'Idempotency-Key': orderID } },
      body: {
        processDefinitionID,
        businessId: orderID,
        variables: { orderID, total, items: [{ sku: 'kettle', quantity: 2 }] },
      },
    }),
  );
  return { projectID, businessID: orderID, workflowID };
}
