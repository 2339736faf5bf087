import { batchFilters, listBatches } from '../../../store/batches/batches.js';
import { definePages } from '../../commands/define-list.js';
import { toBatch } from './shared/batch.js';
import { batch, batchPage } from './shared/schemas.js';

export const listBpmnBatches = definePages({
  operationID: 'ListBpmnBatches',
  path: '/projects/{projectID}/bpmn/batches',
  role: 'viewer',
  summary: 'List batches',
  description: 'Newest first.',
  filters: batchFilters,
  item: batch,
  page: batchPage,
}).rows({
  page: ({ params, context }, page, filter) => listBatches(context.store, params.projectID, filter, page),
  toItem: toBatch,
});
