import { printable } from '@perdure/lib/trust/printable.js';
import { unwrap } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { showOutcome, untilApplied } from '../../outcome.js';
import { show } from '../../terminal.js';
import { exampleTask, taskOf } from './shared.js';

export const claimTask: Command = {
  name: 'tasks claim',
  role: 'viewer',
  operands: 'TASK',
  summary: 'Become the assignee of a user task',
  examples: [`perdure tasks claim ${exampleTask}`],
  minOperands: 1,
  maxOperands: 1,
  options: {},
  async run(invocation) {
    const host = await invocation.host();
    const task = await unwrap(
      host.client.POST('/projects/{projectID}/bpmn/user-tasks/{executionKey}/claim', {
        params: { path: taskOf(host, invocation), header: untilApplied },
      }),
    );
    // Listeners of the task have yet to decide.
    if ('commandID' in task) return showOutcome(invocation.terminal, task, '');
    show(invocation.terminal, task, () => [printable(`Task ${task.name ?? task.nodeID} is yours`)]);
    return exitCodes.done;
  },
};
