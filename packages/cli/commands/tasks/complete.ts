import { unwrap } from '@perdure/client';
import type { Command } from '../../command.js';
import { showOutcome, untilApplied } from '../../outcome.js';
import { readObject } from '../../values.js';
import { reasonOf, reasonOption } from '../instance/target.js';
import { exampleTask, taskOf } from './shared.js';

export const completeTask: Command = {
  name: 'tasks complete',
  role: 'viewer',
  operands: 'TASK',
  summary: 'Complete a user task',
  examples: [`perdure tasks complete ${exampleTask} --variables '{"approved": true}'`],
  minOperands: 1,
  maxOperands: 1,
  options: {
    variables: { type: 'string', value: 'JSON', help: 'result: JSON object, or @FILE that contains one' },
    ...reasonOption,
  },
  async run(invocation) {
    const variables = await readObject(invocation, 'variables');
    const host = await invocation.host();
    const path = taskOf(host, invocation);
    const completed = await unwrap(
      host.client.POST('/projects/{projectID}/bpmn/user-tasks/{executionKey}/complete', {
        params: { path, header: untilApplied },
        body: { ...(variables && { variables }), ...reasonOf(invocation) },
      }),
    );
    return showOutcome(invocation.terminal, completed, `Task ${path.executionKey} completed`);
  },
};
