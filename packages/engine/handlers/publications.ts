/** Handles the delivery of a message or signal to a subscription of this instance. */
import { consumeSubscription } from '../behaviors/waiting/waits.js';
import type { Variables } from '../contract/json.js';
import { openWait, type Run } from '../run.js';
import { APPLIED, rejected, type Handler, type Verdict } from './handler.js';

/** Rejected if the subscription is closed, so that the message can go to another one. */
export const correlateMessage: Handler<'CORRELATE_MESSAGE'> = (run, command) => deliver(run, 'message', command);

export const deliverSignal: Handler<'DELIVER_SIGNAL'> = (run, command) => deliver(run, 'signal', command);

function deliver(
  run: Run,
  type: 'message' | 'signal',
  { execution, publicationID, variables }: { execution: number; publicationID: string; variables?: Variables },
): Verdict {
  const wait = openWait(run, 'subscription', execution);
  if (wait?.type !== type) return rejected('CONFLICT', `Subscription ${execution} no longer waits for a ${type}`);
  consumeSubscription(run, wait, publicationID, variables);
  return APPLIED;
}
