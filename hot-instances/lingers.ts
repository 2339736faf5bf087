/** The step commits of this process that wait for the next command of their instance. */
import type { CommandMessage, UnwrittenResult } from '@perdure/engine/contract/commands.js';
import type { LingerRequest, StepCommit } from '@perdure/engine/contract/step-commit.js';
import type { AppliedResult, WrittenResult } from '../store/hot-instances/job-results.js';
import { LingerHabits } from './habits.js';
import { HandOver } from './hand-over.js';
import { Linger, type LingerOutcome } from './linger.js';

export interface LingersOptions {
  /** Id of this process in the rows of instances. */
  worker: string;
  maxAtOnce: number;
  maxMs: number;
  /** Maximum duration of a commit that may wait (default 250 ms). A slower store is busy, and so are its other clients. */
  slowCommitMs?: number;
  /** Whether job workers currently poll for jobs of this type. */
  isPolled(projectID: string, taskType: string): boolean;
  onEnd?(outcome: LingerOutcome): void;
}

const SLOW_COMMIT_MS = 250;
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

  /**
   * Reserves a place for a commit that may wait. Called before the commit.
   * @returns undefined if the instance is not worth waiting for, or all places are taken
   */
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
    const handOver = new HandOver(number, () => this.#handedOver.delete(workflowID));
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
