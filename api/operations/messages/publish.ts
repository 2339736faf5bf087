import type { Json } from '../../../engine/json.js';
import { defineOperation } from '../../operation.js';
import { commandDeadlineSeconds } from '../../commands.js';
import { publishOnce } from './publish-once.js';
import { publication, publishMessageRequest } from './schemas.js';

export const publishBpmnMessage = defineOperation({
  operationID: 'PublishBpmnMessage',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/messages',
  role: 'executor',
  summary: 'Publishes a message to the one subscription that matches and has waited longest, or to a process that it starts.',
  description: 'A message that nobody waits for is kept until its ttl has ended (one hour unless it or the settings of the project say). Correlation values are compared with their types; an object matches as a subset.',
  request: { body: publishMessageRequest },
  responses: {
    200: { description: 'It is taken, or it is kept for whoever begins to wait.', schema: publication },
    202: { description: 'It is kept and still to be given to who waits for it.', schema: publication },
  },
  problems: ['IDEMPOTENCY_KEY_REUSED'],
  accepts: ['Prefer', 'Idempotency-Key'],
  deadlineSeconds: commandDeadlineSeconds,
}).handle(async ({ params, body, caller, headers, traceContext, context }) => {
  return publishOnce(context, {
    projectID: params.projectID,
    type: 'message',
    name: body.messageName,
    correlation: correlationOf(body.correlationKeys),
    variables: body.variables,
    ttl: body.ttl,
    publishedBy: caller.subject,
    traceContext,
  }, headers);
});

/** The door has read it as storable JSON. Empty means none (spec section 4). */
function correlationOf(given: unknown): Json | undefined {
  const isEmpty = given === '' || (typeof given === 'object' && given !== null && Object.keys(given).length === 0);
  return isEmpty ? undefined : (given as Json | undefined);
}
