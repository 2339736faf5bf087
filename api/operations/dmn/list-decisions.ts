import { decisionFilters, listDecisions, type ListedDecision } from '../../../store/decisions/decisions.js';
import { definePages } from '../../commands/define-list.js';
import { decision, decisionPage } from './shared/schemas.js';

export const listDmnDecisions = definePages({
  operationID: 'ListDecisions',
  path: '/projects/{projectID}/dmn/decisions',
  role: 'viewer',
  summary: 'List decisions',
  description: 'Lists the decisions of the newest version of each DMN file, by name.',
  filters: decisionFilters,
  item: decision,
  page: decisionPage,
}).rows({
  page: ({ params, context }, page, filter) => listDecisions(context.store, params.projectID, filter, page),
  toItem: (found: ListedDecision) => found,
});
