import { z } from 'zod';
import { countUnchanged, findBatch, listBatchItems, type BatchItem } from '../../../store/batches/batches.js';
import type { Page, PageRequest } from '../../../store/sql/page.js';
import type { ApiContext } from '../../context.js';
import { defineOperation } from '../../commands/define-operation.js';
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
  const { projectID, migrationID } = params;
  const found = await migrationBatch(context, projectID, migrationID, query);
  if (found === undefined) return notFound(`no migration ${migrationID} in project ${projectID}`);
  const { createdAt, completedAt, results, ...progress } = found;
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

interface Found {
  migrationID: string;
  definitionID: string;
  createdBy: string;
  createdAt: Date;
  completedAt: Date | null;
  total: number;
  migrated: number;
  refused: number;
  results: Page<MigratingInstance>;
}

interface MigratingInstance {
  workflowID: string;
  status: 'PENDING' | 'MIGRATED' | 'REFUSED';
  /** Why it was refused. */
  issues: string[] | null;
}

/** A migration of many instances is a batch with one source version. */
async function migrationBatch(
  { store }: ApiContext,
  projectID: string,
  migrationID: string,
  page: PageRequest,
): Promise<Found | undefined> {
  const batch = await findBatch(store, projectID, migrationID);
  if (batch === undefined || batch.sourceDefinitionID === null) return undefined;
  const { createdBy, createdAt, completedAt, total, counts } = batch;
  const items = await listBatchItems(store, migrationID, {}, page);
  const unchanged = await countUnchanged(store, migrationID);
  const migrated = counts.APPLIED + unchanged;
  return {
    migrationID,
    definitionID: batch.sourceDefinitionID,
    createdBy,
    createdAt,
    completedAt,
    total,
    migrated,
    refused: total - counts.PENDING - migrated,
    results: { ...items, data: items.data.map(toMigrating) },
  };
}

/** An instance that runs the target version already is skipped without a code. */
function toMigrating({ workflowID, status, code, message, issues }: BatchItem): MigratingInstance {
  if (status === 'PENDING') return { workflowID, status, issues: null };
  if (status === 'APPLIED' || (status === 'SKIPPED' && code === null))
    return { workflowID, status: 'MIGRATED', issues: null };
  return { workflowID, status: 'REFUSED', issues: issues ?? [message ?? 'The batch was canceled'] };
}
