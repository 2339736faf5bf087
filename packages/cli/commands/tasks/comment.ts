import { unwrap } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { show } from '../../terminal.js';
import { exampleTask, taskOf } from './shared.js';

export const commentOnTask: Command = {
  name: 'tasks comment',
  role: 'viewer',
  operands: 'TASK TEXT',
  summary: 'Comment on an open user task',
  examples: [`perdure tasks comment ${exampleTask} 'the customer calls back at noon'`],
  minOperands: 2,
  maxOperands: 2,
  options: {},
  async run(invocation) {
    const host = await invocation.host();
    const path = taskOf(host, invocation);
    const comment = await unwrap(
      host.client.POST('/projects/{projectID}/bpmn/user-tasks/{executionKey}/comments', {
        params: { path },
        body: { text: invocation.operands[1]! },
      }),
    );
    show(invocation.terminal, comment, () => [`Comment added to task ${path.executionKey}`]);
    return exitCodes.done;
  },
};
