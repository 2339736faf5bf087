import { readSettings } from '../../../store/processes/settings.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { modelIdentifier } from '../../contract/schemas.js';
import { processSettings } from './shared/schemas.js';
import { toSettings } from './shared/settings.js';

export const getBpmnProcessSettings = defineOperation({
  operationID: 'GetBpmnProcessSettings',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/processes/{processID}/settings',
  role: 'viewer',
  summary: 'Get the settings of a process',
  request: { params: { processID: modelIdentifier } },
  responses: { 200: { description: 'Settings of all versions', schema: processSettings } },
  problems: [],
}).handle(async ({ params: { projectID, processID }, context }) => {
  const found = await readSettings(context.store, projectID, processID);
  return found ? { status: 200, body: toSettings(found) } : notFound(`no process ${processID} in project ${projectID}`);
});
