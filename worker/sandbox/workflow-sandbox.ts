/** The workflows of a process, in a separate thread. Temporal's SDK activates them through its own interfaces. */
import { Worker as Thread } from 'node:worker_threads';
import { UnexpectedError } from '@temporalio/worker';
import { BoundedCache } from '@perdure/lib/bounded-cache.js';
import type { Workflow, WorkflowCreateOptions, WorkflowCreator } from '@temporalio/worker/lib/workflow/interface.js';
import {
  LOADED,
  type Activated,
  type SandboxedWorkflowOptions,
  type ThreadData,
  type ThreadRequest,
} from './protocol.js';

/** A step takes less than 0.2 s of CPU (ADR 38), so a thread that computes for so long would never end. */
const MAX_SECONDS_WITHOUT_ANSWER = 10;

const computedWithoutEnd =
  'it computed without end. This is a bug in Perdure; deploy a build that corrects it. All other instances continue.';

/**
 * When runs last computed without end in this process, by `performance.now()`. Their tasks fail for a while, so that they do
 * not end the next thread too. A thread that only got no CPU is blamed no longer than that.
 */
const endlessRuns = new BoundedCache<string, number>({ entries: 1_000 });
const REFUSED_MS = 10 * 60_000;

interface Waiting {
  runID: string;
  resolve(activated: Activated): void;
  reject(error: Error): void;
}

type Activation = Parameters<Workflow['activate']>[0];

export class WorkflowSandbox implements WorkflowCreator {
  readonly #thread: Thread;
  readonly #maxSecondsWithoutAnswer: number;
  /** By number of the request. */
  readonly #waiting = new Map<number, Waiting>();
  #watch: NodeJS.Timeout | undefined;
  #lastRequest = LOADED;
  #secondsWithoutAnswer = 0;
  #failure: Error | undefined;

  private constructor(thread: Thread, maxSecondsWithoutAnswer: number) {
    this.#thread = thread;
    this.#maxSecondsWithoutAnswer = maxSecondsWithoutAnswer;
    thread.on('message', (activated: Activated) => this.#receive(activated));
    thread.on('error', (error) => this.#fail(new UnexpectedError(`The workflow thread failed: ${error}`, error)));
    thread.on('exit', () => this.#fail(new UnexpectedError('The workflow thread ended')));
  }

  /**
   * Starts the thread and loads the bundle.
   * @param file the compiled `workflow-thread.ts`
   * @param maxSecondsWithoutAnswer after which the thread is ended
   * @throws if the bundle cannot be loaded
   */
  static async start(
    file: URL,
    data: ThreadData,
    maxSecondsWithoutAnswer = MAX_SECONDS_WITHOUT_ANSWER,
  ): Promise<WorkflowSandbox> {
    const sandbox = new WorkflowSandbox(new Thread(file, { workerData: data }), maxSecondsWithoutAnswer);
    await new Promise((resolve, reject) => sandbox.#waiting.set(LOADED, { runID: '', resolve, reject }));
    // Counted in ticks, so that a process that was stopped and resumed does not blame the thread.
    sandbox.#watch = setInterval(() => sandbox.#tick(), 1_000).unref();
    return sandbox;
  }

  /** The thread creates the workflow with its first activation. */
  async createWorkflow(options: WorkflowCreateOptions): Promise<Workflow> {
    return new SandboxedWorkflow(this, options);
  }

  async destroy(): Promise<void> {
    clearInterval(this.#watch);
    await this.#thread.terminate();
  }

  async activate(
    runID: string,
    activation: Activation,
    create: SandboxedWorkflowOptions | undefined,
  ): Promise<Activated> {
    if (this.#failure) throw this.#failure;
    if (performance.now() - (endlessRuns.get(runID) ?? -Infinity) < REFUSED_MS)
      throw new Error(`Run ${runID} is not continued: ${computedWithoutEnd}`);
    this.#lastRequest += 1;
    const id = this.#lastRequest;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { runID, resolve, reject });
      this.#send({ kind: 'activate', id, runID, create, activation });
    });
  }

  dispose(runID: string): void {
    this.#send({ kind: 'dispose', runID });
  }

  #send(request: ThreadRequest): void {
    this.#thread.postMessage(request);
  }

  #receive(activated: Activated): void {
    this.#secondsWithoutAnswer = 0;
    this.#waiting.get(activated.id)?.resolve(activated);
    this.#waiting.delete(activated.id);
  }

  #tick(): void {
    this.#secondsWithoutAnswer = this.#waiting.size > 0 ? this.#secondsWithoutAnswer + 1 : 0;
    if (this.#secondsWithoutAnswer < this.#maxSecondsWithoutAnswer) return;
    // The thread handles one request after the other.
    const { runID } = this.#waiting.values().next().value!;
    endlessRuns.set(runID, performance.now());
    this.#fail(new UnexpectedError(`The workflow thread was ended, because of run ${runID}: ${computedWithoutEnd}`));
    void this.#thread.terminate();
  }

  #fail(error: Error): void {
    clearInterval(this.#watch);
    this.#failure ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }
}

class SandboxedWorkflow implements Workflow {
  readonly #sandbox: WorkflowSandbox;
  readonly #runID: string;
  /** Until the first activation. */
  #create: SandboxedWorkflowOptions | undefined;
  #sinkCalls: Activated['sinkCalls'] = [];

  constructor(sandbox: WorkflowSandbox, { info, ...options }: WorkflowCreateOptions) {
    const { now: _now, random: _random, ...unsafe } = info.unsafe;
    this.#sandbox = sandbox;
    this.#runID = info.runId;
    this.#create = { ...options, info: { ...info, unsafe } };
  }

  async activate(activation: Activation): ReturnType<Workflow['activate']> {
    const create = this.#create;
    this.#create = undefined;
    const { sinkCalls, completion, error } = await this.#sandbox.activate(this.#runID, activation, create);
    this.#sinkCalls.push(...sinkCalls);
    if (error) throw Object.assign(new Error(error.message), error);
    return completion!;
  }

  async getAndResetSinkCalls(): ReturnType<Workflow['getAndResetSinkCalls']> {
    const calls = this.#sinkCalls;
    this.#sinkCalls = [];
    return calls;
  }

  async dispose(): Promise<void> {
    this.#sandbox.dispose(this.#runID);
  }
}
