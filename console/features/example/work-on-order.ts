/**
 * The loop of the demo worker: does the jobs of one order with the handlers of the example, as the signed-in user. It
 * looks for the jobs of this order only and takes no leases: a poll would lease the jobs of every process with the same
 * job types.
 */
import { handlers } from '../../../examples/order-fulfilment/handlers.js';
import { BpmnError } from '@perdure/client';
import { api, ApiProblem, unwrap } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import type { DemoOrder } from './order.js';

type Job = Schemas['ExternalJob'];

const shortestPauseMs = 500;
const maxPauseMs = 4_000;

/**
 * Resolves when the order has ended or the signal is aborted.
 *
 * @throws when the host refuses it for good, for instance because the user lost the role
 */
export async function workOnOrder(order: DemoOrder, signal: AbortSignal): Promise<void> {
  for (let pauseMs = shortestPauseMs; !signal.aborted; await pause(pauseMs, signal)) {
    const outcome = await lookForJobs(order, signal).catch(continueIfTemporary);
    if (outcome === 'ended') return;
    pauseMs = outcome === 'worked' ? shortestPauseMs : Math.min(pauseMs * 2, maxPauseMs);
  }
}

async function lookForJobs(order: DemoOrder, signal: AbortSignal): Promise<'worked' | 'idle' | 'ended'> {
  const jobs = await openJobs(order, signal);
  for (const job of jobs) await finish(order, job, signal);
  if (jobs.length > 0) return 'worked';
  return (await hasEnded(order, signal)) ? 'ended' : 'idle';
}

/** The called payment process has the same business id. Skips jobs that another job worker has leased. */
async function openJobs({ projectID, businessID }: DemoOrder, signal: AbortSignal): Promise<Job[]> {
  const { data } = await unwrap(
    api.GET('/projects/{projectID}/bpmn/external-jobs', {
      params: { path: { projectID }, query: { businessId: businessID, status: 'PENDING' } },
      signal,
    }),
  );
  return data.filter(({ taskType, lockedBy }) => taskType in handlers && lockedBy === undefined);
}

async function hasEnded({ projectID, workflowID }: DemoOrder, signal: AbortSignal): Promise<boolean> {
  const { status } = await unwrap(
    api.GET('/projects/{projectID}/bpmn/instances/{workflowID}', {
      params: { path: { projectID, workflowID } },
      signal,
    }),
  );
  return status !== 'RUNNING';
}

async function finish({ projectID }: DemoOrder, job: Job, signal: AbortSignal): Promise<void> {
  const params = { path: { projectID, executionKey: job.executionKey } };
  try {
    const variables = (await handlers[job.taskType]!(job, signal)) ?? {};
    const body = { workflowID: job.workflowID, variables };
    await unwrap(api.POST('/projects/{projectID}/bpmn/external-jobs/{executionKey}/complete', { params, body }));
  } catch (error) {
    if (!(error instanceof BpmnError)) throw error;
    const body = { errorCode: error.errorCode, errorMessage: error.message, retryable: false };
    await unwrap(api.POST('/projects/{projectID}/bpmn/external-jobs/{executionKey}/error', { params, body }));
  }
}

/** Conflicts count as temporary: another worker finished the job, or the instance is paused. */
const temporary = new Set([0, 401, 408, 409, 429]);

function continueIfTemporary(error: unknown): 'idle' {
  const isAborted = error instanceof DOMException && error.name === 'AbortError';
  const isTemporary = error instanceof ApiProblem && (error.status >= 500 || temporary.has(error.status));
  if (isAborted || isTemporary) return 'idle';
  throw error;
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
}
