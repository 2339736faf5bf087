import { deleteProject as removeProject } from '../../../store/projects.js';
import { defineOperation } from '../../operation.js';
import { refusalProblem } from '../../refusal.js';

export const deleteProject = defineOperation({
  operationID: 'DeleteProject',
  method: 'DELETE',
  path: '/projects/{projectID}',
  role: 'admin',
  summary: 'Deletes a project with everything in it. Refused while an instance of it runs.',
  request: {},
  responses: { 204: { description: 'It is gone.' } },
  problems: ['CONFLICT'],
}).handle(async ({ params, context }) => {
  const outcome = await removeProject(context.store, params.projectID);
  return outcome.kind === 'refused' ? refusalProblem(outcome) : { status: 204 };
});
