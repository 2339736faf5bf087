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
  records: { entry: 'around', says: ({ body }) => ({ details: { events: body.ids } }) },
  summary: 'Deliver dead letters again',
  description:
    'They come before later events of the same instance that have not been delivered yet, and are tried for another 3 days.',
  request: { params: { subscriptionID: uuid }, body: redeliverRequest.default({}) },
  responses: { 202: { description: 'Dead letters queued' } },
  problems: [],
}).handle(async ({ params, body, context }) => {
  const { projectID, subscriptionID } = params;
  if ((await findSubscription(context.store, projectID, subscriptionID)) === undefined) return noSubscription(params);
  const deadLetters = await redeliver(context.store, subscriptionID, body.ids);
  return { status: 202, audit: { details: { deadLetters } } };
});
