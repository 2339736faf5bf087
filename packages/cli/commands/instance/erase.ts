import { unwrap } from '@perdure/client';
import type { Command } from '../../command.js';
import { showOutcome } from '../../outcome.js';
import { exampleInstance, instanceOf, reasonOf, reasonOption } from './target.js';

export const erase: Command = {
  name: 'erase',
  role: 'admin',
  operands: 'WORKFLOW_ID',
  summary: 'Erase an ended instance with everything it called',
  details:
    'It cannot be restored. perdure batch create with the operation DELETE erases many. The audit log ' +
    'keeps the ids and the reason.',
  examples: [`perdure erase ${exampleInstance} --reason 'on request of the customer'`],
  minOperands: 1,
  maxOperands: 1,
  options: reasonOption,
  async run(invocation) {
    const host = await invocation.host();
    await unwrap<unknown>(
      host.client.DELETE('/projects/{projectID}/bpmn/instances/{workflowID}/history', {
        params: { path: instanceOf(host, invocation), query: reasonOf(invocation) },
      }),
    );
    return showOutcome(invocation.terminal, undefined, `Instance ${invocation.operands[0]} erased`);
  },
};
