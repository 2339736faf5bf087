/** The Temporal worker of the workflows that run tasks. It starts with the first task. */
import { Worker } from '@temporalio/worker';
import { errorMessage } from '@perdure/lib/error-message.js';
import { pause } from '../../background/chore.js';
import { parseExecutionKey } from '../../store/sql/ids.js';
import { recordExecution } from '../../store/work/executions/executions.js';
import { runnerQueueOf } from './configuration.js';
import { ForeignCodec } from './foreign-codec.js';
import type { TemporalTasksContext } from './options.js';
import { reportOutcome } from './report.js';
import type { RunnerActivities } from './runner/messages.js';

const PAUSE_BEFORE_RESTART_MS = 2_000;
const SHUTDOWN_GRACE = '10s';
/** Others are read again from Temporal when they continue. */
const CACHED_WORKFLOWS = 100;
const REPORTS_AT_ONCE = 20;

export class RunnerWorker {
  readonly #stopping = new AbortController();
  #worker: Worker | undefined;
  #kept: Promise<void> | undefined;

  constructor(private readonly context: TemporalTasksContext) {}

  /** Keeps it running from now on. */
  start(): void {
    this.#kept ??= this.#keepRunning();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#worker?.getState() === 'RUNNING') this.#worker.shutdown();
    await this.#kept;
  }

  async #keepRunning(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        this.#worker = await this.#create();
        const ended = this.#worker.run();
        if (signal.aborted) this.#worker.shutdown();
        await ended;
      } catch (error) {
        this.context.logger.error({ error: errorMessage(error) }, 'worker of tasks on Temporal stopped; restarting');
      }
      await pause(PAUSE_BEFORE_RESTART_MS, signal);
    }
  }

  #create(): Promise<Worker> {
    const { connection, namespace, taskQueue, encryption, bundlePath } = this.context;
    return Worker.create({
      connection,
      namespace,
      taskQueue: runnerQueueOf(taskQueue),
      workflowBundle: { codePath: bundlePath },
      dataConverter: { payloadCodecs: [new ForeignCodec(encryption)] },
      activities: { ...this.#activities() },
      maxCachedWorkflows: CACHED_WORKFLOWS,
      maxConcurrentActivityTaskExecutions: REPORTS_AT_ONCE,
      shutdownGraceTime: SHUTDOWN_GRACE,
      shutdownForceTime: SHUTDOWN_GRACE,
    });
  }

  #activities(): RunnerActivities {
    const { context } = this;
    return {
      async executionStarted(executionKey, { workflowID, runID }) {
        const execution = { namespace: context.namespace, workflowID, runID };
        await recordExecution(context.store, parseExecutionKey(executionKey)!, execution);
      },
      executionEnded: (executionKey, outcome) => reportOutcome(context, executionKey, outcome),
    };
  }
}
