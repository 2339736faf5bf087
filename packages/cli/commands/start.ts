import { randomUUID } from 'node:crypto';
import { unwrap } from '@perdure/client';
import { exitCodes, type Command } from '../command.js';
import { readObject, wholeNumber } from '../values.js';
import { definitionOf } from '../host.js';
import { show } from '../terminal.js';

export const start: Command = {
  name: 'start',
  role: 'executor',
  operands: 'PROCESS',
  summary: 'Start an instance and print its workflow id',
  details: 'PROCESS is the id of a process, or a definitionID.',
  examples: [
    `perdure start order --variables '{"total": 120}' --business-id order-17`,
    'perdure start order --variables @order.json --version 3',
  ],
  least: 1,
  most: 1,
  options: {
    variables: { type: 'string', value: 'JSON', help: 'JSON object, or @FILE that contains one' },
    'business-id': { type: 'string', value: 'ID', help: 'your own id for the instance' },
    version: { type: 'string', value: 'NUMBER', help: 'version of the process (default: the newest)' },
    'idempotency-key': {
      type: 'string',
      value: 'KEY',
      help: 'a repeated start with the same key returns the first instance',
    },
  },
  async run(invocation) {
    const { terminal, operands, option } = invocation;
    const variables = await readObject(invocation, 'variables');
    const version = wholeNumber(invocation, 'version', 1, 999_999_999);
    const host = await invocation.host();
    const processDefinitionID = await definitionOf(host, operands[0]!, version);
    const businessId = option('business-id');
    const params = {
      path: { projectID: host.projectID },
      header: { 'Idempotency-Key': option('idempotency-key') ?? randomUUID() },
    };
    const body = {
      processDefinitionID,
      ...(variables && { variables }),
      ...(businessId !== undefined && { businessId }),
    };
    const started = await unwrap(host.client.POST('/projects/{projectID}/bpmn/instances', { params, body }));
    show(terminal, started, () => [started.workflowID]);
    return exitCodes.done;
  },
};
