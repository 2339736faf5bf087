import { lockHook, updateHook as replaceHook } from '../../../store/hooks/hooks.js';
import { defineOperation } from '../../commands/define-operation.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { notFound } from '../../contract/problem.js';
import { uuid } from '../../contract/schemas.js';
import { badExpressions } from './shared/bad-expressions.js';
import { hookChanges } from './shared/hook-details.js';
import { toHook } from './shared/hook.js';
import { hook, hookRequest } from './shared/schemas.js';

export const updateHook = defineOperation({
  operationID: 'UpdateHook',
  method: 'PUT',
  path: '/projects/{projectID}/hooks/{hookID}',
  role: 'editor',
  records: { entry: 'around', says: onlyItsPath },
  summary: 'Replace a hook',
  description:
    'Its path stays the same. No delivery is published by the former expressions after this. Other processes accept the new signature within 5 seconds.',
  request: { params: { hookID: uuid }, body: hookRequest },
  responses: { 200: { description: 'Hook', schema: hook } },
  problems: [],
}).handle(async ({ params: { projectID, hookID }, body, caller, context, turns }) => {
  const bad = await badExpressions(body, turns);
  if (bad !== undefined) return bad;
  const before = await lockHook(context.store, projectID, hookID);
  const updated = before && (await replaceHook(context.store, projectID, hookID, body, caller.subject));
  if (updated === undefined) return notFound(`no hook ${hookID} in project ${projectID}`);
  return { status: 200, body: toHook(updated), audit: { details: hookChanges(before!, updated) } };
});
