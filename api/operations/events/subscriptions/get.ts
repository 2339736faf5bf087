import { findSubscription } from '../../../../store/event-subscriptions/subscriptions.js';
import { defineOperation } from '../../../commands/define-operation.js';
import { uuid } from '../../../contract/schemas.js';
import { eventSubscription } from './shared/schemas.js';
import { noSubscription, toEventSubscription } from './shared/subscription.js';

export const getEventSubscription = defineOperation({
  operationID: 'GetEventSubscription',
  method: 'GET',
  path: '/projects/{projectID}/events/subscriptions/{subscriptionID}',
  role: 'admin',
  summary: 'Get an event subscription',
  description: 'Includes how far it is and why deliveries fail.',
  request: { params: { subscriptionID: uuid } },
  responses: { 200: { description: 'Subscription', schema: eventSubscription } },
  problems: [],
}).handle(async ({ params, context }) => {
  const found = await findSubscription(context.store, params.projectID, params.subscriptionID);
  return found ? { status: 200, body: toEventSubscription(found) } : noSubscription(params);
});
