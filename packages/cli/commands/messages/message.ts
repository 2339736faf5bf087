import { randomUUID } from 'node:crypto';
import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { show } from '../../terminal.js';
import { parseValue, readObject } from '../../values.js';

export const message: Command = {
  name: 'message',
  role: 'executor',
  operands: 'NAME',
  summary: 'Publish a message and print its publication id',
  details: 'Without a subscription that matches, the message is buffered until its --ttl ends.',
  examples: [`perdure message payment-received --key order-17 --variables '{"amount": 120}'`],
  minOperands: 1,
  maxOperands: 1,
  options: {
    key: {
      type: 'string',
      value: 'VALUE',
      help: 'correlation key: JSON, otherwise text. 5 is a number, \'"5"\' and order-17 are texts',
    },
    variables: { type: 'string', value: 'JSON', help: 'JSON object, or @FILE that contains one' },
    ttl: {
      type: 'string',
      value: 'DURATION',
      help: 'how long it is buffered, such as 1h (default: the project setting)',
    },
    'idempotency-key': { type: 'string', value: 'KEY', help: 'the same key publishes once' },
  },
  async run(invocation) {
    const { terminal, operands, option } = invocation;
    const variables = await readObject(invocation, 'variables');
    const [key, ttl] = [option('key'), option('ttl')];
    const correlationKeys = key === undefined ? undefined : (parseValue(key, '--key') as Schemas['CorrelationKeys']);
    const { client, projectID } = await invocation.host();
    const published = await unwrap(
      client.POST('/projects/{projectID}/bpmn/messages', {
        params: { path: { projectID }, header: { 'Idempotency-Key': option('idempotency-key') ?? randomUUID() } },
        body: {
          messageName: operands[0]!,
          ...(correlationKeys !== undefined && { correlationKeys }),
          ...(variables && { variables }),
          ...(ttl !== undefined && { ttl }),
        },
      }),
    );
    show(terminal, published, () => [published.publicationID]);
    return exitCodes.done;
  },
};
