/** Completing and failing external jobs. */
import { followDecision, isDriven, whyNotFollowed, type DrivenNode } from '../behaviors/flow/driven-ad-hoc.js';
import { fail } from '../behaviors/lifecycle/failures.js';
import { trigger } from '../behaviors/waiting/waits.js';
import type { JobResult } from '../contract/commands.js';
import type { Variables } from '../contract/json.js';
import { openWait, record, type Run } from '../run.js';
import type { JobWait } from '../state/state.js';
import { APPLIED, rejected, type Handler, type Verdict } from './handler.js';

export const completeJob: Handler<'COMPLETE_JOB'> = (run, command) => {
  const job = openWait(run, 'job', command.execution);
  if (!job) return gone(command.execution);
  const node = run.model.node(job.node);
  if (node.kind === 'adHocSubProcess' && isDriven(node)) return decide(run, job, node, command);
  if (command.result)
    return rejected(
      'BAD_REQUEST',
      `Job ${job.id} is the job of ${node.id}, which takes no result. Only the job of an ad-hoc sub-process does.`,
    );
  record(run, { kind: 'JOB_COMPLETED', job: job.id });
  trigger(run, job, command.variables);
  return APPLIED;
};

/** The worker of an ad-hoc sub-process decides what happens inside. */
function decide(
  run: Run,
  job: JobWait,
  node: DrivenNode,
  { variables = {}, result = {} }: { variables?: Variables; result?: JobResult },
): Verdict {
  const element = run.state.elements[job.element]!;
  const problem = whyNotFollowed(element, node, result);
  if (problem !== undefined) return rejected('BAD_REQUEST', problem);
  record(run, { kind: 'JOB_COMPLETED', job: job.id });
  followDecision(run, element, node, variables, result);
  return APPLIED;
}

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
