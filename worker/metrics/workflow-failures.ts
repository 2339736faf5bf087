/** Failures that block the progress of instances, as the workflow worker of this process sees them. */
import { Counter, type Registry } from 'prom-client';
import type { InstanceWorkerOptions } from '../temporal-worker.js';
import type { Logger } from 'pino';

/** Adds the metrics and returns the functions that record failures. */
export function addWorkflowFailureMetrics(
  registry: Registry,
  logger: Logger,
): Required<Pick<InstanceWorkerOptions, 'onFailure' | 'onUnstorable' | 'onDefect' | 'onFactsDiffer'>> {
  const failures = new Counter({
    name: 'perdure_activity_failures_total',
    help: 'Failed attempts of workflows to read or write the store, or to evaluate a decision. They are retried.',
    labelNames: ['activity'],
    registers: [registry],
  });
  const unstorable = new Counter({
    name: 'perdure_unstorable_steps_total',
    help: 'Step commits that Postgres refuses for their content. The command is rejected, or the instance is halted with an incident of type EngineError.',
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
    onUnstorable: (refused) => {
      unstorable.inc();
      logger.error(refused, 'database refuses the content of a step; instance takes another one');
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
