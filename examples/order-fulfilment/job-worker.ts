/** A worker: waits for jobs of one type, does them, and tells the host how they ended. */
import { RefusedCall, type RestClient } from './rest-client.js';

export type Variables = { [name: string]: unknown };

/** A job as the host hands it out. */
export interface Job {
  executionKey: string;
  workflowID: string;
  taskType: string;
  variables: Variables;
  headers?: { [name: string]: string };
}

/**
 * Does one job and answers the variables that it gives back. Throws `BpmnError` for what the model has a path for; any
 * other error is technical and the job is tried again while it has attempts left.
 * @param signal aborted when the job is no longer ours
 */
export type JobHandler = (job: Job, signal: AbortSignal) => Promise<Variables>;

/** What an error boundary event in the model catches by its code. */
export class BpmnError extends Error {
  readonly errorCode: string;

  constructor(errorCode: string, message: string) {
    super(message);
    this.errorCode = errorCode;
  }
}

export interface JobWorkerOptions {
  client: RestClient;
  /** This worker's name; it fences the lease of each job that it holds. */
  clientID: string;
  taskType: string;
  handler: JobHandler;
  log(line: string): void;
}

const LEASE_MS = 30_000;
const HEARTBEAT_MS = LEASE_MS / 3;
const LONGEST_WAIT = '30s';
const JOBS_AT_ONCE = 5;
const JOBS = '/bpmn/external-jobs';

/** Works until `signal` is aborted, then finishes the jobs that it holds. */
export async function workOnJobs(options: JobWorkerOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const jobs = await poll(options, signal);
    await Promise.all(jobs.map((job) => workOnJob(options, job)));
  }
}

/** A long poll: the host answers as soon as there is a job, or with nothing when none came in time. */
async function poll({ client, clientID, taskType, log }: JobWorkerOptions, signal: AbortSignal): Promise<Job[]> {
  try {
    const request = { taskType, clientID, lockDuration: `${LEASE_MS}ms`, timeout: LONGEST_WAIT, maxJobs: JOBS_AT_ONCE };
    return (await client.post<Job[] | undefined>(`${JOBS}/poll`, request, { signal })) ?? [];
  } catch (error) {
    if (signal.aborted) return [];
    if (error instanceof RefusedCall && error.status < 500 && error.status !== 429) throw error;
    log(`${taskType}: no answer to a poll, polling again (${(error as Error).message})`);
    return [];
  }
}

async function workOnJob(options: JobWorkerOptions, job: Job): Promise<void> {
  const { log, taskType } = options;
  const lost = new AbortController();
  const heartbeat = setInterval(() => void keepLease(options, job, lost), HEARTBEAT_MS);
  try {
    const variables = await options.handler(job, lost.signal);
    await report(options, job, 'complete', { workflowID: job.workflowID, variables });
    log(`${taskType}: completed ${job.executionKey}`);
  } catch (error) {
    await reportError(options, job, error as Error);
  } finally {
    clearInterval(heartbeat);
  }
}

async function keepLease({ client, clientID }: JobWorkerOptions, job: Job, lost: AbortController): Promise<void> {
  try {
    await client.post(`${JOBS}/${encodeURIComponent(job.executionKey)}/heartbeat`, { clientID, lockDuration: `${LEASE_MS}ms` }, { signal: lost.signal });
  } catch (error) {
    if (error instanceof RefusedCall) lost.abort(error);
  }
}

async function reportError(options: JobWorkerOptions, job: Job, error: Error): Promise<void> {
  const { log, taskType } = options;
  if (error instanceof RefusedCall) return log(`${taskType}: ${job.executionKey} is no longer ours (${error.message})`);
  const modelled = error instanceof BpmnError;
  log(`${taskType}: ${modelled ? `error ${error.errorCode}` : 'failed'} at ${job.executionKey}: ${error.message}`);
  const failure = { errorCode: modelled ? error.errorCode : 'TECHNICAL_ERROR', errorMessage: error.message, retryable: !modelled };
  try {
    await report(options, job, 'error', failure);
  } catch (refused) {
    log(`${taskType}: ${job.executionKey} could not be reported (${(refused as Error).message})`);
  }
}

function report({ client, clientID }: JobWorkerOptions, job: Job, how: 'complete' | 'error', body: object): Promise<unknown> {
  return client.post(`${JOBS}/${encodeURIComponent(job.executionKey)}/${how}`, { clientID, ...body });
}
