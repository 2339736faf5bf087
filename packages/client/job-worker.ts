/** A job worker: leases jobs of one type, runs them, and reports their results to the host. */
import { pause, pauseAfter } from './backoff.js';
import { unwrap, type PerdureClient } from './client.js';
import { ApiError } from './api-error.js';
import { Work, type Job, type JobHandler, type NextJobs, type WorkOptions } from './work.js';

export { BpmnError, Decision, LeaseLost, type Job, type JobHandler, type JobResult, type Variables } from './work.js';

export interface JobWorkerOptions {
  client: PerdureClient;
  projectID: string;
  /** The name of this job worker. It fences the lease of each job that the worker holds, so it must be unique. */
  clientID: string;
  taskType: string;
  handler: JobHandler;
  /** Maximum number of concurrent jobs (default 5). */
  jobsAtOnce?: number;
  /** Lease duration without a heartbeat, from 1 second to 24 hours (default 30 seconds). */
  leaseMs?: number;
  /**
   * How long jobs can continue after the job worker is stopped; unfinished jobs are given back then (default 30
   * seconds). Requests that give them back or report their ends have five more seconds.
   */
  graceMs?: number;
  /** Receives one line per finished job and per failed poll. */
  log?(line: string): void;
}

const LEASE_MS = 30_000;
const MAX_WAIT = '30s';
/** For the requests that end jobs, once the grace period is over. */
const PARTING_MS = 5_000;
/** The most jobs that the host leases at once. */
const MAX_JOBS_PER_POLL = 100;

/**
 * Runs until `signal` is aborted. Then it takes no more jobs, finishes those it has within the grace period, and gives
 * back the others: they are available to other workers at once, and no attempt is counted.
 * @throws ApiError when the host refuses to lease jobs: the account lacks the role, or the project does not exist
 */
export async function workOnJobs(options: JobWorkerOptions, signal: AbortSignal): Promise<void> {
  const { graceMs = 30_000 } = options;
  const hands = new Hands(options, signal);
  try {
    for (let failures = 0; !signal.aborted;) {
      const free = await hands.untilFree();
      if (free === 0) break;
      const jobs = await poll(options, free, signal);
      failures = jobs === undefined ? failures + 1 : 0;
      if (jobs === undefined) await pause(pauseAfter(failures), signal);
      for (const job of jobs ?? []) hands.take(job);
    }
  } finally {
    await hands.finish(graceMs);
  }
}

/**
 * A long poll: the host responds as soon as there is a job, or with nothing on timeout; undefined when the poll failed.
 */
async function poll(
  { client, projectID, clientID, taskType, leaseMs = LEASE_MS, log }: JobWorkerOptions,
  maxJobs: number,
  signal: AbortSignal,
): Promise<Job[] | undefined> {
  const body = {
    taskType,
    clientID,
    lockDuration: `${leaseMs}ms`,
    timeout: MAX_WAIT,
    maxJobs: Math.min(maxJobs, MAX_JOBS_PER_POLL),
  };
  const request = { params: { path: { projectID } }, body, signal };
  try {
    const answer = client.POST('/projects/{projectID}/bpmn/external-jobs/poll', request);
    const jobs = (await unwrap<Job[] | undefined>(answer)) ?? [];
    // The caller has so many waiting requests that the host did not wait.
    if (jobs.length === 0) await pause(askedToWait((await answer).response), signal);
    return jobs;
  } catch (error) {
    if (signal.aborted) return [];
    if (error instanceof ApiError && !error.isTemporary) throw error;
    log?.(`${taskType}: poll failed; retrying (${(error as Error).message})`);
    return undefined;
  }
}

/** Milliseconds that a response asks to wait before the next request. */
function askedToWait({ headers }: Response): number {
  return Number(headers.get('Retry-After') ?? 0) * 1000 || 0;
}

/** The jobs in progress, up to a maximum. */
class Hands {
  readonly #most: number;
  readonly #signal: AbortSignal;
  readonly #options: WorkOptions;
  readonly #full = new Map<Work, Promise<void>>();
  #wake = () => {};

  constructor(
    { jobsAtOnce = 5, leaseMs = LEASE_MS, log = () => undefined, ...options }: JobWorkerOptions,
    signal: AbortSignal,
  ) {
    this.#most = jobsAtOnce;
    this.#signal = signal;
    this.#options = {
      ...options,
      leaseMs,
      log,
      nextJobs: this.#nextJobs({ taskType: options.taskType, lockDuration: `${leaseMs}ms` }),
    };
    signal.addEventListener('abort', () => this.#wake(), { once: true });
  }

  /** The number of free slots, waiting for the first one; 0 when the job worker is stopped. */
  async untilFree(): Promise<number> {
    while (this.#full.size >= this.#most && !this.#signal.aborted)
      await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.#signal.aborted ? 0 : this.#most - this.#full.size;
  }

  take(job: Job): void {
    const work = new Work(this.#options, job);
    // Told to stop, the worker begins nothing that came with the report of another job.
    const nextJobs = this.#signal.aborted ? work.giveBack().then(() => []) : work.run();
    const ended = nextJobs.then((jobs) => {
      this.#full.delete(work);
      for (const next of jobs) this.take(next);
      this.#wake();
    });
    this.#full.set(work, ended);
  }

  async finish(graceMs: number): Promise<void> {
    const late = setTimeout(() => {
      for (const work of this.#full.keys()) void work.giveBack();
    }, graceMs);
    const tooLate = setTimeout(() => {
      for (const work of this.#full.keys()) work.drop();
    }, graceMs + PARTING_MS);
    while (this.#full.size > 0) await Promise.all(this.#full.values());
    clearTimeout(late);
    clearTimeout(tooLate);
  }

  /** While a hand is free, a poll waits already: only a worker that is busy with all hands asks for a job with its report. */
  #nextJobs(poll: { taskType: string; lockDuration: string }): NextJobs {
    return {
      poll: () => (this.#full.size >= this.#most && !this.#signal.aborted ? { ...poll, maxJobs: 1 } : undefined),
    };
  }
}
