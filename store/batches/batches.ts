/** Batches in lists and details. What a batch does is in `turns.ts` and `items.ts`. */
import type { ModificationInstruction } from '@perdure/engine/contract/commands.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import type { MigrationPlan } from '../migration/plan.js';
import { insertEvents } from '../events/record.js';
import { executionKey } from '../sql/ids.js';
import { firstRow, type Queryable } from '../sql/database.js';
import { filterBy, filterByTime, filterByWords, type FilterValues } from '../lists/filters.js';
import { readFixedPage, readPage, streamList, type FixedList, type List } from '../lists/list.js';
import type { Page, PageRequest } from '../sql/page.js';

export const batchOperations = [
  'CANCEL',
  'RESOLVE',
  'SET_VARIABLES',
  'MIGRATE',
  'SUSPEND',
  'RESUME',
  'MODIFY',
  'DELETE',
  'FIRE_TIMERS',
] as const;
export type BatchOperation = (typeof batchOperations)[number];

export const batchStatuses = ['RUNNING', 'PAUSED', 'COMPLETED', 'CANCELED'] as const;
export type BatchStatus = (typeof batchStatuses)[number];

export const itemStatuses = ['PENDING', 'APPLIED', 'FAILED_AGAIN', 'REJECTED', 'SKIPPED', 'CANCELED'] as const;
export type ItemStatus = (typeof itemStatuses)[number];

/** The input of each single operation besides its target. */
export interface BatchInput {
  variables?: Variables | undefined;
  instructions?: ModificationInstruction[] | undefined;
  migration?: MigrationPlan | undefined;
  nodeID?: string | undefined;
}

/** The input without values of variables. */
export interface ShownInput {
  names?: string[];
  instructions?: { type: ModificationInstruction['type']; nodeID: string; names?: string[] }[];
  migration?: Omit<MigrationPlan, 'variables'> & { names?: string[] };
  nodeID?: string;
}

export type BatchCounts = Record<ItemStatus, number>;

export interface Batch {
  batchID: string;
  operation: BatchOperation;
  status: BatchStatus;
  createdBy: string;
  createdAt: Date;
  completedAt: Date | null;
  reason: string | null;
  itemsPerSecond: number;
  filter: object | null;
  shown: ShownInput;
  /** Migrations of one version only. */
  sourceDefinitionID: string | null;
  total: number;
  counts: BatchCounts;
}

export interface BatchItem {
  batchID: string;
  position: number;
  workflowID: string;
  /** Its number in the instance. */
  incident: number | null;
  status: ItemStatus;
  code: string | null;
  message: string | null;
  issues: string[] | null;
  commandNumber: number | null;
  processedAt: Date | null;
}

/** SQL: the items of the batch `b` by status, as JSON. */
const countsByStatus = `(SELECT json_object_agg(status, count) FROM (
  SELECT s.status, (SELECT count(*) FROM batch_items i WHERE i.batch_id = b.id AND i.status = s.status) AS count
  FROM unnest(ARRAY[${itemStatuses.map((status) => `'${status}'`).join(', ')}]) AS s(status)) AS counted)`;

const columns = `
  b.id AS "batchID", b.operation, b.status, b.created_by AS "createdBy", b.created_at AS "createdAt", b.completed_at AS "completedAt",
  b.reason, b.items_per_second AS "itemsPerSecond", b.filter, b.shown, b.source_definition_id AS "sourceDefinitionID", b.total,
  coalesce(b.counts, ${countsByStatus}) AS counts`;

/** SQL: the counts of the batch `b`, named as the API names them. */
const shownCounts = `jsonb_build_object(${[
  ['pending', 'PENDING'],
  ['applied', 'APPLIED'],
  ['failedAgain', 'FAILED_AGAIN'],
  ['rejected', 'REJECTED'],
  ['skipped', 'SKIPPED'],
  ['canceled', 'CANCELED'],
]
  .map(([name, status]) => `'${name}', b.counts -> '${status}'`)
  .join(', ')})`;

