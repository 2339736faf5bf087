import { redeliver } from '../../../../store/event-subscriptions/dead-letters.js';
import { findSubscription } from '../../../../store/event-subscriptions/subscriptions.js';
import { defineOperation } from '../../../commands/define-operation.js';
import { uuid } from '../../../contract/schemas.js';
import { redeliverRequest } from './shared/schemas.js';
import { noSubscription } from './shared/subscription.js';

export const redeliverDeadLetters = defineOperation({
  operationID: 'RedeliverDeadLetters',
  method: 'POST',
  path: '/projects/{projectID}/events/subscriptions/{subscriptionID}/redeliver',
  role: 'admin',
  records: 'around',
  summary: 'Deliver dead letters again',
  description:
    'They come before later events of the same instance that have not been delivered yet, and are tried for another 3 days.',
  request: { params: { subscriptionID: uuid }, body: redeliverRequest.default({}) },
  responses: { 202: { description: 'Dead letters queued' } },
  problems: [],
}).handle(async ({ params, body, context }) => {
  const { projectID, subscriptionID } = params;
  if ((await findSubscription(context.store, projectID, subscriptionID)) === undefined) return noSubscription(params);
  await redeliver(context.store, subscriptionID, body.ids);
  return { status: 202 };
});
