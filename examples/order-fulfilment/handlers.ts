/**
 * A handler for each job type of the two processes. Ids are derived from the instance, so that a job that runs twice
 * (its lease expired, its worker died) books nothing twice.
 */
import { BpmnError, type JobHandler, type Variables } from '@perdure/client';

const IN_STOCK = 10;
const CARD_LIMIT = 5000;

export const handlers: { [taskType: string]: (...job: Parameters<JobHandler>) => Promise<Variables | void> } = {
  'reserve-stock': async ({ workflowID, variables }) => {
    const { items } = variables as { items: { sku: string; quantity: number }[] };
    const missing = items.find(({ quantity }) => quantity > IN_STOCK);
    if (missing) throw new BpmnError('OUT_OF_STOCK', `Only ${IN_STOCK} of ${missing.sku} are in stock`);
    return { reservationID: `reservation-${workflowID}` };
  },

  'charge-card': async ({ workflowID, variables }) => {
    const { amount } = variables as { amount: number };
    if (amount > CARD_LIMIT) throw new BpmnError('CARD_DECLINED', `The amount is above the limit of ${CARD_LIMIT}`);
    return { paymentID: `payment-${workflowID}` };
  },

  'pack-items': async ({ workflowID }) => ({ parcelID: `parcel-${workflowID}` }),

  'hand-to-carrier': async ({ variables }) => ({ trackingNumber: `track-${String(variables?.['parcelID'])}` }),

  'notify-customer': async ({ headers }) => ({ notifiedWith: headers?.['template'] ?? 'default' }),
};
