import { findDefinition } from '../../../store/definitions/definitions.js';
import { runningInstancesOf } from '../../../store/instances/instances.js';
import { resolvePlan } from '../../../store/migration/plan.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { uuid } from '../../contract/schemas.js';
import { issuesBetween, issuesOfPlan, modelsOf } from './shared/plan.js';
import { migrateInstancesRequest, migrationOfInstancesValidationResult } from './shared/schemas.js';

/** Enough to find the gaps of a plan. Each instance is read and migrated on a copy. */
const MAX_CHECKED = 500;

export const validateBpmnInstancesMigration = defineOperation({
  operationID: 'ValidateBpmnInstancesMigration',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/definitions/{definitionID}/migrate/validate',
  role: 'editor',
  summary: "Validate the migration of a definition's instances",
  description: `Changes nothing. Checks at most ${MAX_CHECKED} instances, newest first; \`total\` and \`checked\` return the number of instances and of checked instances.`,
  request: { params: { definitionID: uuid }, body: migrateInstancesRequest },
  responses: { 200: { description: 'Issues; empty if valid', schema: migrationOfInstancesValidationResult } },
  problems: [],
}).handle(async ({ params, body, context, signal }) => {
  const { projectID, definitionID } = params;
  const definition = await findDefinition(context.store, projectID, definitionID);
  if (definition === undefined) return notFound(`no definition ${definitionID} in project ${projectID}`);
  const plan = await resolvePlan(context.store, definition, body);
  if ('issue' in plan) return { status: 200, body: { valid: false, issues: [plan.issue], total: 0, checked: 0 } };
  const models = await modelsOf(context, definition.graphSha256, plan);
  const found = new Map(issuesOfPlan(models, plan).map((issue): [string, string[]] => [issue, []]));
  const { total, workflowIDs } = await runningInstancesOf(context.store, {
    projectID,
    definitionID: definition.definitionID,
    workflowIDs: body.workflowIDs,
    limit: MAX_CHECKED,
  });
  for (const workflowID of workflowIDs) {
    if (signal.aborted) break;
    for (const issue of await issuesBetween(context, models, { projectID, workflowID }, plan))
      found.set(issue, [...(found.get(issue) ?? []), workflowID]);
  }
  const issues = [...found].map(
    ([issue, instances]) =>
      `${issue}${instances.length === 0 ? '' : ` (${instances.length} of ${workflowIDs.length} instances, for example ${instances[0]})`}`,
  );
  return { status: 200, body: { valid: issues.length === 0, issues, total, checked: workflowIDs.length } };
});
