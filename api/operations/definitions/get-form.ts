import { findDefinition } from '../../../store/definitions/definitions.js';
import { findStartForm } from '../../../store/forms/forms.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { uuid } from '../../contract/schemas.js';
import { toForm } from '../forms/shared/form.js';
import { form } from '../forms/shared/schemas.js';

export const getBpmnStartForm = defineOperation({
  operationID: 'GetBpmnStartForm',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/definitions/{definitionID}/form',
  role: 'viewer',
  summary: 'Get the start form of a definition',
  description: '204 if the none start event has no form, or if none is deployed under its id yet.',
  request: { params: { definitionID: uuid } },
  responses: { 200: { description: 'Form', schema: form }, 204: { description: 'No form' } },
  problems: [],
}).handle(async ({ params: { projectID, definitionID }, context }) => {
  const definition = await findDefinition(context.store, projectID, definitionID);
  if (definition === undefined) return notFound(`no definition ${definitionID} in project ${projectID}`);
  const found = await findStartForm(context.store, projectID, definitionID);
  return found === undefined ? { status: 204 } : { status: 200, body: toForm(found) };
});
