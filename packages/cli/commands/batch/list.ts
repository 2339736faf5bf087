import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { pageOptions, pageQuery, showPage } from '../../lists/paging.js';
import { oneOf } from '../../values.js';
import { batchOperations, batchStatuses, type Batch } from './shared.js';

export const listBatches: Command = {
  name: 'batch list',
  role: 'viewer',
  operands: '',
  summary: 'List batches, newest first',
  examples: ['perdure batch list', 'perdure batch list --status running --operation resolve'],
  minOperands: 0,
  maxOperands: 0,
  options: {
    status: { type: 'string', value: 'STATUS', words: batchStatuses, help: 'only batches with this status' },
    operation: { type: 'string', value: 'OPERATION', words: batchOperations, help: 'only batches with this operation' },
    ...pageOptions,
  },
  async run(invocation) {
    const query = {
      status: oneOf(invocation, 'status', batchStatuses),
      operation: oneOf(invocation, 'operation', batchOperations),
      ...pageQuery(invocation),
    };
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
