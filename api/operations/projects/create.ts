import { randomUUID } from 'node:crypto';
import { createProject as insertProject } from '../../../store/projects.js';
import { defineOperation } from '../../operation.js';
import { refusalProblem } from '../../refusal.js';
import { toProject } from './project.js';
import { createProjectRequest, project } from './schemas.js';

export const createProject = defineOperation({
  operationID: 'CreateProject',
  method: 'POST',
  path: '/projects',
  role: 'org-admin',
  summary: 'Create a project',
  description: 'The id must be new. The identity provider defines who can access the project.',
  request: { body: createProjectRequest },
  responses: { 201: { description: 'Project', schema: project } },
  problems: ['CONFLICT'],
}).handle(async ({ body, context }) => {
  const created = await insertProject(context.store, randomUUID(), body.name);
  return 'kind' in created ? refusalProblem(created) : { status: 201, body: toProject(created) };
});
