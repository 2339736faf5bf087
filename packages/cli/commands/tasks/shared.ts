/** Shared by the commands on user tasks. */
import type { Schemas } from '@perdure/client';
import type { Invocation } from '../../command.js';
import { workflowOf } from '../../execution-key.js';
import type { Host } from '../../host.js';
import { showPage } from '../../lists/paging.js';
import type { Terminal } from '../../terminal.js';

export const exampleTask = '9b2f6c1e-4f0a-4a53-8c5e-0d5a3c2b7e11:4';

export function showTasks(terminal: Terminal, answer: Schemas['BpmnUserTaskPaginatedResponse']): void {
  showPage<Schemas['UserTask']>(terminal, answer, 'task', {
    TASK: (task) => task.executionKey,
    NAME: (task) => task.name ?? task.nodeID,
    PROCESS: (task) => task.processId,
    STATUS: statusOf,
    ASSIGNEE: (task) => task.assignee,
    DUE: (task) => task.dueDate,
    PRIORITY: (task) => task.priority,
  });
}

/** With the event whose listeners decide, or the one that a listener has denied. */
function statusOf({ status, listening, denied }: Schemas['UserTask']): string {
  if (listening !== undefined) return `${status} (${listening})`;
  return denied === undefined ? status : `${status} (${denied.eventType} denied)`;
}

/**
 * The path parameters of the task that the first operand names.
 *
 * @throws WrongUse when the id has another form
 */
export function taskOf({ projectID }: Host, { operands }: Pick<Invocation, 'operands'>) {
  const executionKey = operands[0]!;
  workflowOf(executionKey, 'perdure tasks list');
  return { projectID, executionKey };
}
