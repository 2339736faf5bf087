/** A worker: takes jobs of one type, does them, and tells the host how they ended. */
import { pause, pauseAfter } from './backoff.js';
import { answerOf, type PerdureClient } from './client.js';
import { RefusedCall } from './refused-call.js';
import { Work, type Job, type JobHandler, type NextJobs, type WorkOptions } from './work.js';

export { BpmnError, LeaseLost, type Job, type JobHandler, type Variables } from './work.js';

export interface JobWorkerOptions {
  client: PerdureClient;
  projectID: string;
  /** This worker's name; it fences the lease of each job that it holds, so no two workers share one. */
  clientID: string;
  taskType: string;
  handler: JobHandler;
  /** How many jobs are worked on at once; 5 unless said. */
  jobsAtOnce?: number;
  /** How long a job stays ours without a heartbeat, from 1 second to 24 hours; 30 seconds unless said. */
  leaseMs?: number;
  /** How long jobs may go on once the worker is told to stop; what is not done then is given back. 30 seconds unless said. */
  graceMs?: number;
  /** Told in a line what becomes of each job, and of polls that fail. */
  log?(line: string): void;
}

const LEASE_MS = 30_000;
const LONGEST_WAIT = '30s';
/** The host hands out no more at once. */
const MOST_JOBS_PER_POLL = 100;

/**
 * Works until `signal` is aborted. Then it takes no more jobs, finishes those it has within the grace time, and gives
 * back the others: another worker has them at once, and no attempt is counted.
 * @throws RefusedCall when the host refuses to hand out jobs: the account lacks the right, or the project is not there
 */
export async function workOnJobs(options: JobWorkerOptions, signal: AbortSignal): Promise<void> {
  const { graceMs = 30_000 } = options;
  const hands = new Hands(options, signal);
  try {
    for (let failures = 0; !signal.aborted; ) {
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

/** A long poll: the host answers as soon as there is a job, or with nothing when none came in time; undefined when it failed. */
async function poll({ client, projectID, clientID, taskType, leaseMs = LEASE_MS, log }: JobWorkerOptions, maxJobs: number, signal: AbortSignal): Promise<Job[] | undefined> {
  const body = { taskType, clientID, lockDuration: `${leaseMs}ms`, timeout: LONGEST_WAIT, maxJobs: Math.min(maxJobs, MOST_JOBS_PER_POLL) };
  const request = { params: { path: { projectID } }, body, signal };
  try {
    return (await answerOf<Job[] | undefined>(client.POST('/projects/{projectID}/bpmn/external-jobs/poll', request))) ?? [];
  } catch (error) {
    if (signal.aborted) return [];
    if (error instanceof RefusedCall && !error.isTemporary) throw error;
    log?.(`${taskType}: no answer to a poll, polling again (${(error as Error).message})`);
    return undefined;
  }
}

/** The jobs that are worked on, never more than so many. */
class Hands {
  readonly #most: number;
  readonly #signal: AbortSignal;
  readonly #options: WorkOptions;
  readonly #full = new Map<Work, Promise<void>>();
  #wake = () => {};

  constructor({ jobsAtOnce = 5, leaseMs = LEASE_MS, log = () => undefined, ...options }: JobWorkerOptions, signal: AbortSignal) {
    this.#most = jobsAtOnce;
    this.#signal = signal;
    this.#options = { ...options, leaseMs, log, nextJobs: this.#nextJobs({ taskType: options.taskType, lockDuration: `${leaseMs}ms` }) };
    signal.addEventListener('abort', () => this.#wake(), { once: true });
  }

  /** How many are free, waiting for the first one; 0 when the worker is told to stop. */
  async untilFree(): Promise<number> {
    while (this.#full.size >= this.#most && !this.#signal.aborted) await new Promise<void>((resolve) => (this.#wake = resolve));
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
    while (this.#full.size > 0) await Promise.all(this.#full.values());
    clearTimeout(late);
  }

  /** While a hand is free, a poll waits already: only a worker that is busy with all hands asks for a job with its report. */
  #nextJobs(poll: { taskType: string; lockDuration: string }): NextJobs {
    let areKnown = true;
    return {
      poll: () => (areKnown && this.#full.size >= this.#most && !this.#signal.aborted ? { ...poll, maxJobs: 1 } : undefined),
      areUnknown: () => (areKnown = false),
    };
  }
}
