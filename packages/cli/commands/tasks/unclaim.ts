import { printable } from '@perdure/lib/trust/printable.js';
import { unwrap } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { showOutcome, untilApplied } from '../../outcome.js';
import { show } from '../../terminal.js';
import { exampleTask, taskOf } from './shared.js';

export const unclaimTask: Command = {
  name: 'tasks unclaim',
  role: 'viewer',
  operands: 'TASK',
  summary: 'Remove the assignee of a user task',
  examples: [`perdure tasks unclaim ${exampleTask}`],
  minOperands: 1,
  maxOperands: 1,
  options: {},
  async run(invocation) {
    const host = await invocation.host();
    const task = await unwrap(
      host.client.POST('/projects/{projectID}/bpmn/user-tasks/{executionKey}/unclaim', {
        params: { path: taskOf(host, invocation), header: untilApplied },
      }),
    );
    // Listeners of the task have yet to decide.
    if ('commandID' in task) return showOutcome(invocation.terminal, task, '');
    show(invocation.terminal, task, () => [printable(`Task ${task.name ?? task.nodeID} has no assignee`)]);
    return exitCodes.done;
  },
};
