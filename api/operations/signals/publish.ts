import { defineOperation } from '../../commands/define-operation.js';
import { variableNames } from '../../contract/audit/recording.js';
import { commandDeadlineSeconds } from '../../commands/commands.js';
import { publishedBefore, publishOnce } from '../messages/shared/publish-once.js';
import { publication, publishSignalRequest } from '../messages/shared/schemas.js';

export const publishBpmnSignal = defineOperation({
  operationID: 'PublishBpmnSignal',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/signals',
  role: 'executor',
  records: {
    entry: 'within',
    says: ({ body }) => ({ ...variableNames({ body }), details: { signalName: body.signalName } }),
  },
  summary: 'Publish a signal',
  description:
    'Delivers the signal to every open subscription, and to each instance that subscribes before its `ttl` ends. Starts one instance of every process with a matching start event. The `ttl` defaults to the setting of the project, or one day.',
  request: { body: publishSignalRequest },
  responses: {
    200: { description: 'Delivered to every open subscription', schema: publication },
    202: { description: 'Accepted; some deliveries are still pending', schema: publication },
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
        type: 'signal',
        name: body.signalName,
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
