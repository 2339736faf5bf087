import type { Json } from '@perdure/engine/contract/json.js';
import { defineOperation } from '../../commands/define-operation.js';
import { variableNames } from '../../contract/audit/recording.js';
import { commandDeadlineSeconds } from '../../commands/commands.js';
import { publishedBefore, publishOnce } from './shared/publish-once.js';
import { publication, publishMessageRequest } from './shared/schemas.js';

export const publishBpmnMessage = defineOperation({
  operationID: 'PublishBpmnMessage',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/messages',
  role: 'executor',
  records: {
    entry: 'within',
    says: ({ body }) => ({ ...variableNames({ body }), details: { messageName: body.messageName } }),
  },
  summary: 'Publish a message',
  description:
    'Delivers the message to the one matching subscription that has waited longest, or starts an instance of a process. Without a match, the message is buffered until its `ttl` ends (default: the setting of the project, or one hour). Correlation values are compared with their types; an object matches as a subset.',
  request: { body: publishMessageRequest },
  responses: {
    200: { description: 'Correlated or buffered', schema: publication },
    202: { description: 'Accepted; delivery is still pending', schema: publication },
  },
  problems: [],
  accepts: ['Idempotency-Key'],
  waits: 'outcome',
  deadlineSeconds: commandDeadlineSeconds,
}).handle(
  async ({ params, body, caller, headers, traceContext, audit, context }) => {
    return publishOnce(
      context,
      {
        projectID: params.projectID,
        type: 'message',
        name: body.messageName,
        correlation: correlationOf(body.correlationKeys),
        variables: body.variables,
        ttl: body.ttl,
        publishedBy: caller.subject,
        traceContext,
        audit,
      },
      headers,
    );
  },
  { answerAgain: publishedBefore },
);

/** The request pipeline has read the value as storable JSON. An empty value means none. */
function correlationOf(given: unknown): Json | undefined {
  const isEmpty = given === '' || (typeof given === 'object' && given !== null && Object.keys(given).length === 0);
  return isEmpty ? undefined : (given as Json | undefined);
}
