import { findSubscription, updateSubscription } from '../../../../store/event-subscriptions/subscriptions.js';
import { defineOperation } from '../../../commands/define-operation.js';
import { uuid } from '../../../contract/schemas.js';
import { eventSubscription, updateEventSubscriptionRequest } from './shared/schemas.js';
import { noSubscription, receiverProblem, storedTypes, toEventSubscription } from './shared/subscription.js';

export const updateEventSubscription = defineOperation({
  operationID: 'UpdateEventSubscription',
  method: 'PATCH',
  path: '/projects/{projectID}/events/subscriptions/{subscriptionID}',
  role: 'admin',
  records: 'around',
  summary: 'Update an event subscription',
  description:
    'Members that are not named do not change. A disabled subscription keeps its position and continues there when it is enabled again.',
  request: { params: { subscriptionID: uuid }, body: updateEventSubscriptionRequest },
  responses: { 200: { description: 'Updated subscription', schema: eventSubscription } },
  problems: [],
}).handle(async ({ params, body, context }) => {
  const { projectID, subscriptionID } = params;
  const receiver = await receiverProblem(context, projectID, body);
  if (receiver) return receiver;
  const { types, processIds, ...settings } = body;
  const changes = { ...settings, types: types && storedTypes(types), processIDs: processIds };
  const isUpdated = await updateSubscription(context.store, projectID, subscriptionID, changes);
  const updated = isUpdated ? await findSubscription(context.store, projectID, subscriptionID) : undefined;
  return updated ? { status: 200, body: toEventSubscription(updated) } : noSubscription(params);
});
