import { changesBetween } from '../../../../store/audit/details.js';
import {
  findSubscription,
  lockSubscription,
  updateSubscription,
} from '../../../../store/event-subscriptions/subscriptions.js';
import { defineOperation } from '../../../commands/define-operation.js';
import { onlyItsPath } from '../../../contract/audit/recording.js';
import { uuid } from '../../../contract/schemas.js';
import { eventSubscription, updateEventSubscriptionRequest } from './shared/schemas.js';
import { subscriptionDetails } from './shared/subscription-details.js';
import { noSubscription, receiverProblem, storedTypes, toEventSubscription } from './shared/subscription.js';

export const updateEventSubscription = defineOperation({
  operationID: 'UpdateEventSubscription',
  method: 'PATCH',
  path: '/projects/{projectID}/events/subscriptions/{subscriptionID}',
  role: 'admin',
  records: { entry: 'around', says: onlyItsPath },
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
  const before = await lockSubscription(context.store, projectID, subscriptionID);
  if (before === undefined) return noSubscription(params);
  await updateSubscription(context.store, projectID, subscriptionID, changes);
  const updated = (await findSubscription(context.store, projectID, subscriptionID))!;
  const details = changesBetween(subscriptionDetails(before), subscriptionDetails(updated));
  return { status: 200, body: toEventSubscription(updated), audit: { details } };
});
