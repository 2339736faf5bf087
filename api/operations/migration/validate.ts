import { findInstance } from '../../../store/instances/instances.js';
import { resolvePlan } from '../../../store/migration/plan.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound, problem } from '../../contract/problem.js';
import { issuesOf } from './shared/plan.js';
import { migrateInstanceRequest, migrationValidationResult } from './shared/schemas.js';

export const validateBpmnInstanceMigration = defineOperation({
  operationID: 'ValidateBpmnInstanceMigration',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/migrate/validate',
  role: 'editor',
  summary: 'Validate the migration of an instance',
  description: 'Returns every issue that prevents the migration of the instance in its current state. Changes nothing.',
  request: { body: migrateInstanceRequest },
  responses: { 200: { description: 'Issues; empty if valid', schema: migrationValidationResult } },
  problems: ['INSTANCE_ENDED'],
}).handle(async ({ params, body, context }) => {
  const instance = await findInstance(context.store, params.projectID, params.workflowID);
  if (instance === undefined) return notFound(`no instance ${params.workflowID} in project ${params.projectID}`);
  if (instance.status !== 'RUNNING')
    return problem('INSTANCE_ENDED', `Instance ${params.workflowID} is ${instance.status}`);
  const migration = await resolvePlan(context.store, instance, body);
  const issues = 'issue' in migration ? [migration.issue] : await issuesOf(context, instance, migration);
  return { status: 200, body: { valid: issues.length === 0, issues } };
});
