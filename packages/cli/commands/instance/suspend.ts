import { unwrap } from '@perdure/client';
import type { Command } from '../../command.js';
import { showOutcome } from '../../outcome.js';
import { exampleInstance, instanceOf, reasonOf, reasonOption } from './target.js';

export const suspend: Command = {
  name: 'suspend',
  role: 'admin',
  operands: 'WORKFLOW_ID',
  summary: 'Suspend an instance and its descendants',
  details: 'It makes no progress until perdure resume; what arrives while it is suspended is queued.',
  examples: [`perdure suspend ${exampleInstance} --reason 'the carrier is down'`],
  minOperands: 1,
  maxOperands: 1,
  options: reasonOption,
  async run(invocation) {
    const host = await invocation.host();
    await unwrap<unknown>(
      host.client.POST('/projects/{projectID}/bpmn/instances/{workflowID}/suspend', {
        params: { path: instanceOf(host, invocation) },
        body: reasonOf(invocation),
      }),
    );
    return showOutcome(invocation.terminal, undefined, `Instance ${invocation.operands[0]} suspended`);
  },
};
