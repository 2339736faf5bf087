import { defineOperation } from '../../operation.js';
import { commandDeadlineSeconds } from '../../commands.js';
import { publishOnce } from '../messages/publish-once.js';
import { publication, publishSignalRequest } from '../messages/schemas.js';

export const publishBpmnSignal = defineOperation({
  operationID: 'PublishBpmnSignal',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/signals',
  role: 'executor',
  summary: 'Publishes a signal to everyone who waits for it, and to each instance that begins to wait before its ttl has ended.',
  description: 'It also starts one instance of every process with such a start event. The ttl is one day unless it or the settings of the project say.',
  request: { body: publishSignalRequest },
  responses: {
    200: { description: 'It is on its way to everyone who waits.', schema: publication },
    202: { description: 'It is kept and still to be given to some of those who wait.', schema: publication },
  },
  problems: ['IDEMPOTENCY_KEY_REUSED'],
  accepts: ['Prefer', 'Idempotency-Key'],
  deadlineSeconds: commandDeadlineSeconds,
}).handle(async ({ params, body, caller, headers, traceContext, context }) => {
  return publishOnce(context, {
    projectID: params.projectID,
    type: 'signal',
    name: body.signalName,
    variables: body.variables,
    ttl: body.ttl,
    publishedBy: caller.subject,
    traceContext,
  }, headers);
});
