import { compileResource } from '../../../bpmn/index.js';
import { defineOperation } from '../../operation.js';
import { issuesOf } from './model.js';
import { validateRequest, validateResponse } from './schemas.js';

export const validateBpmnXml = defineOperation({
  operationID: 'ValidateBpmnXml',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/validate',
  role: 'editor',
  summary: 'What deploying a BPMN file would say, all problems at once. Nothing is stored.',
  request: { body: validateRequest },
  responses: { 200: { description: 'The problems; none of severity error means that it can be deployed.', schema: validateResponse } },
  problems: [],
}).handle(async ({ body }) => {
  return { status: 200, body: issuesOf(await compileResource(body.xml)) };
});
