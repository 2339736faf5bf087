import { z } from 'zod';
import { listHooks as readHooks } from '../../../store/hooks/hooks.js';
import { pageResponse } from '../../commands/page.js';
import { defineOperation } from '../../commands/define-operation.js';
import { pageQuery } from '../../contract/schemas.js';
import { toHook } from './shared/hook.js';
import { hookPage } from './shared/schemas.js';

export const listHooks = defineOperation({
  operationID: 'ListHooks',
  method: 'GET',
  path: '/projects/{projectID}/hooks',
  role: 'viewer',
  summary: 'List hooks',
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: { description: 'Page of hooks, in the order of creation', schema: hookPage } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const found = await readHooks(context.store, params.projectID, query);
  return { status: 200, body: pageResponse(query, found, toHook) };
});
