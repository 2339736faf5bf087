/** The shop of the example with its workers, in the process of the test. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { unwrap, ApiError, workOnJobs, type JobHandler } from '@perdure/client';
import { handlers } from '../../../examples/order-fulfilment/handlers.js';
import type { Shop } from '../../../examples/order-fulfilment/settings.js';

export interface ShopOptions {
  shop: Shop;
  /** The decision about an order. */
  approves(orderID: string): boolean;
  /** Lease duration of jobs (default: that of job workers). */
  leaseMs?: number;
}

const BETWEEN_LOOKS_MS = 200;

/** Works until `signal` is aborted, whatever happens to the host in the meantime. */
export async function runShop(options: ShopOptions, signal: AbortSignal): Promise<void> {
  const clientID = `shop-${randomUUID()}`;
  const { shop, leaseMs } = options;
  const workers = Object.entries(handlers).map(([taskType, handler]) =>
    workOnJobs({ ...shop, clientID, taskType, handler: signed(handler), ...(leaseMs && { leaseMs }) }, signal),
  );
  await Promise.all([...workers, approveOrders(options, signal)]);
}

/** Every time a job is done it gives another result, so that acknowledged results differ from others. */
function signed(handler: JobHandler): JobHandler {
  return async (job, signal) => ({ ...(await handler(job, signal)), doneBy: randomUUID() });
}

async function approveOrders({ shop, approves }: ShopOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const params = { path: { projectID: shop.projectID }, query: { status: 'CREATED' as const, pageSize: 100 } };
      const { data } = await unwrap(shop.client.GET('/projects/{projectID}/bpmn/user-tasks', { params }));
      await Promise.all(
        data.map(({ executionKey, variables }) =>
          approve(shop, executionKey, approves(String(variables?.['orderID']))),
        ),
      );
    } catch {
      // The host is down; the next look finds it again.
    }
    await pause(BETWEEN_LOOKS_MS);
  }
}

async function approve({ client, projectID }: Shop, executionKey: string, approved: boolean): Promise<void> {
  try {
    const params = { path: { projectID, executionKey } };
    await unwrap(
      client.POST('/projects/{projectID}/bpmn/user-tasks/{executionKey}/complete', {
        params,
        body: { variables: { approved } },
      }),
    );
  } catch (error) {
    // Completed before, by a request whose answer got lost.
    if (!(error instanceof ApiError && error.status === 409)) throw error;
  }
}
