import { printable } from '@perdure/lib/trust/printable.js';
import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { show } from '../../terminal.js';
import { exampleTask, taskOf } from './shared.js';

type Task = Schemas['UserTask'];

export const showTask: Command = {
  name: 'tasks show',
  role: 'viewer',
  operands: 'TASK',
  summary: 'Show a user task with its variables',
  details: 'Viewers see only tasks that name them.',
  examples: [`perdure tasks show ${exampleTask}`],
  minOperands: 1,
  maxOperands: 1,
  options: {},
  async run(invocation) {
    const host = await invocation.host();
    const task = await unwrap<Task>(
      host.client.GET('/projects/{projectID}/bpmn/user-tasks/{executionKey}', {
        params: { path: taskOf(host, invocation) },
      }),
    );
    show(invocation.terminal, task, () => describeTask(task));
    return exitCodes.done;
  },
};

function describeTask(task: Task): string[] {
  const lines: { [label: string]: string | undefined } = {
    Task: task.name === undefined ? task.nodeID : `${task.name} (${task.nodeID})`,
    Status: task.status,
    Instance: task.workflowID,
    Process: `${task.processId}, version ${task.processVersion}`,
    'Business id': task.businessId,
    Assignee: task.assignee,
    Candidates: [...(task.candidateUsers ?? []), ...(task.candidateGroups ?? [])].join(', ') || undefined,
    Due: task.dueDate,
    'Follow up': task.followUpDate,
    Priority: String(task.priority),
    Created: task.createdAt,
    Ended: task.completedAt,
    Variables: JSON.stringify(task.variables ?? {}),
  };
  return Object.entries(lines).flatMap(([label, value]) =>
    value === undefined ? [] : [printable(`${label.padEnd(12)} ${value}`)],
  );
}
