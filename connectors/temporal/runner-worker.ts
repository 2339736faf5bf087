/** The Temporal worker of the workflows that run tasks. It starts with the first task. */
import { Worker } from '@temporalio/worker';
import { parseExecutionKey } from '../../store/sql/ids.js';
import { recordExecution } from '../../store/work/executions/executions.js';
import { runnerQueueOf } from './configuration.js';
import { ForeignCodec } from './foreign-codec.js';
import { KeptWorker } from './kept-worker.js';
import type { TemporalTasksContext } from './options.js';
import { reportOutcome } from './report.js';
import type { RunnerActivities } from './runner/messages.js';

const SHUTDOWN_GRACE = '10s';
/** Others are read again from Temporal when they continue. */
const CACHED_WORKFLOWS = 100;
const REPORTS_AT_ONCE = 20;

export function runnerWorker(context: TemporalTasksContext): KeptWorker {
  const { logger } = context;
  return new KeptWorker({ create: () => create(context), what: 'worker of tasks on Temporal', logger });
}

function create(context: TemporalTasksContext): Promise<Worker> {
  const { connection, namespace, taskQueue, encryption, bundlePath } = context;
  return Worker.create({
    connection,
    namespace,
    taskQueue: runnerQueueOf(taskQueue),
    workflowBundle: { codePath: bundlePath },
    dataConverter: { payloadCodecs: [new ForeignCodec(encryption)] },
    activities: { ...activitiesOf(context) },
    maxCachedWorkflows: CACHED_WORKFLOWS,
    maxConcurrentActivityTaskExecutions: REPORTS_AT_ONCE,
    shutdownGraceTime: SHUTDOWN_GRACE,
    shutdownForceTime: SHUTDOWN_GRACE,
  });
}

function activitiesOf(context: TemporalTasksContext): RunnerActivities {
  return {
    async executionStarted(executionKey, { workflowID, runID }) {
      const execution = { namespace: context.namespace, workflowID, runID };
      await recordExecution(context.store, parseExecutionKey(executionKey)!, execution);
    },
    executionEnded: (executionKey, outcome) => reportOutcome(context, executionKey, outcome),
  };
}
