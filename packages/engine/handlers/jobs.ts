/** Completing and failing external jobs. */
import { fail } from '../behaviors/lifecycle/failures.js';
import { trigger } from '../behaviors/waiting/waits.js';
import { openWait, record } from '../run.js';
import { APPLIED, rejected, type Handler, type Verdict } from './handler.js';

export const completeJob: Handler<'COMPLETE_JOB'> = (run, command) => {
  const job = openWait(run, 'job', command.execution);
  if (!job) return gone(command.execution);
  record(run, { kind: 'JOB_COMPLETED', job: job.id });
  trigger(run, job, command.variables);
  return APPLIED;
};

export const throwJobError: Handler<'THROW_JOB_ERROR'> = (run, command) => {
  const { execution, errorCode, message, variables } = command;
  const job = openWait(run, 'job', execution);
  if (!job) return gone(execution);
  record(run, { kind: 'JOB_FAILED', job: job.id, errorCode, ...(message !== undefined && { message }) });
  fail(run, run.state.elements[job.element]!, {
    errorType: 'BpmnError',
    errorCode,
    message: message ?? `The job worker of ${job.node} reported error ${errorCode}, which nothing catches`,
    ...(variables && { variables }),
  });
  return APPLIED;
};

function gone(execution: number): Verdict {
  return rejected('CONFLICT', `Job ${execution} is no longer open`);
}
