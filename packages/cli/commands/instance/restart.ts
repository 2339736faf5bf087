import { randomUUID } from 'node:crypto';
import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { show } from '../../terminal.js';
import { readObject } from '../../values.js';
import { exampleInstance, instanceOf, reasonOf, reasonOption } from './target.js';

export const restart: Command = {
  name: 'restart',
  role: 'executor',
  operands: 'WORKFLOW_ID',
  summary: 'Start an ended instance again and print the workflow id of the new one',
  details:
    'The new instance has the variables that the ended one began with. --at needs the role admin and ' +
    'puts tokens before these nodes instead of at the start event.',
  examples: [
    `perdure restart ${exampleInstance} --reason 'the warehouse was closed'`,
    `perdure restart ${exampleInstance} --last --variables '{"address": "new"}' --at ship`,
  ],
  minOperands: 1,
  maxOperands: 1,
  options: {
    last: { type: 'boolean', help: 'with the variables that it ended with' },
    variables: {
      type: 'string',
      value: 'JSON',
      help: 'variables to replace: a JSON object, or @FILE that contains one',
    },
    definition: { type: 'string', value: 'DEFINITION_ID', help: 'another version of the process' },
    'business-id': { type: 'string', value: 'ID', help: 'your own id for the new instance (default: the same)' },
    at: { type: 'string', value: 'NODES', help: 'ids of the nodes to start at, separated by commas' },
    ...reasonOption,
  },
  async run(invocation) {
    const { option, flag, terminal } = invocation;
    const variables = await readObject(invocation, 'variables');
    const processDefinitionID = option('definition');
    const businessId = option('business-id');
    const nodes = option('at')?.split(',');
    const host = await invocation.host();
    const started = await unwrap<Schemas['StartedBpmnInstance']>(
      host.client.POST('/projects/{projectID}/bpmn/instances/{workflowID}/restart', {
        params: { path: instanceOf(host, invocation), header: { 'Idempotency-Key': randomUUID() } },
        body: {
          variablesFrom: flag('last') ? 'LAST' : 'INITIAL',
          ...(variables && { variables }),
          ...(processDefinitionID !== undefined && { processDefinitionID }),
          ...(businessId !== undefined && { businessId }),
          ...(nodes && { startAt: nodes.map((nodeID) => ({ nodeID })) }),
          ...reasonOf(invocation),
        },
      }),
    );
    show(terminal, started, () => [started.workflowID]);
    return exitCodes.done;
  },
};
