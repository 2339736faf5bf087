import { createHook as insertHook } from '../../../store/hooks/hooks.js';
import { defineOperation } from '../../commands/define-operation.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { refusalProblem } from '../../commands/refusal.js';
import { problemOfOpening } from '../projects/shared/project.js';
import { badExpressions } from './shared/bad-expressions.js';
import { hookDetails } from './shared/hook-details.js';
import { toHook } from './shared/hook.js';
import { hook, hookRequest } from './shared/schemas.js';

export const createHook = defineOperation({
  operationID: 'CreateHook',
  method: 'POST',
  path: '/projects/{projectID}/hooks',
  role: 'editor',
  opensProject: true,
  records: { entry: 'around', says: onlyItsPath },
  summary: 'Create a hook',
  description:
    'Other systems post to `path` at the hook port of the host. A delivery with the right signature publishes the message that the expressions make of it. ' +
    'A mistake in an expression returns 400 with its line and column. A project can have 100 hooks; the next one returns 409, and so does a project that is being deleted.',
  request: { body: hookRequest },
  responses: { 201: { description: 'Hook', schema: hook } },
  problems: ['CONFLICT'],
}).handle(async ({ params: { projectID }, body, caller, context, turns }) => {
  const bad = await badExpressions(body, turns);
  if (bad !== undefined) return bad;
  const unopened = await problemOfOpening(context, caller, projectID);
  if (unopened !== undefined) return unopened;
  const created = await insertHook(context.store, projectID, body, caller.subject);
  return 'kind' in created
    ? refusalProblem(created)
    : { status: 201, body: toHook(created), audit: { details: hookDetails(created) } };
});
