/** One job in a job worker, from the moment when it is leased. */
import { unwrap, type PerdureClient } from './client.js';
import { ApiError } from './api-error.js';
import type { Schemas } from './schema.js';

/** A job as the host returns it. */
export type Job = Schemas['ExternalJob'];

export type Variables = { [name: string]: unknown };

/** The decision about an ad-hoc sub-process, or of a task listener, with which the job is completed. */
export type JobResult = Schemas['BpmnJobResult'];

/** The result of a job that decides, for an ad-hoc sub-process or a task listener: a job handler returns it instead of variables. */
export class Decision {
  readonly result: JobResult;
  /** Local to the sub-process. Those of a task listener are ignored. */
  readonly variables: Variables;

  constructor(result: JobResult, variables: Variables = {}) {
    this.result = result;
    this.variables = variables;
  }
}

/**
 * Runs one job and returns its output variables, or a `Decision` for an ad-hoc sub-process or a user task. Throw `BpmnError` for errors that the model handles. Any other error
 * is technical, and the job is retried while it has attempts left.
 * @param signal aborted when the result is no longer needed: the lease is lost, or the job worker must stop
 */
export type JobHandler = (job: Job, signal: AbortSignal) => Promise<Variables | Decision | void>;

/** An error that an error boundary event in the model catches by its code. */
export class BpmnError extends Error {
  override name = 'BpmnError';
  readonly errorCode: string;
  /** Set in the scope of the event that catches the error. */
  readonly variables: Variables | undefined;

  constructor(errorCode: string, message: string, variables?: Variables) {
    super(message);
    this.errorCode = errorCode;
    this.variables = variables;
  }
}

/** The reason of an aborted signal: this job worker no longer holds the lease. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

type Poll = Schemas['PollBpmnNextJobsRequest'];

/** The next jobs, which the report of a job's end can ask for. */
export interface NextJobs {
  /** The poll to send now, or undefined. */
  poll(): Poll | undefined;
}

export interface WorkOptions {
  client: PerdureClient;
  projectID: string;
  clientID: string;
  handler: JobHandler;
  leaseMs: number;
  nextJobs: NextJobs;
  log(line: string): void;
}

interface Report {
  /** The log line. */
  said: string;
  /** @returns the next jobs */
  send(poll?: Poll): Promise<Job[]>;
}

interface Failure {
  /** Error code that the model catches; absent for a technical failure. */
  errorCode?: string;
  error: Error;
  variables?: Variables | undefined;
  poll: Poll | undefined;
}

/** Statuses that mean that the host cannot store the result. */
const BAD_REQUEST = 400;
const UNACCEPTABLE = new Set([BAD_REQUEST, 413]);
/** The shortest lease that the host grants. Shortening a lease to it makes the job available almost at once. */
const MIN_LEASE_MS = 1_000;

/** The limit of the host for error messages (`errorMessage` in the API): this package imports nothing of the host. */
const MAX_MESSAGE_LENGTH = 4_000;

export class Work {
  readonly #options: WorkOptions;
  readonly #job: Job;
  readonly #over = new AbortController();
  readonly #dropped = new AbortController();
  #leaseEnds: number;
  #leaseEnd: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  #isReported = false;
  #parting: Promise<void> | undefined;

  constructor(options: WorkOptions, job: Job) {
    this.#options = options;
    this.#job = job;
    this.#leaseEnds = Date.now() + options.leaseMs;
  }

