import { createSubscription } from '../../../../store/event-subscriptions/subscriptions.js';
import { refusalProblem } from '../../../commands/refusal.js';
import { defineOperation } from '../../../commands/define-operation.js';
import { onlyItsPath } from '../../../contract/audit/recording.js';
import { feedProblem, feedRequest, isPart } from '../shared/feed.js';
import { readFeed } from '../../../../store/events/feed.js';
import { createEventSubscriptionRequest, eventSubscription } from './shared/schemas.js';
import { subscriptionDetails } from './shared/subscription-details.js';
import { receiverProblem, storedTypes, toEventSubscription } from './shared/subscription.js';

export const createEventSubscription = defineOperation({
  operationID: 'CreateEventSubscription',
  method: 'POST',
  path: '/projects/{projectID}/events/subscriptions',
  role: 'admin',
  records: { entry: 'around', says: onlyItsPath },
  summary: 'Have events delivered to a URL',
  description:
    'Connectors (role `connectors`) send each event as a CloudEvent in its own POST, signed as in Standard Webhooks, until the receiver answers with 2xx within 10 seconds. ' +
    'At least once; in order per instance. A failing delivery is repeated after 1 second, doubling to 1 hour, for 3 days; then it is a dead letter. ' +
    'A project has at most 20 subscriptions. CONFLICT: the project has no `eventRetention`, or 20 subscriptions.',
  request: { body: createEventSubscriptionRequest },
  responses: { 201: { description: 'New subscription', schema: eventSubscription } },
  problems: ['CONFLICT', 'POSITION_EXPIRED'],
}).handle(async ({ params: { projectID }, body, caller, context }) => {
  const { after, types, processIds, ...settings } = body;
  const receiver = await receiverProblem(context, projectID, settings);
  if (receiver) return receiver;
  const request = await feedRequest(context, projectID, { after }, 1);
  const found = request && (await readFeed(context.store, request));
  if (!isPart(found)) return feedProblem(found);
  const created = await createSubscription(
    context.store,
    projectID,
    { ...settings, types: storedTypes(types), processIDs: processIds ?? null },
    { position: request!.after, createdBy: caller.subject },
  );
  if ('kind' in created) return refusalProblem(created);
  return { status: 201, body: toEventSubscription(created), audit: { details: subscriptionDetails(created) } };
});
