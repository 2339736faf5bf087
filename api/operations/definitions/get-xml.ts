import { definitionXML } from '../../../store/definitions/definitions.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { uuid } from '../../contract/schemas.js';

export const getBpmnDefinitionXml = defineOperation({
  operationID: 'GetBpmnDefinitionXml',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/definitions/{definitionID}/xml',
  role: 'viewer',
  summary: 'Get the BPMN file of a definition',
  request: { params: { definitionID: uuid } },
  responses: { 200: { description: 'BPMN file', mediaType: 'application/xml; charset=utf-8' } },
  problems: [],
}).handle(async ({ params, context }) => {
  const xml = await definitionXML(context.store, params.projectID, params.definitionID);
  if (xml === undefined) return notFound(`no definition ${params.definitionID} in project ${params.projectID}`);
  return { status: 200, body: xml };
});
