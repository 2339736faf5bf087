import { definitionsOfResource } from '../../../store/definitions/definitions.js';
import { findResource } from '../../../store/definitions/resources.js';
import { defineOperation } from '../../contract/operation.js';
import { notFound, problem } from '../../contract/problem.js';
import { uuid } from '../../contract/schemas.js';
import { startedInstance } from '../instances/shared/schemas.js';
import { startOnce } from '../instances/shared/start-instance.js';
import { startTestInstanceRequest } from './shared/schemas.js';

export const startBpmnTestInstance = defineOperation({
  operationID: 'StartBpmnTestInstance',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/resources/{resourceID}/test',
  role: 'editor',
  records: 'itself',
  summary: 'Start a test instance of a resource',
  description: 'Runs a process of exactly this resource, even when a newer version is deployed.',
  request: { params: { resourceID: uuid }, body: startTestInstanceRequest.default({}) },
  responses: { 201: { description: 'Instance started', schema: startedInstance } },
  problems: ['CONFLICT', 'DEFINITION_SUSPENDED', 'IDEMPOTENCY_KEY_REUSED'],
  accepts: ['Idempotency-Key'],
}).handle(async ({ params, body, caller, headers, traceContext, audit, context }) => {
  const { projectID, resourceID } = params;
  const resource = await findResource(context.store, projectID, resourceID);
  if (resource === undefined) return notFound(`no resource ${resourceID} in project ${projectID}`);
  if (resource.deployedAt === null) return problem('CONFLICT', 'The resource is a draft. Deploy it before testing it.');
  const definitions = await definitionsOfResource(context.store, projectID, resourceID);
  const candidates = definitions.filter(
    ({ processID }) => body.processID === undefined || processID === body.processID,
  );
  const [definition] = candidates;
  if (definition === undefined || candidates.length > 1) {
    const names = definitions.map(({ processID }) => processID).join(', ');
    return problem('BAD_REQUEST', `processID: must be a process of this resource: ${names}`);
  }
  const request = {
    projectID,
    definitionID: definition.definitionID,
    variables: body.variables ?? {},
    businessID: body.businessId,
    startedBy: caller.subject,
    traceContext,
    audit,
  };
  return startOnce(context, request, { idempotency: headers.idempotency });
});
