/** Completing, changing, and failing user tasks. Listeners can decide about the first two. */
import { fail } from '../behaviors/lifecycle/failures.js';
import { trigger } from '../behaviors/waiting/waits.js';
import { roomAt } from '../behaviors/lifecycle/capacity.js';
import { decidesAbout, eventOf, requestOfTask } from '../behaviors/listeners/task-listeners.js';
import type { Command } from '../contract/commands.js';
import type { Variables } from '../contract/json.js';
import { openWait, record, type Run } from '../run.js';
import { taskListeningOf } from '../state/element-data.js';
import type { ElementInstance, UserTaskWait } from '../state/state.js';
import { APPLIED, HELD, rejected, type Handler, type HoldingHandler, type Verdict } from './handler.js';

export const completeUserTask: HoldingHandler<'COMPLETE_USER_TASK'> = (run, command) => {
  const task = openWait(run, 'userTask', command.execution);
  if (!task) return gone(command.execution);
  const element = run.state.elements[task.element]!;
  if (taskListeningOf(element)) return busy(task);
  if (decidesAbout(run, element, 'completing')) return requestCompletion(run, element, task, command);
  record(run, {
    kind: 'USER_TASK_COMPLETED',
    task: task.id,
    ...(command.variables && { variables: command.variables }),
  });
  trigger(run, task, command.variables);
  return APPLIED;
};

function requestCompletion(
  run: Run,
  element: ElementInstance,
  task: UserTaskWait,
  { number, variables }: Command & { variables?: Variables },
): Verdict | typeof HELD {
  const room = roomAt(run, element, variables ?? {});
  if (!room.ok) return rejected('BAD_REQUEST', room.failure.message);
  requestOfTask(run, element, task, { event: 'completing', command: number, variables });
  return HELD;
}

export const changeUserTask: HoldingHandler<'CHANGE_USER_TASK'> = (run, { execution, changes, number }) => {
  const task = openWait(run, 'userTask', execution);
  if (!task) return gone(execution);
  const element = run.state.elements[task.element]!;
  if (taskListeningOf(element)) return busy(task);
  const event = eventOf(run, element, changes);
  if (event !== undefined) {
    requestOfTask(run, element, task, { event, command: number, changes });
    return HELD;
  }
  // A migration has removed the listeners in the meantime.
  record(run, { kind: 'USER_TASK_CHANGED', task: task.id, changes, command: number });
  return HELD;
};

export const throwUserTaskError: Handler<'THROW_USER_TASK_ERROR'> = (run, command) => {
  const { execution, errorCode, variables } = command;
  const task = openWait(run, 'userTask', execution);
  if (!task) return gone(execution);
  if (taskListeningOf(run.state.elements[task.element]!)) return busy(task);
  record(run, { kind: 'USER_TASK_FAILED', task: task.id, errorCode });
  fail(run, run.state.elements[task.element]!, {
    errorType: 'BpmnError',
    errorCode,
    message: `Error ${errorCode} was thrown on user task ${task.node}, and nothing catches it`,
    ...(variables && { variables }),
  });
  return APPLIED;
};

function busy({ id }: UserTaskWait): Verdict {
  return rejected('CONFLICT', `Listeners decide about another request for user task ${id}. Retry after it has ended.`);
}

function gone(execution: number): Verdict {
  return rejected('CONFLICT', `User task ${execution} is no longer open`);
}
