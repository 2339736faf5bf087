import { readTargets } from '../../../store/targets/targets.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { modelIdentifier } from '../../contract/schemas.js';
import { targets } from './shared/schemas.js';
import { toTargets } from './shared/targets.js';

export const getBpmnTargets = defineOperation({
  operationID: 'GetBpmnTargets',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/processes/{processID}/targets',
  role: 'viewer',
  summary: 'Get the duration targets of a process',
  request: { params: { processID: modelIdentifier } },
  responses: { 200: { description: 'Targets', schema: targets } },
  problems: [],
}).handle(async ({ params: { projectID, processID }, context }) => {
  const found = await readTargets(context.store, projectID, processID);
  return found ? { status: 200, body: toTargets(found) } : notFound(`no process ${processID} in project ${projectID}`);
});
