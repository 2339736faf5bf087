import { unwrap } from '@perdure/client';
import type { Command } from '../../command.js';
import { showOutcome } from '../../outcome.js';
import { exampleInstance, instanceOf, reasonOf, reasonOption } from './target.js';

export const resume: Command = {
  name: 'resume',
  role: 'admin',
  operands: 'WORKFLOW_ID',
  summary: 'Resume a suspended instance',
  details: 'It stays paused while its definition or an ancestor is suspended.',
  examples: [`perdure resume ${exampleInstance}`],
  minOperands: 1,
  maxOperands: 1,
  options: reasonOption,
  async run(invocation) {
    const host = await invocation.host();
    await unwrap<unknown>(
      host.client.POST('/projects/{projectID}/bpmn/instances/{workflowID}/resume', {
        params: { path: instanceOf(host, invocation) },
        body: reasonOf(invocation),
      }),
    );
    return showOutcome(invocation.terminal, undefined, `Instance ${invocation.operands[0]} resumed`);
  },
};
