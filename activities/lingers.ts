/** The step commits of this process that wait for the next command of their instance. */
import type { CommandMessage, UnwrittenResult } from '@perdure/engine/contract/commands.js';
import type { LingerRequest, StepCommit } from '@perdure/engine/contract/step-commit.js';
import type { AppliedResult, WrittenResult } from '../store/work/job-results.js';
import { LingerHabits } from './linger-habits.js';

/**
 * `used`: the wait returned a command or ended with a timer. `in_vain`: no command arrived. `ended`: a signaled command or
 * shutdown ended the wait. `no_room`: the maximum number of commits was lingering.
 */
export type LingerOutcome = 'used' | 'in_vain' | 'ended' | 'no_room';

export interface LingersOptions {
  /** Id of this process in the rows of instances. */
  worker: string;
  maxAtOnce: number;
  /** Maximum number of first commits that wait for a place (default 0). */
  maxAdmissions?: number;
  maxMs: number;
  /** Maximum duration of a commit that may wait (default 250 ms). A slower store is busy, and so are its other clients. */
  slowCommitMs?: number;
  /** Whether job workers currently poll for jobs of this type. */
  isPolled(projectID: string, taskType: string): boolean;
  /** Whether a new job of this type would have to wait for a job worker (default: no). */
  isBacklogged?(projectID: string, taskType: string): boolean;
  onEnd?(outcome: LingerOutcome): void;
}

/** The reason why a wait ended: a command of this process, a change in the store, or the timeout. */
export type Ending = { by: 'command'; command: CommandMessage } | { by: 'news' | 'time' };

const SLOW_COMMIT_MS = 250;
/** The next commit follows within milliseconds unless its worker or the store is in trouble. */
const MAX_HAND_OVER_MS = 2_000;
const MAX_ADMISSION_MS = 1_000;
const ADMISSION_LOOK_MS = 25;
/** Timers of Node.js may fire up to 1 ms early. */
const TIMER_TOLERANCE_MS = 1;

export class Lingers {
  readonly worker: string;
  readonly slowCommitMs: number;
  readonly #options: LingersOptions;
  readonly #habits: LingerHabits;
  readonly #open = new Map<string, Linger>();
  /** By instance: job results that the next commit writes. */
  readonly #handedOver = new Map<string, HandOver>();
  /** First commits that wait for a place, in order of arrival. */
  readonly #admissions = new Set<() => void>();
  #isClosed = false;

  constructor(options: LingersOptions) {
    this.worker = options.worker;
    this.slowCommitMs = options.slowCommitMs ?? SLOW_COMMIT_MS;
    this.#options = options;
    this.#habits = new LingerHabits(options.maxMs);
  }

  get count(): number {
    return this.#open.size;
  }

  /** Number of first commits that wait for a place. */
  get admissions(): number {
    return this.#admissions.size;
  }

