import { unwrap } from '@perdure/client';
import type { Command } from '../../command.js';
import { showOutcome } from '../../outcome.js';
import { exampleInstance, instanceOf, reasonOf, reasonOption } from './target.js';

const MAX_NAMES = 100;

export const redact: Command = {
  name: 'redact',
  role: 'admin',
  operands: 'WORKFLOW_ID NAME...',
  summary: 'Redact variables of an ended instance',
  details:
    'Overwrites their values in every scope of the instance and of everything it called. Texts such as ' +
    'error messages and comments, and values under other names, stay.',
  examples: [`perdure redact ${exampleInstance} iban name --reason 'on request of the customer'`],
  minOperands: 2,
  maxOperands: 1 + MAX_NAMES,
  options: reasonOption,
  async run(invocation) {
    const [workflowID, ...variables] = invocation.operands;
    const host = await invocation.host();
    await unwrap<unknown>(
      host.client.POST('/projects/{projectID}/bpmn/instances/{workflowID}/redact', {
        params: { path: instanceOf(host, invocation) },
        body: { variables, ...reasonOf(invocation) },
      }),
    );
    return showOutcome(invocation.terminal, undefined, `Instance ${workflowID}: ${variables.join(', ')} redacted`);
  },
};
