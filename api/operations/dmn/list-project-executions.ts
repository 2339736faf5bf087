import { executionFilters, listExecutions } from '../../../store/decisions/executed.js';
import { definePages } from '../../commands/define-list.js';
import { toListedExecution } from './shared/execution.js';
import { execution, executionPage } from './shared/schemas.js';

const { startDate: _, ...filters } = executionFilters;

export const listProjectDmnExecutions = definePages({
  operationID: 'ListProjectExecutions',
  path: '/projects/{projectID}/dmn/executions',
  role: 'viewer',
  summary: 'List evaluations of a project',
  description: 'Newest first.',
  filters,
  item: execution,
  page: executionPage,
}).rows({
  page: ({ params, context }, page, filter) => listExecutions(context.store, params.projectID, filter, page),
  toItem: toListedExecution,
});
