/** Cancel events: BPMN 2.0.2 section 10.5.5.1. Thrown inside a transaction, caught on its boundary. */
import { cancelTransaction } from '../behaviors/compensation/transactions.js';
import type { TriggerBehavior } from './trigger.js';

export interface CancelTrigger {
  kind: 'cancel';
}

export const cancel: TriggerBehavior<CancelTrigger> = {
  compile: () => ({ kind: 'cancel' }),
  throw(run, element) {
    cancelTransaction(run, element);
    return { ok: true, value: 'THROWN' };
  },
};
