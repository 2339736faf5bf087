/** Readiness checks of `/ready` in addition to Postgres and the issuers. */
import type { ReadinessCheck } from '../api/contract/readiness.js';
import type { ConnectorsRole } from '../connectors/role.js';
import type { WorkerRole } from '../worker/role.js';
import type { TemporalLink } from '../temporal/connection.js';

/** Not ready from the moment when the host is asked to stop, while it still serves requests. */
export function stoppingReadiness(stopping: AbortSignal): ReadinessCheck {
  const check = async () => (stopping.aborted ? 'The host is stopping' : undefined);
  return { name: 'host', isImmediate: true, check };
}

const ANSWER_WITHIN_MS = 2_000;

/** Ready when Temporal responds for the namespace. */
export function temporalReadiness({ client, connection }: TemporalLink): ReadinessCheck {
  const { namespace } = client.options;
  return {
    name: 'temporal',
    publicMessage: 'Temporal does not respond',
    async check() {
      try {
        await client.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
          connection.workflowService.describeNamespace({ namespace }),
        );
        return undefined;
      } catch {
        return `Temporal does not respond for namespace ${namespace}`;
      }
    },
  };
}

/** Ready when the last look for HTTP tasks succeeded. */
export function connectorsReadiness(role: ConnectorsRole): ReadinessCheck {
  return { name: 'connectors', check: async () => role.problem() };
}

/** Ready when the workflow worker is running. */
export function workerReadiness(role: WorkerRole): ReadinessCheck {
  return { name: 'worker', check: async () => (role.isRunning() ? undefined : 'The workflow worker is not running') };
}

/** A problem of some instances. The process works, so that no load balancer or rollout must avoid it. */
export function reconcilerWarning(role: WorkerRole): ReadinessCheck {
  return { name: 'reconciler', check: async () => role.reconcilerProblem() };
}
