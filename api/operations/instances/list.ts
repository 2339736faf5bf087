import { instanceFilters } from '../../../store/instances/filters.js';
import { instanceSorts, listInstances, streamInstances } from '../../../store/instances/lists.js';
import { isTest } from '../../contract/schemas.js';
import { defineList } from '../../commands/define-list.js';
import { filterOf, queryFilters } from '../../commands/list-filters.js';
import { toInstance } from './shared/instance.js';
import { instance, instancePage } from './shared/schemas.js';

export const listBpmnInstances = defineList({
  operationID: 'ListBpmnInstances',
  path: '/projects/{projectID}/bpmn/instances',
  role: 'viewer',
  summary: 'List instances',
  description:
    'Newest first. `root` selects instances that no other instance called. Rows without a value to sort by come last in both orders.',
  filters: { ...queryFilters(instanceFilters), isTest },
  sorts: instanceSorts,
  item: instance,
  page: instancePage,
}).rows({
  page: ({ params, query, context }, page) =>
    listInstances(context.store, params.projectID, filterOf(instanceFilters, query), page),
  all: ({ params, query, context }, order) =>
    streamInstances(context.store, params.projectID, filterOf(instanceFilters, query), order),
  toItem: toInstance,
});
