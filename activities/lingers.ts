/** The step commits of this process that wait for the next command of their instance. */
import type { CommandMessage } from '@perdure/engine/contract/commands.js';
import type { LingerRequest } from '@perdure/engine/contract/step-commit.js';
import { LingerHabits } from './linger-habits.js';

/**
 * `used`: the wait returned a command or ended with a timer. `in_vain`: no command arrived. `ended`: a signaled command or
 * shutdown ended the wait. `no_room`: the maximum number of commits was lingering.
 */
export type LingerOutcome = 'used' | 'in_vain' | 'ended' | 'no_room';

export interface LingersOptions {
  /** Id of this process in the rows of instances. */
  worker: string;
  mostAtOnce: number;
  longestMs: number;
  /** Maximum duration of a commit that may wait (default 250 ms). A slower store is busy, and so are its other clients. */
  slowCommitMs?: number;
  /** Whether job workers currently poll for jobs of this type. */
  isPolled(projectID: string, taskType: string): boolean;
  onEnd?(outcome: LingerOutcome): void;
}

/** The reason why a wait ended: a command of this process, a change in the store, or the timeout. */
export type Ending = { by: 'command'; command: CommandMessage } | { by: 'news' | 'time' };

const SLOW_COMMIT_MS = 250;
/** Timers of Node.js may fire up to 1 ms early. */
const TIMER_TOLERANCE_MS = 1;

export class Lingers {
  readonly worker: string;
  readonly slowCommitMs: number;
  readonly #options: LingersOptions;
  readonly #habits: LingerHabits;
  readonly #open = new Map<string, Linger>();
  #isClosed = false;

  constructor(options: LingersOptions) {
    this.worker = options.worker;
    this.slowCommitMs = options.slowCommitMs ?? SLOW_COMMIT_MS;
    this.#options = options;
    this.#habits = new LingerHabits(options.longestMs);
  }

  get count(): number {
    return this.#open.size;
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
    if (this.#open.size >= this.#options.mostAtOnce) {
      this.#options.onEnd?.('no_room');
      return undefined;
    }
    const linger: Linger = new Linger(milliseconds, (outcome, tookMs) => {
      // A workflow task that timed out may be retried while its commit still waits.
      if (this.#open.get(workflowID) === linger) this.#open.delete(workflowID);
      if (outcome) this.#note(types, request, outcome, tookMs);
    });
    this.#open.set(workflowID, linger);
    return linger;
  }

  /** Wakes the lingering commit of the instance, with the command if it is a job result. A commit that no longer waits reads it from the store. */
  wake(workflowID: string, command?: CommandMessage): void {
    this.#open.get(workflowID)?.wake(command ? { by: 'command', command } : { by: 'news' });
  }

  /** Ends all waits and prevents new ones. */
  close(): void {
    this.#isClosed = true;
    for (const linger of this.#open.values()) linger.wake({ by: 'news' });
  }

  #lengthOf({ timerMs = Infinity }: LingerRequest, types: readonly string[]): number {
    const forJobs = types.reduce((longest, type) => Math.max(longest, this.#habits.nextWaitMs(type)), 0);
    return timerMs <= this.#options.longestMs ? timerMs + TIMER_TOLERANCE_MS : forJobs;
  }

  #note(types: readonly string[], { timerMs = Infinity }: LingerRequest, outcome: LingerOutcome, tookMs: number): void {
    const isTimer = outcome === 'in_vain' && timerMs <= this.#options.longestMs;
    this.#options.onEnd?.(isTimer ? 'used' : outcome);
    for (const type of types) {
      if (outcome === 'used') this.#habits.wasOfUse(type, tookMs);
      else if (outcome === 'in_vain') this.#habits.wasInVain(type);
    }
  }
}

export class Linger {
  readonly milliseconds: number;
  readonly #onEnd: (outcome: LingerOutcome | undefined, tookMs: number) => void;
  readonly #ended: Promise<Ending>;
  #end!: (ending: Ending) => void;
  #startedAt = 0;

  constructor(milliseconds: number, onEnd: (outcome: LingerOutcome | undefined, tookMs: number) => void) {
    this.milliseconds = Math.ceil(milliseconds);
    this.#onEnd = onEnd;
    this.#ended = new Promise((resolve) => (this.#end = resolve));
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
    this.#end(ending);
  }

  /** Releases the place; `outcome` is undefined if the commit did not wait. */
  release(outcome?: LingerOutcome): void {
    this.#onEnd(outcome, performance.now() - this.#startedAt);
  }
}
