/**
 * First step commits that wait for a place among the lingering ones (ADR 102). While all places are taken and the jobs of
 * an instance could not be leased yet, its first commit is delayed for up to a second. The instances that have begun then
 * end within their workflow tasks. With more instances at once, each would wait for job workers for so long that it loses
 * its place, and takes a workflow task per job.
 */
import type { LingerRequest } from '@perdure/engine/contract/step-commit.js';

const MAX_ADMISSION_MS = 1_000;
const ADMISSION_LOOK_MS = 25;

interface AdmissionsOptions {
  /** Maximum number of commits that wait. */
  max: number;
  /** Whether all places are taken. */
  isFull(): boolean;
  /** Whether a new job of this type would have to wait for a job worker. */
  isBacklogged(projectID: string, taskType: string): boolean;
}

export class Admissions {
  readonly #options: AdmissionsOptions;
  /** In order of arrival. */
  readonly #waiting = new Set<() => void>();
  #isClosed = false;

  constructor(options: AdmissionsOptions) {
    this.#options = options;
  }

  /** Number of commits that wait. */
  get count(): number {
    return this.#waiting.size;
  }

  /**
   * Delays the first commit of an instance if it has to wait for a place.
   * @returns how long it waited, in milliseconds
   */
  async admit(request: LingerRequest): Promise<number> {
    const { max, isFull } = this.#options;
    if (this.#isClosed || !isFull() || this.#waiting.size >= max || !this.#isBacklogged(request)) return 0;
    const startedAt = performance.now();
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timeout);
        clearInterval(lookAgain);
        this.#waiting.delete(end);
        resolve();
      };
      const timeout = setTimeout(end, MAX_ADMISSION_MS);
      const lookAgain = setInterval(() => {
        if (!this.#isBacklogged(request)) end();
      }, ADMISSION_LOOK_MS);
      this.#waiting.add(end);
    });
    return performance.now() - startedAt;
  }

  /** Admits the commit that has waited longest, if a place is free. */
  admitNext(): void {
    const [next] = this.#waiting;
    if (!this.#options.isFull()) next?.();
  }

  /** Admits all, and delays no more. */
  close(): void {
    this.#isClosed = true;
    for (const admit of this.#waiting) admit();
  }

  #isBacklogged({ projectID, taskTypes }: LingerRequest): boolean {
    return taskTypes.length > 0 && taskTypes.every((type) => this.#options.isBacklogged(projectID, type));
  }
}
