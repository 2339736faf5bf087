import { submitCommand } from '../../../store/instances/submit-command.js';
import { findInstance } from '../../../store/instances/instances.js';
import { resolvePlan } from '../../../store/migration/plan.js';
import { defineCommand } from '../../commands/define-command.js';
import { variableNames } from '../../contract/audit/recording.js';
import { notFound } from '../../contract/problem.js';
import { refusedMigration } from './shared/plan.js';
import { migrateInstanceRequest } from './shared/schemas.js';

export const migrateBpmnInstance = defineCommand({
  operationID: 'MigrateBpmnInstance',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/migrate',
  role: 'editor',
  summary: 'Migrate an instance to another version',
  description: 'Elements that are not mapped keep their id. 400 lists every issue; nothing is changed then.',
  request: { body: migrateInstanceRequest },
  says: ({ body }) => ({ ...variableNames({ body }), details: { targetVersion: body.targetVersion } }),
  applied: 'Migrated',
}).submit(async ({ params, body, context }, request) => {
  const { projectID, workflowID } = params;
  const instance = await findInstance(context.store, projectID, workflowID);
  if (instance === undefined) return notFound(`no instance ${workflowID} in project ${projectID}`);
  const migration = await resolvePlan(context.store, instance, body);
  if ('issue' in migration) return refusedMigration([migration.issue]);
  return submitCommand(context.store, {
    ...request,
    workflowID,
    body: { kind: 'MIGRATE', ...migration },
    reason: body.reason,
  });
});
