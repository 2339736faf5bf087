/** The role `worker` of a host. */
import type { Logger } from 'pino';
import type { PublicationType } from '../../store/messages/correlation.js';
import { addCachedInstancesMetric } from '../../telemetry/metrics/cached.js';
import type { HistoryKind } from '../../worker/chores/history-retention.js';
import { addDivergedMetric } from '../../worker/metrics/diverged.js';
import { addStepMetrics } from '../../worker/metrics/steps.js';
import { addTargetMissesMetric } from '../../worker/metrics/target-misses.js';
import { addWorkflowFailureMetrics } from '../../worker/metrics/workflow-failures.js';
import { startWorkerRole, type WorkerRole } from '../../worker/role.js';
import { addBacklogMetrics } from '../metrics/backlog.js';
import type { Resources } from '../resources.js';
import type { Settings } from '../settings.js';

export async function openWorker(settings: Settings, resources: Resources, logger: Logger): Promise<WorkerRole> {
  const { config, workflowBundle } = settings;
  const { stores, notifications, temporal, graphs, instances, lingers, metrics, tracer } = resources;
  const { namespace, taskQueue, deployment } = config.temporal;
  const onStepCommitted = addStepMetrics(metrics.registry);
  addBacklogMetrics(metrics.registry, stores.background);
  const worker = {
    connection: temporal.connection,
    dataConverter: temporal.dataConverter,
    namespace,
    taskQueue,
    deployment,
    cachedInstances: config.cachedInstances,
    store: stores.steps,
    graphs,
    tracer,
    lingers,
    onStepCommitted,
    ...addWorkflowFailureMetrics(metrics.registry, logger),
    bundlePath: workflowBundle,
  };
  const onExpired = (type: PublicationType, count: number) => metrics.expiredPublications.inc({ type }, count);
  const history = {
    defaultMilliseconds: config.historyRetentionMilliseconds,
    audit: {
      defaultMilliseconds: config.auditRetentionMilliseconds,
      minimumMilliseconds: config.auditRetentionMinimumMilliseconds,
    },
    onRemoved: (kind: HistoryKind, count: number) => metrics.removedHistory.inc({ kind }, count),
  };
  const role = await startWorkerRole({
    store: stores.background,
    notifications,
    temporal,
    instances,
    worker,
    logger,
    onExpired,
    onDiverged: addDivergedMetric(metrics.registry),
    onMissed: addTargetMissesMetric(metrics.registry),
    history,
    nexus: await openNexus(settings, resources, logger),
  });
  addCachedInstancesMetric(metrics.registry, () => role.cachedInstances());
  return role;
}

/** Its operations are most of the API, so a host without endpoints does not load them. */
async function openNexus(settings: Settings, resources: Resources, logger: Logger) {
  if (Object.keys(settings.config.temporalTasks.served).length === 0) return undefined;
  const { createNexus } = await import('./nexus.js');
  return createNexus(settings, resources, logger);
}
