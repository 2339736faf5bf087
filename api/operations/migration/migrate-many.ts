import { createBatch, type Targets } from '../../../store/batches/create.js';
import { findDefinition } from '../../../store/definitions/definitions.js';
import { instanceConditions } from '../../../store/instances/filters.js';
import { resolvePlan } from '../../../store/migration/plan.js';
import { defineOperation } from '../../commands/define-operation.js';
import { variableNames } from '../../contract/audit/recording.js';
import { notFound } from '../../contract/problem.js';
import { uuid } from '../../contract/schemas.js';
import { tooMany } from '../batches/shared/too-many.js';
import { issuesOfPlan, modelsOf, refusedMigration } from './shared/plan.js';
import { migrateInstancesRequest, startedMigration } from './shared/schemas.js';

export const migrateBpmnInstances = defineOperation({
  operationID: 'MigrateBpmnInstances',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/definitions/{definitionID}/migrate',
  role: 'editor',
  records: {
    entry: 'around',
    says: ({ body }) => ({ ...variableNames({ body }), details: { targetVersion: body.targetVersion } }),
  },
  summary: 'Migrate the running instances of a definition',
  description:
    'A batch with the operation `MIGRATE`; its id is the `migrationID`. The migration runs in the background, and each instance is checked individually. `GET .../migrations/{migrationID}` returns the progress and the result of each instance. 400: the plan fits no instance.',
  request: { params: { definitionID: uuid }, body: migrateInstancesRequest },
  responses: { 202: { description: 'Migration started', schema: startedMigration } },
  problems: [],
  deadlineSeconds: 120,
}).handle(async ({ params, body, caller, context }) => {
  const { projectID, definitionID } = params;
  const { workflowIDs, reason, ...migration } = body;
  const definition = await findDefinition(context.store, projectID, definitionID);
  if (definition === undefined) return notFound(`no definition ${definitionID} in project ${projectID}`);
  const plan = await resolvePlan(context.store, definition, migration);
  if ('issue' in plan) return refusedMigration([plan.issue]);
  const issues = issuesOfPlan(await modelsOf(context, definition.graphSha256, plan), plan);
  if (issues.length > 0) return refusedMigration(issues);
  const filter = { definitionID: definition.definitionID, status: ['RUNNING'] };
  const targets: Targets = workflowIDs
    ? { kind: 'instances', workflowIDs }
    : { kind: 'instances', matching: instanceConditions(projectID, filter) };
  const accepted = await createBatch(context.store, {
    projectID,
    operation: 'MIGRATE',
    targets,
    filter: workflowIDs ? undefined : filter,
    input: { migration },
    sourceDefinitionID: definition.definitionID,
    createdBy: caller.subject,
    reason,
    itemsPerSecond: ITEMS_PER_SECOND,
  });
  if (accepted.kind === 'tooMany') return tooMany(accepted.total);
  return {
    status: 202,
    body: { migrationID: accepted.batchID },
    audit: { batchID: accepted.batchID, details: { total: accepted.total } },
  };
});

/** The maximum: requests cannot choose a rate. */
const ITEMS_PER_SECOND = 500;
