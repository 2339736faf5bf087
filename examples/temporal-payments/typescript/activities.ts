/** The payment of an order: an activity that the process runs, as any workflow could. */
import { appendFile } from 'node:fs/promises';
import { activityInfo, sleep } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';

export interface Payment {
  order: string;
  amount: number;
}

const LIMIT = 1_000;
const payments = process.env['PAYMENTS_FILE'] ?? 'payments.log';

export async function charge({ order, amount }: Payment): Promise<{ paymentID: string }> {
  // All attempts for one job have the same workflow id, so it is the idempotency key of the bank.
  const { workflowExecution } = activityInfo();
  await appendFile(payments, `${order} ${workflowExecution!.workflowId} typescript\n`);
  await sleep('500ms');
  // The type is the code of the BPMN error.
  if (amount > LIMIT)
    throw ApplicationFailure.nonRetryable(`${amount} is above the limit of the card`, 'CARD_DECLINED');
  return { paymentID: `payment-${order}` };
}
