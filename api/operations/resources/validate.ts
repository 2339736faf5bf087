import { compileResource } from '@perdure/bpmn';
import { defineOperation } from '../../commands/define-operation.js';
import { issuesOf } from './shared/model.js';
import { validateRequest, validateResponse } from './shared/schemas.js';

export const validateBpmnXml = defineOperation({
  operationID: 'ValidateBpmnXml',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/validate',
  role: 'editor',
  summary: 'Validate a BPMN file',
  description: 'Returns every problem that deploying the file would report. Nothing is stored.',
  request: { body: validateRequest },
  responses: { 200: { description: 'Problems; deployable if none has severity error', schema: validateResponse } },
  problems: [],
}).handle(async ({ body, turns }) => {
  return { status: 200, body: issuesOf(await compileResource(body.xml, turns)) };
});
