import { countByNode } from '../../../store/definition-nodes.js';
import { findDefinition } from '../../../store/definitions.js';
import { defineOperation } from '../../operation.js';
import { notFound } from '../../problem.js';
import { uuid } from '../../schemas.js';
import { definitionNodes } from './schemas.js';

export const getBpmnDefinitionNodes = defineOperation({
  operationID: 'GetBpmnDefinitionNodes',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/definitions/{definitionID}/nodes',
  role: 'viewer',
  summary: 'How many running instances of a version stand at each of its nodes, and how many incidents are open there.',
  description: 'Nodes at which nothing is are left out. An instance counts at every node at which it has a token, once at each; a sub-process counts as well as what is active inside.',
  request: { params: { definitionID: uuid } },
  responses: { 200: { description: 'The counts, by the ids of the nodes.', schema: definitionNodes } },
  problems: [],
}).handle(async ({ params, context }) => {
  const { projectID } = params;
  const found = await findDefinition(context.store, projectID, params.definitionID);
  if (found === undefined) return notFound(`no definition ${params.definitionID} in project ${projectID}`);
  return { status: 200, body: await countByNode(context.store, projectID, found.definitionID) };
});
