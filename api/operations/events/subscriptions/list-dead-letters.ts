import { z } from 'zod';
import { listDeadLetters as readDeadLetters } from '../../../../store/event-subscriptions/dead-letters.js';
import { findSubscription } from '../../../../store/event-subscriptions/subscriptions.js';
import { toCloudEvent } from '../../../../store/events/cloud-event.js';
import { pageResponse } from '../../../commands/page.js';
import { defineOperation } from '../../../commands/define-operation.js';
import { pageQuery, uuid } from '../../../contract/schemas.js';
import { optional, time } from '../../../contract/wire.js';
import { deadLetterPage } from './shared/schemas.js';
import { noSubscription } from './shared/subscription.js';

export const listDeadLetters = defineOperation({
  operationID: 'ListDeadLetters',
  method: 'GET',
  path: '/projects/{projectID}/events/subscriptions/{subscriptionID}/dead-letters',
  role: 'admin',
  summary: 'List events that could not be delivered',
  description: 'Newest first. They are kept as long as the events.',
  request: { params: { subscriptionID: uuid }, query: z.strictObject(pageQuery) },
  responses: { 200: { description: 'Page of dead letters', schema: deadLetterPage } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const { projectID, subscriptionID } = params;
  if ((await findSubscription(context.store, projectID, subscriptionID)) === undefined) return noSubscription(params);
  const page = await readDeadLetters(context.store, params, query);
  const body = pageResponse(query, page, ({ attempts, lastError, deadAt, ...event }) => ({
    event: toCloudEvent(projectID, event),
    attempts,
    lastError: optional(lastError),
    deadAt: time(deadAt),
  }));
  return { status: 200, body };
});
