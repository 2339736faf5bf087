import { findInstance, listChildren } from '../../../store/instances/instances.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { toInstance } from './shared/instance.js';
import { childrenResponse } from './shared/schemas.js';

export const getBpmnInstanceChildren = defineOperation({
  operationID: 'GetBpmnInstanceChildren',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/children',
  role: 'viewer',
  summary: 'List the child instances of an instance',
  description: 'In the order of the calls.',
  request: {},
  responses: { 200: { description: 'All child instances', schema: childrenResponse } },
  problems: [],
}).handle(async ({ params, context }) => {
  const { projectID, workflowID } = params;
  if ((await findInstance(context.store, projectID, workflowID)) === undefined)
    return notFound(`no instance ${workflowID}`);
  const children = await listChildren(context.store, projectID, workflowID);
  return { status: 200, body: { children: children.map(toInstance) } };
});
