import { randomUUID } from 'node:crypto';
import { unwrap } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { show } from '../../terminal.js';
import { readObject } from '../../values.js';

export const signal: Command = {
  name: 'signal',
  role: 'executor',
  operands: 'NAME',
  summary: 'Publish a signal and print its publication id',
  examples: [`perdure signal prices-changed --variables '{"rate": 0.2}'`],
  minOperands: 1,
  maxOperands: 1,
  options: {
    variables: { type: 'string', value: 'JSON', help: 'JSON object, or @FILE that contains one' },
    ttl: { type: 'string', value: 'DURATION', help: 'how long it is kept, such as 1h (default: the project setting)' },
    'idempotency-key': { type: 'string', value: 'KEY', help: 'the same key publishes once' },
  },
  async run(invocation) {
    const { terminal, operands, option } = invocation;
    const variables = await readObject(invocation, 'variables');
    const ttl = option('ttl');
    const { client, projectID } = await invocation.host();
    const published = await unwrap(
      client.POST('/projects/{projectID}/bpmn/signals', {
        params: { path: { projectID }, header: { 'Idempotency-Key': option('idempotency-key') ?? randomUUID() } },
        body: { signalName: operands[0]!, ...(variables && { variables }), ...(ttl !== undefined && { ttl }) },
      }),
    );
    show(terminal, published, () => [published.publicationID]);
    return exitCodes.done;
  },
};
