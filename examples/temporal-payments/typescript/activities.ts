/** The payment of an order: an activity that the process runs, as any workflow could. */
import { ApplicationFailure } from '@temporalio/common';

export interface Payment {
  order: string;
  amount: number;
}

const LIMIT = 1_000;

export async function charge({ order, amount }: Payment): Promise<{ paymentID: string }> {
  // The type is the code of the BPMN error.
  if (amount > LIMIT)
    throw ApplicationFailure.nonRetryable(`${amount} is above the limit of the card`, 'CARD_DECLINED');
  return { paymentID: `payment-${order}` };
}
