/** Completing and failing user tasks. */
import { fail } from '../behaviors/lifecycle/failures.js';
import { trigger } from '../behaviors/waiting/waits.js';
import { openWait, record } from '../run.js';
import { APPLIED, rejected, type Handler, type Verdict } from './handler.js';

export const completeUserTask: Handler<'COMPLETE_USER_TASK'> = (run, command) => {
  const task = openWait(run, 'userTask', command.execution);
  if (!task) return gone(command.execution);
  record(run, {
    kind: 'USER_TASK_COMPLETED',
    task: task.id,
    ...(command.variables && { variables: command.variables }),
  });
  trigger(run, task, command.variables);
  return APPLIED;
};

export const throwUserTaskError: Handler<'THROW_USER_TASK_ERROR'> = (run, command) => {
  const { execution, errorCode, variables } = command;
  const task = openWait(run, 'userTask', execution);
  if (!task) return gone(execution);
  record(run, { kind: 'USER_TASK_FAILED', task: task.id, errorCode });
  fail(run, run.state.elements[task.element]!, {
    errorType: 'BpmnError',
    errorCode,
    message: `Error ${errorCode} was thrown on user task ${task.node}, and nothing catches it`,
    ...(variables && { variables }),
  });
  return APPLIED;
};

function gone(execution: number): Verdict {
  return rejected('CONFLICT', `User task ${execution} is no longer open`);
}
