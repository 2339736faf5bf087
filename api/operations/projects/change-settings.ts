import { changesBetween } from '../../../store/audit/details.js';
import {
  changeProjectSettings as writeSettings,
  lockProjectSettings,
} from '../../../store/projects/project-settings.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound, problem, type Problem } from '../../contract/problem.js';
import { openProject } from './shared/project.js';
import { changeProjectSettingsRequest, projectSettings } from './shared/schemas.js';
import { formatDuration } from '@perdure/lib/duration.js';
import { toProjectSettings } from './shared/settings.js';

export const changeProjectSettings = defineOperation({
  operationID: 'ChangeProjectSettings',
  method: 'PATCH',
  path: '/projects/{projectID}/settings',
  role: 'admin',
  records: { entry: 'around', says: ({ body }) => ({ names: Object.keys(body) }) },
  summary: 'Update project settings',
  description:
    'Settings that are not named do not change. Null restores the default of the host. `messageTtl` and `signalTtl` apply to messages and signals that are published from now on without a ttl, through this API or by an instance. `eventRetention` (1 hour to 90 days) begins the event feed of the project; null ends it and deletes its events. `auditRetention` is at least `AUDIT_RETENTION_MINIMUM` of the host, and a shorter one applies to entries recorded from now on. `validateForms` makes completing a task and starting a definition check the variables against the form. `agentPrices` replaces all prices of models, by which turns of agents have costs, also those of the past.',
  request: { body: changeProjectSettingsRequest },
  responses: { 200: { description: 'Current settings', schema: projectSettings } },
  problems: [],
}).handle(async ({ params, body, caller, context }) => {
  const tooShort = problemOfAuditRetention(body.auditRetention, context.auditRetentionMinimum);
  if (tooShort) return tooShort;
  await openProject(context, caller, params.projectID);
  const before = await lockProjectSettings(context.store, params.projectID);
  const settings = await writeSettings(context.store, params.projectID, body);
  if (before === undefined || settings === undefined) return notFound(`no project ${params.projectID}`);
  const after = toProjectSettings(settings);
  const details = changesBetween(toProjectSettings(before), after);
  return { status: 200, body: after, audit: { details } };
});

function problemOfAuditRetention(
  milliseconds: number | null | undefined,
  least: number,
): Problem<'BAD_REQUEST'> | undefined {
  if (milliseconds === null || milliseconds === undefined || milliseconds >= least) return undefined;
  return problem(
    'BAD_REQUEST',
    `auditRetention must be at least ${formatDuration(least)}, but is ${formatDuration(milliseconds)}. AUDIT_RETENTION_MINIMUM of the host sets the minimum.`,
  );
}
