import { z } from 'zod';
import { findMigration, listMigratingInstances } from '../../../store/migration/instance-migrations.js';
import { defineOperation } from '../../contract/operation.js';
import { pageResponse } from '../../commands/page.js';
import { notFound } from '../../contract/problem.js';
import { pageQuery, uuid } from '../../contract/schemas.js';
import { optional, optionalTime, time } from '../../contract/wire.js';
import { migrationOfInstances } from './shared/schemas.js';

export const getBpmnMigration = defineOperation({
  operationID: 'GetBpmnMigration',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/migrations/{migrationID}',
  role: 'editor',
  summary: 'Get the progress of a migration',
  description: 'Includes the result of each instance.',
  request: { params: { migrationID: uuid }, query: z.strictObject(pageQuery) },
  responses: { 200: { description: 'Progress, with a page of instances', schema: migrationOfInstances } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const found = await findMigration(context.store, params.projectID, params.migrationID);
  if (found === undefined) return notFound(`no migration ${params.migrationID} in project ${params.projectID}`);
  const results = await listMigratingInstances(context.store, found.migrationID, query);
  const { createdAt, completedAt, ...progress } = found;
  return {
    status: 200,
    body: {
      ...progress,
      status: completedAt === null ? 'RUNNING' : 'COMPLETED',
      createdAt: time(createdAt),
      completedAt: optionalTime(completedAt),
      results: pageResponse(query, results, ({ workflowID, status, issues }) => ({
        workflowID,
        status,
        issues: optional(issues),
      })),
    },
  };
});
