import { deleteSubscription } from '../../../../store/event-subscriptions/subscriptions.js';
import { defineOperation } from '../../../commands/define-operation.js';
import { reasonQuery, uuid } from '../../../contract/schemas.js';
import { noSubscription } from './shared/subscription.js';

export const deleteEventSubscription = defineOperation({
  operationID: 'DeleteEventSubscription',
  method: 'DELETE',
  path: '/projects/{projectID}/events/subscriptions/{subscriptionID}',
  role: 'admin',
  records: 'around',
  summary: 'Delete an event subscription',
  description: 'Deletes its dead letters too. Requests under way still arrive.',
  request: { params: { subscriptionID: uuid }, query: reasonQuery },
  responses: { 204: { description: 'Subscription deleted' } },
  problems: [],
}).handle(async ({ params, context }) =>
  (await deleteSubscription(context.store, params.projectID, params.subscriptionID))
    ? { status: 204 }
    : noSubscription(params),
);
