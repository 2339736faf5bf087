import { findDefinition } from '../../../store/definitions/definitions.js';
import { startTimersOfDefinition } from '../../../store/messages/start-timers.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { uuid } from '../../contract/schemas.js';
import { toDefinition } from './shared/definition.js';
import { definition } from './shared/schemas.js';

export const getBpmnDefinition = defineOperation({
  operationID: 'GetBpmnDefinition',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/definitions/{definitionID}',
  role: 'viewer',
  summary: 'Get a definition',
  description: 'A definition is one deployed version of a process.',
  request: { params: { definitionID: uuid } },
  responses: { 200: { description: 'Definition', schema: definition } },
  problems: [],
}).handle(async ({ params, context }) => {
  const found = await findDefinition(context.store, params.projectID, params.definitionID);
  if (found === undefined) return notFound(`no definition ${params.definitionID} in project ${params.projectID}`);
  return { status: 200, body: toDefinition(found, await startTimersOfDefinition(context.store, found.definitionID)) };
});
