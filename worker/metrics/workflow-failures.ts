/** Failures that block the progress of instances, as the workflow worker of this process sees them. */
import { Counter, type Registry } from 'prom-client';
import type { InstanceWorkerOptions } from '../temporal-worker.js';
import type { Logger } from 'pino';

/** Adds the metrics and returns the functions that record failures. */
export function addWorkflowFailureMetrics(
  registry: Registry,
  logger: Logger,
): Required<Pick<InstanceWorkerOptions, 'onFailure' | 'onDefect' | 'onFactsDiffer'>> {
  const failures = new Counter({
    name: 'perdure_activity_failures_total',
    help: 'Failed attempts of workflows to read or write the store, or to evaluate a decision. They are retried.',
    labelNames: ['activity'],
    registers: [registry],
  });
  const differing = new Counter({
    name: 'perdure_replay_differences_total',
    help: 'Workflow tasks that failed because this build computes facts that differ from the committed ones.',
    registers: [registry],
  });
  const defects = new Counter({
    name: 'perdure_engine_defects_total',
    help: 'Exceptions of the interpreter; each halts its instance with an incident of type EngineError.',
    registers: [registry],
  });
  return {
    onDefect: ({ workflowID, defect }) => {
      defects.inc();
      logger.error({ workflowID, ...defect }, 'engine failed; instance halted with an incident');
    },
    onFailure: (activity) => failures.inc({ activity }),
    onFactsDiffer: (found) => {
      differing.inc();
      logger.error(
        found,
        'this build computes facts that differ from the committed ones; instance blocked until a matching build runs',
      );
    },
  };
}
