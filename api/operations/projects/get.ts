import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { openProject, toProject } from './shared/project.js';
import { project } from './shared/schemas.js';

export const getProject = defineOperation({
  operationID: 'GetProject',
  method: 'GET',
  path: '/projects/{projectID}',
  role: 'viewer',
  summary: 'Get a project',
  request: {},
  responses: { 200: { description: 'Project', schema: project } },
  problems: [],
}).handle(async ({ params, caller, context }) => {
  const found = await openProject(context, caller, params.projectID);
  return found === undefined ? notFound(`no project ${params.projectID}`) : { status: 200, body: toProject(found) };
});
