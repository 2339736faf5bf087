/** A workflow of code that calls the drawn process and waits for its end. */
import { createNexusServiceClient } from '@temporalio/workflow';
import { operation, service } from 'nexus-rpc';

interface Order {
  order: string;
  amount: number;
  endpoint: string;
}

interface Run {
  processId: string;
  businessId: string;
  variables: Record<string, unknown>;
}

const perdure = service('perdure', { runProcess: operation<Run, { paymentID?: string }>() });

/** @returns the id of the payment, or that there is not one */
export async function buy({ order, amount, endpoint }: Order): Promise<string> {
  const processes = createNexusServiceClient({ endpoint, service: perdure });
  const variables = { order, amount, language: 'typescript' };
  const { paymentID } = await processes.executeOperation(
    'runProcess',
    { processId: 'order-with-payment', businessId: order, variables },
    { scheduleToCloseTimeout: '1 day' },
  );
  return paymentID ?? 'not paid';
}
