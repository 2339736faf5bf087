/** What keeps instances from going on, as this process's worker sees it. */
import { Counter, type Registry } from 'prom-client';
import type { InstanceWorkerOptions } from '../../worker/start.js';
import type { Logger } from 'pino';

/** Adds the metrics; answers what is to be told. */
export function addWorkflowFailureMetrics(registry: Registry, logger: Logger): Required<Pick<InstanceWorkerOptions, 'onFailure' | 'onDefect' | 'onFactsDiffer'>> {
  const failures = new Counter({
    name: 'perdure_activity_failures_total',
    help: 'Attempts of workflows to read or write the store, or to evaluate a decision, that failed and are made again.',
    labelNames: ['activity'],
    registers: [registry],
  });
  const differing = new Counter({
    name: 'perdure_replay_differences_total',
    help: 'Workflow tasks that failed because this build computes other facts than were written.',
    registers: [registry],
  });
  const defects = new Counter({
    name: 'perdure_engine_defects_total',
    help: 'Exceptions of the interpreter; each holds its instance at an incident of type EngineError.',
    registers: [registry],
  });
  return {
    onDefect: ({ workflowID, defect }) => {
      defects.inc();
      logger.error({ workflowID, ...defect }, 'the engine has failed; the instance stands at an incident');
    },
    onFailure: (activity) => failures.inc({ activity }),
    onFactsDiffer: (found) => {
      differing.inc();
      logger.error(found, 'this build computes other facts than were written; the instance stands until a build computes those');
    },
  };
}
