import { lists, unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { filterOptions, filterQuery } from '../../lists/filters.js';
import { pageOptions, pageQuery, showPage } from '../../lists/paging.js';
import type { Batch } from './shared.js';

const batches = lists.ListBpmnBatches;

export const listBatches: Command = {
  name: 'batch list',
  role: 'viewer',
  operands: '',
  summary: 'List batches, newest first',
  examples: ['perdure batch list', 'perdure batch list --status running --operation resolve'],
  minOperands: 0,
  maxOperands: 0,
  options: {
    ...filterOptions(batches),
    ...pageOptions,
  },
  async run(invocation) {
    const query = { ...filterQuery(batches, invocation), ...pageQuery(invocation) };
    const { client, projectID } = await invocation.host();
    const answer = await unwrap<Schemas['BpmnBatchPaginatedResponse']>(
      client.GET('/projects/{projectID}/bpmn/batches', { params: { path: { projectID }, query } }),
    );
    showPage<Batch>(invocation.terminal, answer, 'batch', {
      BATCH: (one) => one.batchID,
      OPERATION: (one) => one.operation,
      STATUS: (one) => one.status,
      DONE: (one) => `${one.total - one.counts.pending} of ${one.total}`,
      CREATED: (one) => one.createdAt,
      BY: (one) => one.createdBy,
    });
    return exitCodes.done;
  },
};
