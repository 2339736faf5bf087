import { submitCommand } from '../../../store/instances/commands.js';
import { findInstance } from '../../../store/instances/instances.js';
import { acceptedResponse, submitAndAwait, commandDeadlineSeconds } from '../../commands/commands.js';
import { defineOperation } from '../../contract/operation.js';
import { notFound } from '../../contract/problem.js';
import { tooManyVariables } from '../../commands/variables.js';
import { command } from '../../contract/command.js';
import { refusedMigration, resolvePlan } from './shared/plan.js';
import { migrateInstanceRequest } from './shared/schemas.js';

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
