/** Many orders of all kinds, from their start to their ends. */
import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import { unwrap } from '@perdure/client';
import { placeOrder } from '../../../examples/order-fulfilment/place-order.js';
import type { Shop } from '../../../examples/order-fulfilment/settings.js';
import { orderKinds, orderOf, type OrderKind } from '../../examples/support/orders.js';

export interface PlacedOrder {
  orderID: string;
  workflowID: string;
  kind: OrderKind;
}

const CALLERS = 8;

/** Orders that have not been placed yet; every kind comes equally often. */
export function writeOrders(count: number): { orderID: string; kind: OrderKind }[] {
  const batch = randomUUID().slice(0, 8);
  return Array.from({ length: count }, (_, index) => ({
    orderID: `${batch}-${index}`,
    kind: orderKinds[index % orderKinds.length]!,
  }));
}

/** Places them, several at once; every one is acknowledged. */
export async function placeOrders(
  shop: Shop,
  definitionID: string,
  orders: readonly { orderID: string; kind: OrderKind }[],
): Promise<PlacedOrder[]> {
  const waiting = [...orders];
  const placed: PlacedOrder[] = [];
  const caller = async () => {
    for (let order = waiting.shift(); order; order = waiting.shift()) {
      const workflowID = await placeOrder(shop, definitionID, orderOf(order.kind, order.orderID));
      placed.push({ ...order, workflowID });
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return placed;
}

/** Waits until no instance of the project runs. */
export async function untilAllHaveEnded({ client, projectID }: Shop, withinMilliseconds: number): Promise<void> {
  const params = { path: { projectID }, query: { status: 'RUNNING' as const, pageSize: 1 } };
  const running = async () =>
    (await unwrap(client.GET('/projects/{projectID}/bpmn/instances', { params }))).pagination.total;
  await vi.waitFor(async () => expect(await running()).toBe(0), { timeout: withinMilliseconds, interval: 500 });
}

/** The end that each order has come to, next to the one that it should have come to. */
export async function expectRightEnds({ client, projectID }: Shop, orders: readonly PlacedOrder[]): Promise<void> {
  const wrong: unknown[] = [];
  for (const { orderID, workflowID, kind } of orders) {
    const path = { projectID, workflowID };
    const { status, variables = {} } = await unwrap(
      client.GET('/projects/{projectID}/bpmn/instances/{workflowID}', { params: { path } }),
    );
    const { data } = await unwrap(
      client.GET('/projects/{projectID}/bpmn/instances/{workflowID}/history', {
        params: { path, query: { pageSize: 100 } },
      }),
    );
    const end = data.at(-1);
    const isRight =
      status === 'COMPLETED' &&
      end?.nodeID === kind.end &&
      end.status === 'Completed' &&
      variables['orderID'] === orderID &&
      variables['reason'] === kind.reason &&
      (variables['trackingNumber'] !== undefined) === (kind.end === 'OrderDelivered');
    if (!isRight) wrong.push({ orderID, workflowID, expected: kind.end, status, end, variables });
  }
  expect(wrong).toEqual([]);
}
