import { changeProjectSettings as writeSettings } from '../../../store/project-settings.js';
import { defineOperation } from '../../operation.js';
import { notFound } from '../../problem.js';
import { openProject } from './project.js';
import { changeProjectSettingsRequest, projectSettings } from './schemas.js';
import { toProjectSettings } from './settings.js';

export const changeProjectSettings = defineOperation({
  operationID: 'ChangeProjectSettings',
  method: 'PATCH',
  path: '/projects/{projectID}/settings',
  role: 'admin',
  summary: 'Changes settings of a project; those that are not named stay.',
  description:
    'Null brings back the default of the host. `messageTtl` and `signalTtl` hold for messages and signals published from now on, over this API or by an instance, that do not say themselves how long they are kept.',
  request: { body: changeProjectSettingsRequest },
  responses: { 200: { description: 'All settings as they are now.', schema: projectSettings } },
  problems: [],
}).handle(async ({ params, body, caller, context }) => {
  await openProject(context, caller, params.projectID);
  const settings = await writeSettings(context.store, params.projectID, body);
  return settings === undefined ? notFound(`no project ${params.projectID}`) : { status: 200, body: toProjectSettings(settings) };
});
