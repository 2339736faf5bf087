import { z } from 'zod';
import { listSubscriptions } from '../../../../store/event-subscriptions/subscriptions.js';
import { pageResponse } from '../../../commands/page.js';
import { defineOperation } from '../../../commands/define-operation.js';
import { pageQuery } from '../../../contract/schemas.js';
import { eventSubscriptionPage } from './shared/schemas.js';
import { toEventSubscription } from './shared/subscription.js';

export const listEventSubscriptions = defineOperation({
  operationID: 'ListEventSubscriptions',
  method: 'GET',
  path: '/projects/{projectID}/events/subscriptions',
  role: 'admin',
  summary: 'List event subscriptions',
  description: 'Oldest first.',
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: { description: 'Page of subscriptions', schema: eventSubscriptionPage } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  // At most 20.
  const all = await listSubscriptions(context.store, params.projectID);
  const first = (query.page - 1) * query.pageSize;
  const page = { data: all.slice(first, first + query.pageSize), total: all.length };
  return { status: 200, body: pageResponse(query, page, toEventSubscription) };
});
