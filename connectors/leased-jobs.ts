/**
 * Jobs of some types, of all projects, that this process leases and works on, as a job worker does. The limits, priorities,
 * and pauses of jobs therefore hold for them.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { errorMessage } from '@perdure/lib/error-message.js';
import type { Notifications } from '../store/notifications.js';
import { isTestProject } from '../store/projects/tests.js';
import type { Database } from '../store/sql/database.js';
import { pollJobs, takeBack, type HandedOutJob, type PollRequest } from '../store/work/job-queue.js';
import { LongestTurns } from '../store/work/longest-turns.js';
import { projectsWithJobs } from '../store/work/connectors/projects-with-jobs.js';
import type { RunResult, Turn } from '../background/chore.js';
import { MAX_JOBS_AT_ONCE, maxOfProject } from './shares.js';

export interface LeasedJobsOptions {
  readonly store: Database;
  readonly hearTasks: Notifications['hearTasks'];
  readonly logger: Logger;
  readonly types: readonly string[];
  readonly leaseMilliseconds: number;
  /** Of the leases (default: a new one per process). */
  readonly clientID?: string;
  /** In plural, for the log. */
  readonly what: string;
  /** Never throws. @param stopping ends the work without a report */
  work(clientID: string, projectID: string, job: HandedOutJob, stopping: AbortSignal): Promise<void>;
}

/** Pause between two looks at all projects, for jobs that nothing announces. */
export const LOOK_MS = 500;
/** Then the place of another connector may be free. */
const MAX_HELD_MS = 2_000;
/** Shorter than the time that a host has to stop. */
const GRACE_MS = 10_000;

interface JobInProgress {
  readonly request: PollRequest;
  readonly job: HandedOutJob;
  readonly ended: Promise<void>;
}

export class LeasedJobs {
  readonly #clientID: string;
  readonly #all = new Set<JobInProgress>();
  readonly #maxTurnDurations = new LongestTurns();
  readonly #abandoned = new AbortController();
  /** Projects that may have jobs to lease, in the order of their turns. */
  readonly #waiting = new Set<string>();
  /** Projects that get their turn when a place is free. */
  readonly #withoutPlace = new Set<string>();
  /** Projects with jobs that a limit holds back: their places are taken again as soon as they are free. */
  readonly #held = new Map<string, NodeJS.Timeout>();
  readonly #stopHearing: () => void;
  /** When to look at all projects, by `performance.now()`. */
  #lookAt = 0;
  #wake: () => void = () => undefined;

  constructor(private readonly options: LeasedJobsOptions) {
    this.#clientID = options.clientID ?? `connectors-${randomUUID()}`;
    this.#stopHearing = options.hearTasks(options.types, (projectID) => {
      // A draft must not call real services.
      if (!isTestProject(projectID)) this.#giveTurn(projectID);
    });
  }

  /** Waits until a project may have jobs. */
  wait(milliseconds: number, stopping: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        stopping.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#lookAt = 0;
        end();
      }, milliseconds);
      stopping.addEventListener('abort', end, { once: true });
      this.#wake = end;
      if (this.#waiting.size > 0 || stopping.aborted) end();
    });
  }

  /** Leases and begins jobs of the projects that have a turn. When it is time to look, all that have jobs get one. */
  async takeAll({ stopping }: Pick<Turn, 'stopping'>): Promise<RunResult> {
    const { store, types } = this.options;
    if (this.#free > 0 && performance.now() >= this.#lookAt) {
      for (const projectID of await projectsWithJobs(store, types)) this.#waiting.add(projectID);
      this.#lookAt = performance.now() + LOOK_MS;
    }
    const turns = [...this.#waiting];
    this.#waiting.clear();
    for (const projectID of turns) if (!stopping.aborted) await this.#take(projectID);
    return this.#waiting.size > 0 ? 'more' : 'done';
  }

  get #free(): number {
    return MAX_JOBS_AT_ONCE - this.#all.size;
  }

  #giveTurn(projectID: string): void {
    this.#waiting.add(projectID);
    this.#wake();
  }

  /** Leases and begins jobs of the project. */
  async #take(projectID: string): Promise<void> {
    const ofProject = [...this.#all].filter(({ request }) => request.projectID === projectID).length;
    const maxJobs = Math.min(this.#free, maxOfProject(this.#all.size - ofProject) - ofProject);
    if (maxJobs <= 0) return void this.#withoutPlace.add(projectID);
    const types = this.options.types.map((taskType) => ({
      taskType,
      lockDurationMilliseconds: this.options.leaseMilliseconds,
    }));
    const request = { projectID, clientID: this.#clientID, types, maxJobs };
    const turnOf = (taskType: string) => `${projectID} ${taskType}`;
    const untilLongest = (taskType: string) => this.#maxTurnDurations.untilNext(turnOf(taskType));
    const onHeld = (_taskType: string, milliseconds: number) => this.#takeAfter(projectID, milliseconds);
    const jobs = await pollJobs(this.options.store, request, { untilLongest, onHeld });
    for (const job of jobs) {
      this.#maxTurnDurations.count(turnOf(job.taskType), job.wasLongest);
      this.#begin(request, job);
    }
    if (jobs.length === maxJobs) this.#waiting.add(projectID);
  }

  #begin(request: PollRequest, job: HandedOutJob): void {
    const ended = this.options.work(this.#clientID, request.projectID, job, this.#abandoned.signal);
    const inProgress = { request, job, ended };
    this.#all.add(inProgress);
    void ended.then(() => {
      this.#all.delete(inProgress);
      if (this.#held.has(request.projectID)) this.#takeAfter(request.projectID, 0);
      for (const projectID of this.#withoutPlace) this.#giveTurn(projectID);
      this.#withoutPlace.clear();
    });
  }

  /** Gives the project a turn when a limit may let it. */
  #takeAfter(projectID: string, milliseconds: number): void {
    clearTimeout(this.#held.get(projectID));
    const timer = setTimeout(
      () => {
        this.#held.delete(projectID);
        this.#giveTurn(projectID);
      },
      Math.min(Math.ceil(milliseconds) + 1, MAX_HELD_MS),
    );
    timer.unref();
    this.#held.set(projectID, timer);
  }

  /** Waits for jobs in progress, and gives back those that last too long. */
  async finish(): Promise<void> {
    this.#stopHearing();
    const over = new AbortController();
    const late = delay(GRACE_MS, undefined, { signal: over.signal }).catch(() => undefined);
    await Promise.race([this.#untilNone(), late]);
    over.abort();
    const left = [...this.#all];
    this.#abandoned.abort(new Error('The connector is stopping'));
    await this.#untilNone();
    // Another connector performs them at once, with the same keys.
    await Promise.all(left.map(({ request, job }) => takeBack(this.options.store, request, [job]))).catch(
      (error: unknown) =>
        this.options.logger.warn({ error: errorMessage(error) }, `${this.options.what} could not be given back`),
    );
  }

  async #untilNone(): Promise<void> {
    await Promise.all([...this.#all].map(({ ended }) => ended));
  }
}
