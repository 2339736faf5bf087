import { instanceFilters } from '../../../store/instances/filters.js';
import { instanceSorts, listInstances, slowInstanceOrders, streamInstances } from '../../../store/instances/lists.js';
import { defineList } from '../../commands/define-list.js';
import { toInstance } from './shared/instance.js';
import { instance, instancePage } from './shared/schemas.js';

export const listBpmnInstances = defineList({
  operationID: 'ListBpmnInstances',
  path: '/projects/{projectID}/bpmn/instances',
  role: 'viewer',
  summary: 'List instances',
  description:
    'Newest first. `root` selects instances that no other instance called. Rows without a value to sort by come last in both orders.',
  filters: instanceFilters,
  hasTests: true,
  sorts: instanceSorts,
  slow: slowInstanceOrders,
  item: instance,
  page: instancePage,
}).rows({
  page: ({ params, context }, page, filter) => listInstances(context.store, params.projectID, filter, page),
  all: ({ params, context }, order, filter) => streamInstances(context.store, params.projectID, filter, order),
  toItem: toInstance,
});
