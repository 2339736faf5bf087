/** The resources that all roles of a host share, opened in order. */
import type { Logger } from 'pino';
import type { Lingers } from '../hot-instances/lingers.js';
import { addLingerMetrics } from '../hot-instances/metrics.js';
import { openLingers } from '../hot-instances/open-lingers.js';
import type { HotInstances } from '../hot-instances/places.js';
import { createRefusalReport } from '../api/listener/refusals.js';
import { createSecrets } from '../outbound/secrets/secrets.js';
import type { Secrets } from '../outbound/secrets/secret.js';
import { GraphCache } from '../store/definitions/graph-cache.js';
import { Notifications } from '../store/notifications.js';
import { createMetrics, type ApiMetrics } from '../telemetry/metrics.js';
import type { Tracer } from '../telemetry/tracer.js';
import { connectTemporal, installTemporalRuntime, type TemporalLink } from '../temporal/connection.js';
import { TemporalInstances } from '../temporal/instances.js';
import type { CloseStack } from './close-stack.js';
import type { Config } from './configuration/config.js';
import { openManagementServer, type ManagementServer } from './management-server.js';
import { openStores, type Stores } from './postgres.js';
import { openTracing } from './tracing.js';
import type { PooledDatabase } from '../store/connections/pooled-database.js';

export interface Resources {
  /** For requests. */
  store: PooledDatabase;
  stores: Stores;
  notifications: Notifications;
  /** Can be called repeatedly. */
  closeNotifications(): Promise<void>;
  temporal: TemporalLink;
  graphs: GraphCache;
  instances: TemporalInstances;
  secrets: Secrets;
  /** Undefined without the role `worker`, and where commits do not wait. */
  lingers: Lingers | undefined;
  metrics: ApiMetrics;
  tracer: Tracer;
  /** The management server; undefined when no port is configured. */
  managementServer: ManagementServer | undefined;
}

export async function openResources(
  config: Config,
  logger: Logger,
  stopping: AbortSignal,
  opened: CloseStack,
): Promise<Resources> {
  const retry = { logger, stopping };
  const metrics = createMetrics();
  const managementServer =
    config.metricsPort === undefined
      ? undefined
      : await openManagementServer(metrics.registry, {
          host: config.host,
          port: config.metricsPort,
          report: createRefusalReport('management', metrics, logger),
        });
  if (managementServer) opened.add('metrics', () => managementServer.close());
  const stores = await openStores(config.databaseUrl, config.databaseConnections, retry);
  const store = stores.requests;
  opened.add('connections to Postgres', () => stores.end());
  const notifications = await Notifications.open(store, config.databaseUrl, (connected, error) => {
    if (error) logger.warn({ connected, code: (error as { code?: string }).code }, 'listening to Postgres interrupted');
  });
  let closed: Promise<void> | undefined;
  const closeNotifications = () => (closed ??= notifications.close());
  opened.add('listening to Postgres', closeNotifications);
  installTemporalRuntime(logger);
  const tracing = await openTracing(process.env, config.isTraced);
  opened.add('traces', () => tracing.close());
  const temporal = await connectTemporal(config.temporal, store, retry);
  opened.add('connection to Temporal', () => temporal.connection.close());
  const graphs = new GraphCache(stores.steps);
  const instances = new TemporalInstances({
    client: temporal.client,
    taskQueue: config.temporal.taskQueue,
    graphs,
    maxRotations: config.rotationLimit,
    searchAttributes: temporal.searchAttributes,
    // The server would send the first task to this build even if another one is current (seen in 1.29.1).
    eagerStart: config.roles.has('worker') && !config.temporal.deployment,
  });
  const lingers =
    config.roles.has('worker') && config.hotInstances
      ? await openHotInstances(config.hotInstances, config.cachedInstances, { notifications, metrics })
      : undefined;
  return {
    store,
    stores,
    notifications,
    closeNotifications,
    temporal,
    graphs,
    instances,
    secrets: createSecrets(config.outbound.secretsFolder, config.outbound.secrets),
    lingers,
    metrics,
    tracer: tracing.tracer,
    managementServer,
  };
}

async function openHotInstances(
  hot: HotInstances,
  cachedInstances: number | undefined,
  { notifications, metrics }: { notifications: Notifications; metrics: ApiMetrics },
): Promise<Lingers> {
  const lingers: Lingers = await openLingers(hot, cachedInstances, notifications, (outcome) => count(outcome));
  const count = addLingerMetrics(metrics.registry, () => lingers.count);
  return lingers;
}
