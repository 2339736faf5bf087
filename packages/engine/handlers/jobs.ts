/** Completing and failing external jobs. */
import { followDecision, isDriven, whyNotFollowed, type DrivenNode } from '../behaviors/flow/driven-ad-hoc.js';
import { listenerCompleted } from '../behaviors/lifecycle/activation.js';
import { fail, raiseIncident } from '../behaviors/lifecycle/failures.js';
import { trigger } from '../behaviors/waiting/waits.js';
import { readDecision } from '../behaviors/listeners/task-decisions.js';
import { listenerDecided } from '../behaviors/listeners/task-listeners.js';
import type { TaskListenerEvent } from '../contract/facts.js';
import type { JobResult } from '../contract/commands.js';
import type { Variables } from '../contract/json.js';
import { openWait, record, type Run } from '../run.js';
import type { ElementInstance, JobWait } from '../state/state.js';
import { APPLIED, rejected, type Handler, type Verdict } from './handler.js';

export const completeJob: Handler<'COMPLETE_JOB'> = (run, command) => {
  const job = openWait(run, 'job', command.execution);
  if (!job) return gone(command.execution);
  if (job.listener) return completeListener(run, job, command);
  const node = run.model.node(job.node);
  if (node.kind === 'adHocSubProcess' && isDriven(node)) return decide(run, job, node, command);
  if (command.result) return withoutResult(job, `the job of ${node.id}`);
  record(run, { kind: 'JOB_COMPLETED', job: job.id });
  trigger(run, job, command.variables);
  return APPLIED;
};

function withoutResult({ id }: JobWait, what: string): Verdict {
  return rejected(
    'BAD_REQUEST',
    `Job ${id} is ${what}, which takes no result. Only the job of an ad-hoc sub-process or of a task listener does.`,
  );
}

function completeListener(
  run: Run,
  job: JobWait,
  { variables, result }: { variables?: Variables; result?: JobResult },
): Verdict {
  if (job.listener!.kind === 'TASK') return completeTaskListener(run, job, job.listener!.eventType, result);
  if (result) return withoutResult(job, `an execution listener of ${job.node}`);
  record(run, { kind: 'JOB_COMPLETED', job: job.id });
  listenerCompleted(run, run.state.elements[job.element]!, variables);
  return APPLIED;
}

/** Variables of the job are ignored. */
function completeTaskListener(run: Run, job: JobWait, event: TaskListenerEvent, result: JobResult = {}): Verdict {
  const decision = readDecision(event, result, run.now);
  if (typeof decision === 'string')
    return rejected('BAD_REQUEST', `Job ${job.id} of a task listener (${event}) of ${job.node}: ${decision}`);
  record(run, { kind: 'JOB_COMPLETED', job: job.id });
  listenerDecided(run, run.state.elements[job.element]!, decision);
  return APPLIED;
}

/** The worker of an ad-hoc sub-process decides what happens inside. */
function decide(
  run: Run,
  job: JobWait,
  node: DrivenNode,
  { variables = {}, result = {} }: { variables?: Variables; result?: JobResult },
): Verdict {
  const element = run.state.elements[job.element]!;
  if ((result.denied ?? result.deniedReason ?? result.corrections) !== undefined)
    return rejected('BAD_REQUEST', `Job ${job.id} is that of ${node.id}, which takes no decision about a user task`);
  const problem = whyNotFollowed(element, node, result);
  if (problem !== undefined) return rejected('BAD_REQUEST', problem);
  record(run, { kind: 'JOB_COMPLETED', job: job.id });
  followDecision(run, element, node, variables, result);
  return APPLIED;
}

export const throwJobError: Handler<'THROW_JOB_ERROR'> = (run, command) => {
  const { execution, errorCode, message, variables, uncaught } = command;
  const job = openWait(run, 'job', execution);
  if (!job) return gone(execution);
  record(run, { kind: 'JOB_FAILED', job: job.id, errorCode, ...(message !== undefined && { message }) });
  const element = run.state.elements[job.element]!;
  if (job.listener) return failListener(run, element, job.listener, command);
  (uncaught ? raiseIncident : fail)(run, element, {
    errorType: 'BpmnError',
    errorCode,
    message: message ?? `The job worker of ${job.node} reported error ${errorCode}, which nothing catches`,
    ...(variables && { variables }),
  });
  return APPLIED;
};

/** Nothing catches the error of a listener: it is not one of the element. */
function failListener(
  run: Run,
  element: ElementInstance,
  { eventType, type }: NonNullable<JobWait['listener']>,
  { errorCode, message, variables }: { errorCode: string; message?: string; variables?: Variables },
): Verdict {
  raiseIncident(run, element, {
    errorType: 'BpmnError',
    errorCode: type,
    message: `The ${eventType} listener ${type} of ${element.node} failed with ${errorCode}${message === undefined ? '' : `: ${message}`}`,
    ...(variables && { variables }),
  });
  return APPLIED;
}

function gone(execution: number): Verdict {
  return rejected('CONFLICT', `Job ${execution} is no longer open`);
}
