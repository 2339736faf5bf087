import { deleteSubscription } from '../../../../store/event-subscriptions/subscriptions.js';
import { defineOperation } from '../../../commands/define-operation.js';
import { onlyItsPath } from '../../../contract/audit/recording.js';
import { reasonQuery, uuid } from '../../../contract/schemas.js';
import { subscriptionDetails } from './shared/subscription-details.js';
import { noSubscription } from './shared/subscription.js';

export const deleteEventSubscription = defineOperation({
  operationID: 'DeleteEventSubscription',
  method: 'DELETE',
  path: '/projects/{projectID}/events/subscriptions/{subscriptionID}',
  role: 'admin',
  records: { entry: 'around', says: onlyItsPath },
  summary: 'Delete an event subscription',
  description: 'Deletes its dead letters too. Requests under way still arrive.',
  request: { params: { subscriptionID: uuid }, query: reasonQuery },
  responses: { 204: { description: 'Subscription deleted' } },
  problems: [],
}).handle(async ({ params, context }) => {
  const deleted = await deleteSubscription(context.store, params.projectID, params.subscriptionID);
  return deleted ? { status: 204, audit: { details: subscriptionDetails(deleted) } } : noSubscription(params);
});
