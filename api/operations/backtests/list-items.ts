import { z } from 'zod';
import {
  backtestExists,
  backtestItemFilters,
  listBacktestItems,
  streamBacktestItems,
} from '../../../store/backtests/backtests.js';
import type { FilterValues } from '../../../store/lists/filters.js';
import type { Database } from '../../../store/sql/database.js';
import { defineOperation } from '../../commands/define-operation.js';
import { describeList, filterOf, queryFilters } from '../../commands/list-filters.js';
import type { HandlerInput } from '../../commands/operation.js';
import { pageResponse } from '../../commands/page.js';
import { notFound, type Problem } from '../../contract/problem.js';
import { pageQuery, uuid } from '../../contract/schemas.js';
import { toBacktestItem } from './shared/backtest.js';
import { backtestItem, backtestItemPage } from './shared/schemas.js';

const filters = queryFilters(backtestItemFilters);

export const listBpmnBacktestItems = defineOperation({
  operationID: 'ListBpmnBacktestItems',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/backtests/{backtestID}/items',
  role: 'viewer',
  summary: 'List the instances of a backtest',
  description: 'Those that have been compared, the newest instance first.',
  request: { params: { backtestID: uuid }, query: z.strictObject({ ...filters, ...pageQuery }) },
  responses: { 200: { description: 'Page of instances with their outcomes', schema: backtestItemPage } },
  problems: [],
  list: describeList(backtestItemFilters),
  lines: { query: z.strictObject(filters), item: backtestItem },
}).handle(
  async ({ params, query, context }) => {
    const { projectID, backtestID } = params;
    if (!(await backtestExists(context.store, projectID, backtestID))) return unknownBacktest(backtestID);
    const items = await listBacktestItems(context.store, backtestID, filterOf(backtestItemFilters, query), query);
    return { status: 200, body: pageResponse(query, items, toBacktestItem) };
  },
  {
    async readLines(input) {
      const { params, query, context } = input as LinesInput;
      const { projectID, backtestID } = params;
      if (!(await backtestExists(context.store, projectID, backtestID))) return unknownBacktest(backtestID);
      return allItems(context.store, backtestID, filterOf(backtestItemFilters, query));
    },
  },
);

type LinesInput = HandlerInput<
  { readonly projectID: string; readonly backtestID: string },
  { readonly outcome?: string; readonly nodeID?: string },
  unknown,
  unknown
>;

async function* allItems(store: Database, backtestID: string, filter: FilterValues<typeof backtestItemFilters>) {
  for await (const item of streamBacktestItems(store, backtestID, filter)) yield toBacktestItem(item);
}

function unknownBacktest(backtestID: string): Problem<'NOT_FOUND'> {
  return notFound(`no backtest ${backtestID} in the project`);
}
