import { randomUUID } from 'node:crypto';
import { createProject as insertProject } from '../../../store/projects/projects.js';
import { defineOperation } from '../../commands/define-operation.js';
import { refusalProblem } from '../../commands/refusal.js';
import { toProject } from './shared/project.js';
import { createProjectRequest, project } from './shared/schemas.js';

export const createProject = defineOperation({
  operationID: 'CreateProject',
  method: 'POST',
  path: '/projects',
  role: 'org-admin',
  records: { entry: 'around', says: ({ body }) => ({ details: { name: body.name } }) },
  summary: 'Create a project',
  description: 'The id must be new. The identity provider defines who can access the project.',
  request: { body: createProjectRequest },
  responses: { 201: { description: 'Project', schema: project } },
  problems: ['CONFLICT'],
}).handle(async ({ body, context }) => {
  const created = await insertProject(context.store, randomUUID(), body.name);
  return 'kind' in created ? refusalProblem(created) : { status: 201, body: toProject(created) };
});
