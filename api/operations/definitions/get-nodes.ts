import { countByNode } from '../../../store/definitions/active-nodes.js';
import { findDefinition } from '../../../store/definitions/definitions.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { uuid } from '../../contract/schemas.js';
import { definitionNodes } from './shared/schemas.js';

export const getBpmnDefinitionNodes = defineOperation({
  operationID: 'GetBpmnDefinitionNodes',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/definitions/{definitionID}/nodes',
  role: 'viewer',
  summary: 'Count instances and open incidents per node',
  description:
    'Counts the running instances of one definition. Nodes without tokens are left out. An instance counts once at every node where it has a token. A sub-process counts in addition to the active nodes inside it.',
  request: { params: { definitionID: uuid } },
  responses: { 200: { description: 'Counts by node id', schema: definitionNodes } },
  problems: [],
}).handle(async ({ params, context }) => {
  const { projectID } = params;
  const found = await findDefinition(context.store, projectID, params.definitionID);
  if (found === undefined) return notFound(`no definition ${params.definitionID} in project ${projectID}`);
  return { status: 200, body: await countByNode(context.store, found.projectID, found.definitionID) };
});
