/** The shop of the example, with everybody who works there, in the process of the test. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { handlers } from '../../../examples/order-fulfilment/handlers.js';
import { workOnJobs, type JobHandler } from '../../../examples/order-fulfilment/job-worker.js';
import { RefusedCall, type RestClient } from '../../../examples/order-fulfilment/rest-client.js';

interface Task {
  executionKey: string;
  variables: { orderID: string };
}

export interface ShopOptions {
  client: RestClient;
  /** What the person answers about an order. */
  approves(orderID: string): boolean;
}

const BETWEEN_LOOKS_MS = 200;

/** Works until `signal` is aborted, whatever happens to the host meanwhile. */
export async function runShop(options: ShopOptions, signal: AbortSignal): Promise<void> {
  const clientID = `shop-${randomUUID()}`;
  const workers = Object.entries(handlers).map(([taskType, handler]) =>
    workOnJobs({ client: options.client, clientID, taskType, handler: signed(handler), log: () => undefined }, signal),
  );
  await Promise.all([...workers, approveOrders(options, signal)]);
}

/** Every time a job is done it gives another result, so that what was acknowledged can be told from what was not. */
function signed(handler: JobHandler): JobHandler {
  return async (job, signal) => ({ ...(await handler(job, signal)), doneBy: randomUUID() });
}

async function approveOrders({ client, approves }: ShopOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const { data } = await client.get<{ data: Task[] }>('/bpmn/user-tasks?status=CREATED&pageSize=100');
      await Promise.all(data.map((task) => approve(client, task, approves(task.variables.orderID))));
    } catch {
      // The host is away; the next look finds it again.
    }
    await pause(BETWEEN_LOOKS_MS);
  }
}

async function approve(client: RestClient, { executionKey }: Task, approved: boolean): Promise<void> {
  try {
    await client.post(`/bpmn/user-tasks/${encodeURIComponent(executionKey)}/complete`, { variables: { approved } });
  } catch (error) {
    // Completed before, by a request whose answer got lost.
    if (!(error instanceof RefusedCall && error.status === 409)) throw error;
  }
}