/** Records the counts of batches without open items, so that reading them takes no time and outlives their items. */
export const completeStatement = `
  WITH b AS (
    UPDATE batches b SET completed_at = now(), status = CASE WHEN status = 'CANCELED' THEN status ELSE 'COMPLETED' END,
      counts = ${countsByStatus}, input = NULL
    WHERE id = $1 AND completed_at IS NULL AND NOT EXISTS (SELECT FROM batch_items WHERE batch_id = $1 AND status = 'PENDING')
    RETURNING *
  )
  ${insertEvents({
    from: 'b',
    projectID: 'b.project_id',
    type: 'batch.completed',
    subject: 'b.id::text',
    processID: 'NULL',
    data: `jsonb_build_object('batchID', b.id, 'operation', b.operation, 'counts', ${shownCounts}, 'actor', b.created_by, 'reason', b.reason)`,
  })}`;

export async function findBatch(database: Queryable, projectID: string, batchID: string): Promise<Batch | undefined> {
  return firstRow<Batch>(database, `SELECT ${columns} FROM batches b WHERE b.project_id = $1 AND b.id = $2`, [
    projectID,
    batchID,
  ]);
}

/** Undefined if the project has no such batch. */
export async function operationOf(
  database: Queryable,
  projectID: string,
  batchID: string,
): Promise<BatchOperation | undefined> {
  const found = await firstRow<{ operation: BatchOperation }>(
    database,
    'SELECT operation FROM batches WHERE project_id = $1 AND id = $2',
    [projectID, batchID],
  );
  return found?.operation;
}

export const batchFilters = {
  operation: filterByWords('Operation', 'b.operation', batchOperations),
  status: filterByWords('Status', 'b.status', batchStatuses),
  createdBy: filterBy('text', 'Created by', 'b.created_by = ?'),
  createdAfter: filterByTime('Created after', 'b.created_at', 'after'),
  createdBefore: filterByTime('Created before', 'b.created_at', 'until'),
};

const batchList: FixedList<typeof batchFilters> = {
  columns,
  table: 'batches b',
  joins: '',
  projectColumn: 'b.project_id',
  filters: batchFilters,
  orderBy: 'b.number DESC',
};

/** Batches of a project, newest first. */
export function listBatches(
  database: Queryable,
  projectID: string,
  filter: FilterValues<typeof batchFilters>,
  page: PageRequest,
): Promise<Page<Batch>> {
  return readFixedPage(database, batchList, projectID, filter, page);
}

export const itemFilters = { status: filterByWords('Status', 'i.status', itemStatuses) };

type ItemFilter = FilterValues<typeof itemFilters>;

const itemList: List<typeof itemFilters, 'position'> = {
  columns: `i.batch_id AS "batchID", i.position, i.workflow_id AS "workflowID", i.incident, i.status, i.code, i.message, i.issues,
    i.command_number AS "commandNumber", i.processed_at AS "processedAt"`,
  table: 'batch_items i',
  joins: '',
  projectColumn: 'i.batch_id',
  filters: itemFilters,
  sorts: { position: { by: () => 'i.position' } },
  key: [{ column: 'i.position', type: 'integer' }],
};

/** Items that were skipped because the requested state was in effect already. */
export async function countUnchanged(database: Queryable, batchID: string): Promise<number> {
  const counted = await firstRow<{ count: number }>(
    database,
    "SELECT count(*)::integer AS count FROM batch_items WHERE batch_id = $1 AND status = 'SKIPPED' AND code IS NULL",
    [batchID],
  );
  return counted!.count;
}

/** Its items by position. The caller has found the batch in its project. */
export function listBatchItems(
  database: Queryable,
  batchID: string,
  filter: ItemFilter,
  page: PageRequest,
): Promise<Page<BatchItem>> {
  return readPage(database, itemList, batchID, filter, page);
}

export function streamBatchItems(database: Queryable, batchID: string, filter: ItemFilter): AsyncGenerator<BatchItem> {
  return streamList(database, itemList, batchID, filter, 'asc');
}

/** The id of the incident of an item on the wire. */
export function incidentIDOf({ workflowID, incident }: Pick<BatchItem, 'workflowID' | 'incident'>): string | undefined {
  return incident === null ? undefined : executionKey(workflowID, incident);
}