  /**
   * Delays the first commit of an instance for up to a second while all places are taken and its jobs could not be leased
   * yet. The instances that have begun then end within their workflow tasks. With more instances at once, each would wait
   * for job workers for so long that it loses its place, and takes a workflow task per job.
   * @returns how long it waited, in milliseconds
   */
  async admit(request: LingerRequest): Promise<number> {
    const { maxAdmissions = 0 } = this.#options;
    if (this.#isClosed || !this.#isFull || this.#admissions.size >= maxAdmissions || !this.#isBacklogged(request))
      return 0;
    const startedAt = performance.now();
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timeout);
        clearInterval(lookAgain);
        this.#admissions.delete(end);
        resolve();
      };
      const timeout = setTimeout(end, MAX_ADMISSION_MS);
      const lookAgain = setInterval(() => {
        if (!this.#isBacklogged(request)) end();
      }, ADMISSION_LOOK_MS);
      this.#admissions.add(end);
    });
    return performance.now() - startedAt;
  }

  #isBacklogged({ projectID, taskTypes }: LingerRequest): boolean {
    return taskTypes.length > 0 && taskTypes.every((type) => this.#options.isBacklogged?.(projectID, type));
  }

  /** An instance whose result is being written is about to wait for the next one. */
  get #isFull(): boolean {
    return this.#open.size + this.#handedOver.size >= this.#options.maxAtOnce;
  }

  /** Admits the first commit that waits for a place. */
  #admitNext(): void {
    const [next] = this.#admissions;
    if (!this.#isFull) next?.();
  }

  /** Reserves a place for a commit that may wait. Called before the commit; undefined if waiting does not pay or no place is free. */
  reserve(workflowID: string, request: LingerRequest): Linger | undefined {
    const polled = request.taskTypes.filter((type) => this.#options.isPolled(request.projectID, type));
    const types = [
      ...polled.map((type) => `job ${request.projectID} ${type}`),
      ...request.calls.map((call) => `call ${call}`),
    ];
    const milliseconds = this.#isClosed ? 0 : this.#lengthOf(request, types);
    if (milliseconds <= 0) return undefined;
    if (this.#open.size >= this.#options.maxAtOnce) {
      this.#options.onEnd?.('no_room');
      return undefined;
    }
    const linger: Linger = new Linger(request.projectID, milliseconds, (outcome, tookMs) => {
      // A workflow task that timed out may be retried while its commit still waits.
      if (this.#open.get(workflowID) === linger) this.#open.delete(workflowID);
      this.#admitNext();
      if (outcome) this.#note(types, request, outcome, tookMs);
    });
    this.#open.set(workflowID, linger);
    return linger;
  }

  /** Wakes the lingering commit of the instance, with the command if it is a job result. A commit that no longer waits reads it from the store. */
  wake(workflowID: string, command?: CommandMessage): void {
    this.#open.get(workflowID)?.wake(command ? { by: 'command', command } : { by: 'news' });
  }

  /**
   * Hands a job result without a row to the commit that waits for it. The commit of the next step writes it.
   * @returns undefined if it was not written, or not within two seconds: the caller then writes it. A commit that comes later
   *   finds its job or its number taken.
   */
  async handOver(
    { projectID, workflowID }: { projectID: string; workflowID: string },
    result: () => Omit<UnwrittenResult, 'number'>,
  ): Promise<AppliedResult | undefined> {
    const before = this.#handedOver.get(workflowID);
    if (before) {
      // Results that arrive together are collected by one step.
      await before.ended;
      return undefined;
    }
    const linger = this.#open.get(workflowID);
    if (linger?.projectID !== projectID) return undefined;
    const number = linger.takeResult(result);
    if (number === undefined) return undefined;
    const handOver = new HandOver(number, () => {
      this.#handedOver.delete(workflowID);
      this.#admitNext();
    });
    this.#handedOver.set(workflowID, handOver);
    return handOver.ended;
  }

  /** Reports a commit to the request whose result the instance was handed. */
  committed({ workflowID, result, outcomes }: StepCommit, written: WrittenResult | undefined): void {
    const handOver = this.#handedOver.get(workflowID);
    const isWritten = written !== undefined && result?.number === handOver?.number;
    const outcome = outcomes.find(({ number }) => number === result?.number);
    handOver?.end(isWritten ? { ...written, outcome } : undefined);
  }

  /** Ends all waits and prevents new ones. */
  close(): void {
    this.#isClosed = true;
    for (const admit of this.#admissions) admit();
    for (const linger of this.#open.values()) linger.wake({ by: 'news' });
  }

  #lengthOf({ timerMs = Infinity }: LingerRequest, types: readonly string[]): number {
    const forJobs = types.reduce((longest, type) => Math.max(longest, this.#habits.nextWaitMs(type)), 0);
    return timerMs <= this.#options.maxMs ? timerMs + TIMER_TOLERANCE_MS : forJobs;
  }

  #note(types: readonly string[], { timerMs = Infinity }: LingerRequest, outcome: LingerOutcome, tookMs: number): void {
    const isTimer = outcome === 'in_vain' && timerMs <= this.#options.maxMs;
    this.#options.onEnd?.(isTimer ? 'used' : outcome);
    for (const type of types) {
      if (outcome === 'used') this.#habits.wasOfUse(type, tookMs);
      else if (outcome === 'in_vain') this.#habits.wasInVain(type);
    }
  }
}

class HandOver {
  readonly number: number;
  readonly ended: Promise<AppliedResult | undefined>;
  #end!: (end: AppliedResult | undefined) => void;
  readonly #timeout: NodeJS.Timeout;
  readonly #onEnd: () => void;

  constructor(number: number, onEnd: () => void) {
    this.number = number;
    this.#onEnd = onEnd;
    this.ended = new Promise((resolve) => (this.#end = resolve));
    this.#timeout = setTimeout(() => this.end(undefined), MAX_HAND_OVER_MS);
  }

  end(end: AppliedResult | undefined): void {
    clearTimeout(this.#timeout);
    this.#onEnd();
    this.#end(end);
  }
}

export class Linger {
  readonly projectID: string;
  readonly milliseconds: number;
  readonly #onEnd: (outcome: LingerOutcome | undefined, tookMs: number) => void;
  readonly #ended: Promise<Ending>;
  #end!: (ending: Ending) => void;
  #startedAt = 0;
  #isAwake = false;
  /** Number of the command that the commit waits for; undefined before it is written and once the wait has ended. */
  #awaited: number | undefined;

  constructor(
    projectID: string,
    milliseconds: number,
    onEnd: (outcome: LingerOutcome | undefined, tookMs: number) => void,
  ) {
    this.projectID = projectID;
    this.milliseconds = Math.ceil(milliseconds);
    this.#onEnd = onEnd;
    this.#ended = new Promise((resolve) => (this.#end = resolve));
  }

  /** The commit is written and no command exists after number `received`. */
  begin(received: number): void {
    if (!this.#isAwake) this.#awaited = received + 1;
  }

  /**
   * Ends the wait with a job result that has no row.
   * @returns its number, or undefined if the wait has not begun or has ended
   */
  takeResult(result: () => Omit<UnwrittenResult, 'number'>): number | undefined {
    const number = this.#awaited;
    if (number !== undefined) this.wake({ by: 'command', command: { ...result(), number } as UnwrittenResult });
    return number;
  }

  /** Waits for the end. An earlier call of `wake` ends the wait immediately. */
  async wait(): Promise<Ending> {
    this.#startedAt = performance.now();
    const timer = setTimeout(() => this.wake({ by: 'time' }), this.milliseconds);
    const ending = await this.#ended;
    clearTimeout(timer);
    return ending;
  }

  wake(ending: Ending): void {
    this.#isAwake = true;
    this.#awaited = undefined;
    this.#end(ending);
  }

  /** Releases the place; `outcome` is undefined if the commit did not wait. */
  release(outcome?: LingerOutcome): void {
    this.#onEnd(outcome, performance.now() - this.#startedAt);
  }
}
