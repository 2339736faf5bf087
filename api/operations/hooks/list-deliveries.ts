import { z } from 'zod';
import { findHook } from '../../../store/hooks/hooks.js';
import { listDeliveries } from '../../../store/hooks/deliveries.js';
import { pageResponse } from '../../commands/page.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { pageQuery, uuid } from '../../contract/schemas.js';
import { toDelivery } from './shared/hook.js';
import { deliveryPage } from './shared/schemas.js';

export const listHookDeliveries = defineOperation({
  operationID: 'ListHookDeliveries',
  method: 'GET',
  path: '/projects/{projectID}/hooks/{hookID}/deliveries',
  role: 'editor',
  summary: 'List deliveries to a hook',
  description:
    'Those of the last 7 days with the right signature. Requests that were refused before their content was read are not among them.',
  request: { params: { hookID: uuid }, query: z.strictObject(pageQuery) },
  responses: { 200: { description: 'Page of deliveries, newest first', schema: deliveryPage } },
  problems: [],
}).handle(async ({ params: { projectID, hookID }, query, context }) => {
  const found = await findHook(context.store, projectID, hookID);
  if (found === undefined) return notFound(`no hook ${hookID} in project ${projectID}`);
  const deliveries = await listDeliveries(context.store, hookID, query);
  return { status: 200, body: pageResponse(query, deliveries, toDelivery) };
});
