import { deleteProject as removeProject } from '../../../store/projects/projects.js';
import { defineOperation } from '../../commands/define-operation.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { refusalProblem } from '../../commands/refusal.js';

export const deleteProject = defineOperation({
  operationID: 'DeleteProject',
  method: 'DELETE',
  path: '/projects/{projectID}',
  role: 'admin',
  records: { entry: 'around', says: onlyItsPath },
  summary: 'Delete a project',
  description:
    'Deletes everything in the project. Refused while an instance of the project is running. From the response on, requests for the project are 404, within half a second in every process of the host. Its rows are deleted afterward, in parts; until none is left, the id cannot be used for a new project.',
  request: {},
  responses: { 204: { description: 'Project deleted' } },
  problems: ['CONFLICT'],
}).handle(async ({ params, context }) => {
  const outcome = await removeProject(context.store, params.projectID);
  if (outcome.kind === 'refused') return refusalProblem(outcome);
  context.deletedProjects.add(params.projectID);
  return { status: 204, audit: { details: { name: outcome.name } } };
});
