import { backtestFilters, listBacktests } from '../../../store/backtests/backtests.js';
import { definePages } from '../../commands/define-list.js';
import { toBacktest } from './shared/backtest.js';
import { backtest, backtestPage } from './shared/schemas.js';

export const listBpmnBacktests = definePages({
  operationID: 'ListBpmnBacktests',
  path: '/projects/{projectID}/bpmn/backtests',
  role: 'viewer',
  summary: 'List backtests',
  description: 'Newest first.',
  filters: backtestFilters,
  item: backtest,
  page: backtestPage,
}).rows({
  page: ({ params, context }, page, filter) => listBacktests(context.store, params.projectID, filter, page),
  toItem: toBacktest,
});
