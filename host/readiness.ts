/** What `/ready` asks beside Postgres and the issuer. */
import type { ReadinessCheck } from '../api/readiness.js';
import type { WorkerRole } from './worker-role.js';
import type { TemporalLink } from './temporal.js';

/** Not ready any more from the moment it is told to stop, while it still answers. */
export function stoppingReadiness(stopping: AbortSignal): ReadinessCheck {
  return { name: 'host', check: async () => (stopping.aborted ? 'The host is stopping.' : undefined) };
}

const ANSWER_WITHIN_MS = 2_000;

/** Ready when Temporal answers for the namespace. */
export function temporalReadiness({ client, connection }: TemporalLink): ReadinessCheck {
  const { namespace } = client.options;
  return {
    name: 'temporal',
    async check() {
      try {
        await client.withDeadline(Date.now() + ANSWER_WITHIN_MS, () => connection.workflowService.describeNamespace({ namespace }));
        return undefined;
      } catch {
        return `Temporal does not answer for namespace ${namespace}.`;
      }
    },
  };
}

/** Ready when the worker takes work and nothing keeps the reconciler from repairing. */
export function workerReadiness(role: WorkerRole): ReadinessCheck[] {
  return [
    { name: 'worker', check: async () => (role.isRunning() ? undefined : 'The worker does not run.') },
    { name: 'reconciler', check: async () => role.reconcilerProblem() },
  ];
}
