import { findHook } from '../../../store/hooks/hooks.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { uuid } from '../../contract/schemas.js';
import { toHook } from './shared/hook.js';
import { hook } from './shared/schemas.js';

export const getHook = defineOperation({
  operationID: 'GetHook',
  method: 'GET',
  path: '/projects/{projectID}/hooks/{hookID}',
  role: 'viewer',
  summary: 'Get a hook',
  request: { params: { hookID: uuid } },
  responses: { 200: { description: 'Hook', schema: hook } },
  problems: [],
}).handle(async ({ params: { projectID, hookID }, context }) => {
  const found = await findHook(context.store, projectID, hookID);
  return found ? { status: 200, body: toHook(found) } : notFound(`no hook ${hookID} in project ${projectID}`);
});
