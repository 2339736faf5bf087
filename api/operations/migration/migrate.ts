import { submitCommand } from '../../../store/commands.js';
import { findInstance } from '../../../store/instances.js';
import { acceptedResponse, submitAndAwait, commandDeadlineSeconds } from '../../commands.js';
import { defineOperation } from '../../operation.js';
import { notFound } from '../../problem.js';
import { tooManyVariables } from '../../variables.js';
import { command } from '../commands/schemas.js';
import { refusedMigration, resolvePlan } from './plan.js';
import { migrateInstanceRequest } from './schemas.js';

export const migrateBpmnInstance = defineOperation({
  operationID: 'MigrateBpmnInstance',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/migrate',
  role: 'editor',
  summary: 'Migrate an instance to another version',
  description: 'Elements that are not mapped keep their id. 400 lists every issue; nothing is changed then.',
  request: { body: migrateInstanceRequest },
  responses: { 200: { description: 'Migrated', schema: command }, 202: acceptedResponse },
  problems: ['CONFLICT', 'INSTANCE_ENDED'],
  accepts: ['Prefer'],
  deadlineSeconds: commandDeadlineSeconds,
}).handle(async ({ params, body, caller, headers, traceContext, context }) => {
  const tooLarge = tooManyVariables(body.variables);
  if (tooLarge !== undefined) return tooLarge;
  const { projectID, workflowID } = params;
  const instance = await findInstance(context.store, projectID, workflowID);
  if (instance === undefined) return notFound(`no instance ${workflowID} in project ${projectID}`);
  const migration = await resolvePlan(context, instance, body);
  if ('issue' in migration) return refusedMigration([migration.issue]);
  const submitted = await submitCommand(context.store, {
    projectID,
    workflowID,
    body: { kind: 'MIGRATE', ...migration },
    actor: caller.subject,
    reason: body.reason,
    awaited: headers.waitMilliseconds > 0,
    traceContext,
  });
  return submitAndAwait(context, workflowID, submitted, headers.waitMilliseconds);
});
