import { redactInstance } from '../../../store/redaction/redact.js';
import { refusalProblem } from '../../commands/refusal.js';
import { defineOperation } from '../../commands/define-operation.js';
import { redactVariablesRequest } from './shared/schemas.js';

export const redactBpmnVariables = defineOperation({
  operationID: 'RedactBpmnVariables',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/redact',
  role: 'admin',
  records: { entry: 'within', says: ({ body }) => ({ names: body.variables }) },
  summary: 'Redact variables of an ended instance',
  description:
    'Overwrites the values of these variables in every scope of the instance and its descendants. After the response, every read shows null for them, and searches count ' +
    'them as missing. The Temporal workflows are deleted within minutes. Texts such as error messages and comments, and values under other names, stay. Refused ' +
    'for a child instance, and while the instance or a descendant is running. 503: a worker is still overwriting values; a repeated request waits for it.',
  request: { body: redactVariablesRequest },
  responses: { 204: { description: 'Redacted' } },
  problems: ['CONFLICT'],
}).handle(async ({ params, body, audit, context }) => {
  const outcome = await redactInstance(context.store, { ...params, variables: body.variables, audit });
  return outcome.kind === 'refused' ? refusalProblem(outcome) : { status: 204 };
});
