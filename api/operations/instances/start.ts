import { defineOperation } from '../../contract/operation.js';
import { checkStartForm } from '../forms/shared/check-submission.js';
import { startedInstance, startInstanceRequest } from './shared/schemas.js';
import { startOnce } from './shared/start-instance.js';

export const startBpmnInstance = defineOperation({
  operationID: 'StartBpmnInstance',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/instances',
  role: 'executor',
  records: 'itself',
  summary: 'Start an instance of a definition',
  request: { body: startInstanceRequest },
  responses: { 201: { description: 'Instance started', schema: startedInstance } },
  problems: ['CONFLICT', 'DEFINITION_SUSPENDED', 'IDEMPOTENCY_KEY_REUSED'],
  accepts: ['Idempotency-Key'],
}).handle(async ({ params, body, caller, headers, traceContext, audit, context }) => {
  const request = {
    projectID: params.projectID,
    definitionID: body.processDefinitionID,
    variables: body.variables ?? {},
    businessID: body.businessId,
    startedBy: caller.subject,
    traceContext,
    audit,
  };
  return startOnce(context, request, headers.idempotency, (database) =>
    checkStartForm(database, request, body.variables),
  );
});
