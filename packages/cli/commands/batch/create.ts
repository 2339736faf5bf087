import { randomUUID } from 'node:crypto';
import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { counted, show } from '../../terminal.js';
import { readObjectFile } from '../../values.js';
import { follow } from './shared.js';

type Request = Schemas['CreateBpmnBatchRequest'];

export const createBatch: Command = {
  name: 'batch create',
  role: 'editor',
  operands: 'FILE',
  summary: 'Create a batch operation on instances or incidents, from a JSON file',
  details:
    'The file has the body of CreateBpmnBatch: {"operation": "CANCEL", "filter": {"processId": "order", ' +
    '"status": ["RUNNING"]}}. Shows the progress until the batch has ended; Ctrl-C leaves the batch ' +
    'running.',
  examples: ['perdure batch create cancel-orders.json --dry-run', 'perdure batch create cancel-orders.json --detach'],
  minOperands: 1,
  maxOperands: 1,
  options: {
    'dry-run': { type: 'boolean', help: 'show how many targets the batch would have, and the first; change nothing' },
    detach: { type: 'boolean', help: 'print the id of the batch and do not wait' },
    'idempotency-key': {
      type: 'string',
      value: 'KEY',
      help: 'a repeated request with the same key returns the first batch',
    },
  },
  async run(invocation) {
    const { terminal, operands, option, flag } = invocation;
    const given = (await readObjectFile(operands[0]!)) as Request;
    const body = flag('dry-run') ? { ...given, dryRun: true } : given;
    const host = await invocation.host();
    const accepted = await unwrap(
      host.client.POST('/projects/{projectID}/bpmn/batches', {
        params: {
          path: { projectID: host.projectID },
          header: { 'Idempotency-Key': option('idempotency-key') ?? randomUUID() },
        },
        body,
      }),
    );
    if (!('batchID' in accepted)) {
      const { total, workflowIDs, incidentIDs } = accepted;
      show(terminal, accepted, () => [counted(total, 'target'), ...(workflowIDs ?? incidentIDs ?? [])]);
      return exitCodes.done;
    }
    const { batchID, total } = accepted;
    show(terminal, accepted, () => [`Batch ${batchID} over ${counted(total, 'target')}`]);
    return flag('detach') ? exitCodes.done : follow(invocation, host, batchID);
  },
};
