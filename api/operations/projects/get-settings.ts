import { findProjectSettings } from '../../../store/projects/project-settings.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { openProject } from './shared/project.js';
import { projectSettings } from './shared/schemas.js';
import { toProjectSettings } from './shared/settings.js';

export const getProjectSettings = defineOperation({
  operationID: 'GetProjectSettings',
  method: 'GET',
  path: '/projects/{projectID}/settings',
  role: 'admin',
  summary: 'Get project settings',
  description: 'Durations are ISO 8601. Null means the default of the host.',
  request: {},
  responses: { 200: { description: 'Settings', schema: projectSettings } },
  problems: [],
}).handle(async ({ params, caller, context }) => {
  await openProject(context, caller, params.projectID);
  const settings = await findProjectSettings(context.store, params.projectID);
  return settings === undefined
    ? notFound(`no project ${params.projectID}`)
    : { status: 200, body: toProjectSettings(settings) };
});
