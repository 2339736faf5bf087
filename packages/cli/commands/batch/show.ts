import { lists, unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { filterOptions, filterQuery } from '../../lists/filters.js';
import { pageOptions, pageQuery, showPage } from '../../lists/paging.js';
import { showJson } from '../../terminal.js';
import { exampleBatch, follow, progressOf, readBatch } from './shared.js';

const batchItems = lists.ListBpmnBatchItems;
type Item = Schemas['BpmnBatchItem'];

export const showBatch: Command = {
  name: 'batch show',
  role: 'viewer',
  operands: 'BATCH_ID',
  summary: 'Show the progress of a batch and its items',
  examples: [`perdure batch show ${exampleBatch} --status rejected`, `perdure batch show ${exampleBatch} --follow`],
  minOperands: 1,
  maxOperands: 1,
  options: {
    follow: { type: 'boolean', help: 'show the progress until the batch has ended, instead of the items' },
    ...filterOptions(batchItems),
    ...pageOptions,
  },
  async run(invocation) {
    const { terminal, flag, signal } = invocation;
    const batchID = invocation.operands[0]!;
    const query = { ...filterQuery(batchItems, invocation), ...pageQuery(invocation) };
    const host = await invocation.host();
    if (flag('follow')) return follow(invocation, host, batchID);
    const { client, projectID } = host;
    const batch = await readBatch(host, batchID, signal);
    const params = { path: { projectID, batchID }, query };
    const items = await unwrap<Schemas['BpmnBatchItemPaginatedResponse']>(
      client.GET('/projects/{projectID}/bpmn/batches/{batchID}/items', { params }),
    );
    if (terminal.json) {
      showJson(terminal, { ...batch, items });
      return exitCodes.done;
    }
    terminal.write(`${batch.operation} ${progressOf(batch)}`);
    showPage<Item>(terminal, items, 'item', {
      'NO.': (one) => one.position,
      TARGET: (one) => one.incidentID ?? one.workflowID,
      STATUS: (one) => one.status,
      WHY: (one) => one.issues?.join('; ') ?? one.message,
    });
    return exitCodes.done;
  },
};
