import { unwrap } from '@perdure/client';
import type { Command } from '../../command.js';
import { showOutcome, untilApplied } from '../../outcome.js';
import { readObject } from '../../values.js';
import { reasonOf, reasonOption } from '../instance/target.js';
import { exampleTask, taskOf } from './shared.js';

export const failTask: Command = {
  name: 'tasks fail',
  role: 'viewer',
  operands: 'TASK CODE',
  summary: 'Fail a user task with a BPMN error',
  details: 'An error event that catches the code continues the process. Without one, the error becomes an incident.',
  examples: [`perdure tasks fail ${exampleTask} REJECTED`],
  minOperands: 2,
  maxOperands: 2,
  options: {
    variables: { type: 'string', value: 'JSON', help: 'JSON object, or @FILE that contains one' },
    ...reasonOption,
  },
  async run(invocation) {
    const variables = await readObject(invocation, 'variables');
    const host = await invocation.host();
    const path = taskOf(host, invocation);
    const failed = await unwrap(
      host.client.POST('/projects/{projectID}/bpmn/user-tasks/{executionKey}/error', {
        params: { path, header: untilApplied },
        body: { errorCode: invocation.operands[1]!, ...(variables && { variables }), ...reasonOf(invocation) },
      }),
    );
    return showOutcome(invocation.terminal, failed, `Task ${path.executionKey} failed`);
  },
};