  /**
   * Runs the job and reports its end; never throws.
   * @returns the next jobs
   */
  async run(): Promise<Job[]> {
    const heartbeat = setInterval(() => void this.#keepLease(), this.#options.leaseMs / 2);
    this.#endWithLease();
    // A handler that ignores its signal is abandoned: its result is no longer needed.
    const report = await Promise.race([this.#handle(), this.#untilOver()]);
    try {
      return report && !this.#over.signal.aborted ? await this.#tell(report) : [];
    } catch (error) {
      this.#log(`cannot report the end (${(error as Error).message})`);
      return [];
    } finally {
      this.#isOver = true;
      clearInterval(heartbeat);
      clearTimeout(this.#leaseEnd);
      await this.#parting;
    }
  }

  /** Makes the job available to other job workers without counting an attempt. */
  async giveBack(): Promise<void> {
    if (this.#isReported || this.#over.signal.aborted) return;
    this.#end('given back because the job worker is stopping');
    this.#parting = this.#heartbeat(MIN_LEASE_MS, this.#dropped.signal).catch(() => undefined);
    await this.#parting;
  }

  /** Ends the requests that report the end of the job, or give it back. */
  drop(): void {
    this.#dropped.abort(new Error('the job worker has stopped'));
  }

  /** The report about the job. */
  async #handle(): Promise<Report> {
    try {
      const returned = (await this.#options.handler(this.#job, this.#over.signal)) ?? {};
      const end = returned instanceof Decision ? returned : { variables: returned };
      return { said: 'completed', send: (poll) => this.#complete(end, poll) };
    } catch (error) {
      if (error instanceof BpmnError)
        return {
          said: `error ${error.errorCode}: ${error.message}`,
          send: (poll) => this.#fail({ errorCode: error.errorCode, error, variables: error.variables, poll }),
        };
      return this.#technicalFailure(error);
    }
  }

  #technicalFailure(error: unknown): Report {
    const failure = error instanceof Error ? error : new Error(String(error));
    return { said: `failed: ${failure.message}`, send: (poll) => this.#fail({ error: failure, poll }) };
  }

  async #tell(report: Report): Promise<Job[]> {
    try {
      return await this.#send(report);
    } catch (error) {
      // A result that the host cannot store would be produced again and again. Reporting it as a failure uses up an
      // attempt.
      if (!(error instanceof ApiError && UNACCEPTABLE.has(error.status))) throw error;
      return this.#send(this.#technicalFailure(error));
    }
  }

  async #send({ said, send }: Report): Promise<Job[]> {
    const jobs = await send(this.#options.nextJobs.poll());
    this.#isReported = true;
    this.#log(said);
    return jobs;
  }

  /** The host's work on the report belongs to the trace of the job. */
  get #headers() {
    return { ...this.#job.traceContext };
  }

  async #complete(end: { variables: Variables; result?: JobResult }, poll: Poll | undefined): Promise<Job[]> {
    const { variables, result } = end;
    const body = {
      workflowID: this.#job.workflowID,
      ...this.#lease(),
      variables,
      ...(result && { result }),
      ...(poll && { poll }),
    };
    const { jobs } = await unwrap(
      this.#options.client.POST('/projects/{projectID}/bpmn/external-jobs/{executionKey}/complete', {
        params: this.#path(),
        body,
        headers: this.#headers,
        signal: this.#dropped.signal,
      }),
    );
    return jobs ?? [];
  }

  async #fail({ errorCode, error, variables, poll }: Failure): Promise<Job[]> {
    const body = {
      ...this.#lease(),
      errorCode: errorCode ?? 'TECHNICAL_ERROR',
      errorMessage: error.message.slice(0, MAX_MESSAGE_LENGTH),
      retryable: errorCode === undefined,
      ...(variables && { variables }),
      ...(poll && { poll }),
    };
    const { jobs } = await unwrap(
      this.#options.client.POST('/projects/{projectID}/bpmn/external-jobs/{executionKey}/error', {
        params: this.#path(),
        body,
        headers: this.#headers,
        signal: this.#dropped.signal,
      }),
    );
    return jobs ?? [];
  }

  async #keepLease(): Promise<void> {
    const sentAt = Date.now();
    try {
      // Retries end with the lease, after which they are pointless.
      await this.#heartbeat(this.#options.leaseMs, AbortSignal.timeout(Math.max(this.#leaseEnds - sentAt, 0)));
      // Answers can overtake each other.
      this.#leaseEnds = Math.max(this.#leaseEnds, sentAt + this.#options.leaseMs);
      this.#endWithLease();
    } catch (error) {
      if (this.#isReported) return;
      if (error instanceof ApiError && !error.isTemporary) this.#end('the host reports that the lease is lost');
    }
  }

  /** The handler must not continue when another job worker can have the job, whatever keeps the heartbeats away. */
  #endWithLease(): void {
    if (this.#isOver) return;
    clearTimeout(this.#leaseEnd);
    this.#leaseEnd = setTimeout(
      () => this.#end('the lease is lost: no heartbeat arrived before its end'),
      this.#leaseEnds - Date.now(),
    );
  }

  async #heartbeat(leaseMs: number, signal: AbortSignal): Promise<void> {
    const body = { ...this.#lease(), lockDuration: `${leaseMs}ms` };
    await unwrap(
      this.#options.client.POST('/projects/{projectID}/bpmn/external-jobs/{executionKey}/heartbeat', {
        params: this.#path(),
        body,
        signal,
      }),
    );
  }

  /** The token distinguishes this lease from a later one with the same client id. */
  #lease() {
    const { leaseToken } = this.#job;
    return { clientID: this.#options.clientID, ...(leaseToken !== undefined && { leaseToken }) };
  }

  #path() {
    return { path: { projectID: this.#options.projectID, executionKey: this.#job.executionKey } };
  }

  #end(why: string): void {
    if (this.#over.signal.aborted) return;
    this.#log(why);
    this.#over.abort(new LeaseLost(`The lease on job ${this.#job.executionKey} is lost: ${why}`));
  }

  #untilOver(): Promise<undefined> {
    return new Promise((resolve) =>
      this.#over.signal.addEventListener('abort', () => resolve(undefined), { once: true }),
    );
  }

  #log(what: string): void {
    this.#options.log(`${this.#job.taskType} ${this.#job.executionKey}: ${what}`);
  }
}
