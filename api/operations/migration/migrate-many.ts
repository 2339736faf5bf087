import { findDefinition } from '../../../store/definitions/definitions.js';
import { createMigration } from '../../../store/migration/instance-migrations.js';
import { defineOperation } from '../../contract/operation.js';
import { notFound } from '../../contract/problem.js';
import { uuid } from '../../contract/schemas.js';
import { issuesOfPlan, modelsOf, refusedMigration, resolvePlan } from './shared/plan.js';
import { migrateInstancesRequest, startedMigration } from './shared/schemas.js';

export const migrateBpmnInstances = defineOperation({
  operationID: 'MigrateBpmnInstances',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/definitions/{definitionID}/migrate',
  role: 'editor',
  records: 'transaction',
  summary: 'Migrate the running instances of a definition',
  description:
    'The migration runs in the background, and each instance is checked individually. `GET .../migrations/{migrationID}` returns the progress and the result of each instance. 400: the plan fits no instance.',
  request: { params: { definitionID: uuid }, body: migrateInstancesRequest },
  responses: { 202: { description: 'Migration started', schema: startedMigration } },
  problems: [],
}).handle(async ({ params, body, caller, context }) => {
  const { projectID, definitionID } = params;
  const definition = await findDefinition(context.store, projectID, definitionID);
  if (definition === undefined) return notFound(`no definition ${definitionID} in project ${projectID}`);
  const plan = await resolvePlan(context, definition, body);
  if ('issue' in plan) return refusedMigration([plan.issue]);
  const issues = issuesOfPlan(await modelsOf(context, definition.graphSha256, plan), plan);
  if (issues.length > 0) return refusedMigration(issues);
  const { workflowIDs, reason } = body;
  const migrationID = await createMigration(context.store, {
    projectID,
    definitionID: definition.definitionID,
    plan,
    workflowIDs,
    createdBy: caller.subject,
    reason,
  });
  return { status: 202, body: { migrationID } };
});
