import { z } from 'zod';
import type { FilterValues } from '../../../store/lists/filters.js';
import { itemFilters, listBatchItems, operationOf, streamBatchItems } from '../../../store/batches/batches.js';
import { describeList, filterOf, queryFilters } from '../../commands/list-filters.js';
import { pageResponse } from '../../commands/page.js';
import { defineOperation } from '../../commands/define-operation.js';
import type { HandlerInput } from '../../commands/operation.js';
import { notFound, type Problem } from '../../contract/problem.js';
import { pageQuery, uuid } from '../../contract/schemas.js';
import { toBatchItem } from './shared/batch.js';
import { batchItem, batchItemPage } from './shared/schemas.js';
import type { Database } from '../../../store/sql/database.js';

const filters = queryFilters(itemFilters);

export const listBpmnBatchItems = defineOperation({
  operationID: 'ListBpmnBatchItems',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/batches/{batchID}/items',
  role: 'viewer',
  summary: 'List the items of a batch',
  description: 'By position: the order in which they are begun.',
  request: { params: { batchID: uuid }, query: z.strictObject({ ...filters, ...pageQuery }) },
  responses: { 200: { description: 'Page of items', schema: batchItemPage } },
  problems: [],
  list: describeList(itemFilters),
  lines: { query: z.strictObject(filters), item: batchItem },
}).handle(
  async ({ params, query, context }) => {
    const { projectID, batchID } = params;
    if ((await operationOf(context.store, projectID, batchID)) === undefined) return unknownBatch(batchID);
    const items = await listBatchItems(context.store, batchID, filterOf(itemFilters, query), query);
    return { status: 200, body: pageResponse(query, items, toBatchItem) };
  },
  {
    async readLines(input) {
      const { params, query, context } = input as LinesInput;
      const { projectID, batchID } = params;
      if ((await operationOf(context.store, projectID, batchID)) === undefined) return unknownBatch(batchID);
      return allItems(context.store, batchID, filterOf(itemFilters, query));
    },
  },
);

type LinesInput = HandlerInput<
  { readonly projectID: string; readonly batchID: string },
  { readonly status?: string },
  unknown,
  unknown
>;

async function* allItems(store: Database, batchID: string, filter: FilterValues<typeof itemFilters>) {
  for await (const item of streamBatchItems(store, batchID, filter)) yield toBatchItem(item);
}

function unknownBatch(batchID: string): Problem<'NOT_FOUND'> {
  return notFound(`no batch ${batchID} in the project`);
}
