/** One host process: its roles, started in order and stopped in reverse order. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { pino, type Logger } from 'pino';
import { createAuthenticator, type Authenticator } from '../api/access/authenticator.js';
import type { AccessConfiguration } from '../api/access/settings/configuration.js';
import { createApp } from '../api/app.js';
import { withConsole } from '../api/console/console.js';
import { createLogger } from '../telemetry/logger.js';
import { createMemberships } from '../api/membership/memberships.js';
import { createMetrics, type ApiMetrics } from '../telemetry/metrics.js';
import { postgresReadiness, type ReadinessCheck } from '../api/http/readiness.js';
import { serveApi, type ServedApi } from '../api/serve.js';
import { GraphCache } from '../store/definitions/graph-cache.js';
import type { Lingers } from '../activities/lingers.js';
import type { PublicationType } from '../store/messages/correlation.js';
import { Notifications } from '../store/notifications.js';
import type { HistoryKind } from '../worker/history-retention.js';
import type { Tracer } from '../telemetry/tracer.js';
import { TemporalInstances } from '../temporal/instances.js';
import { readBuildInformation } from './build-information.js';
import type { Config } from './configuration/config.js';
import { openCodecServer, type CodecServer } from './codec-server.js';
import { openLingers, type HotInstances } from '../worker/hot-instances.js';
import { createInstanceStarter } from './instance-starter.js';
import { addDivergedMetric } from '../worker/metrics/diverged.js';
import { addBacklogMetrics } from './metrics/backlog.js';
import { addCachedInstancesMetric } from '../telemetry/metrics/cached.js';
import { addLingerMetrics } from '../worker/metrics/lingers.js';
import { addStepMetrics } from '../worker/metrics/steps.js';
import { addWorkflowFailureMetrics } from '../worker/metrics/workflow-failures.js';
import { openConnectors } from './connectors-role.js';
import { CloseStack } from './close-stack.js';
import { openManagementServer, type ManagementServer } from './management-server.js';
import { openStores, type Stores } from './postgres.js';
import { startRecompiler } from '../worker/recompiler.js';
import { stoppingReadiness, temporalReadiness, workerReadiness } from './readiness.js';
import { connectTemporal, installTemporalRuntime, type TemporalLink } from '../temporal/connection.js';
import { createSecrets } from '../outbound/secrets/secrets.js';
import type { Secrets } from '../outbound/secrets/secret.js';
import { openTracing } from './tracing.js';
import { startWorkerRole, type WorkerRole } from '../worker/role.js';

export interface Settings {
  config: Config;
  /** File with the code that runs in Temporal's sandbox. */
  workflowBundle: string;
  /** Output folder of the console build. */
  consoleFolder: string;
}

export interface RunningHost {
  /** URL of the API; undefined without the role `api`. */
  api: string | undefined;
  /** Keeps serving for a while, so that load balancers, which see it as not ready, route to other hosts. */
  drain(): Promise<void>;
  /** Stops everything in order: listeners first, the database last. */
  stop(): Promise<void>;
  /** The resource that `stop` is waiting for, or undefined. */
  closing(): string | undefined;
}

/** The resources that all roles share. */
export interface Resources {
  /** For requests. */
  store: Pool;
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

/**
 * Starts the roles and waits for Postgres and Temporal as long as necessary.
 * @param stopping ends the waiting; aborted later, it makes the host not ready
 * @throws permanent errors: a failed migration, a port in use, a missing bundle
 */
export async function runHost(settings: Settings, stopping: AbortSignal): Promise<RunningHost> {
  const { config } = settings;
  const logger = pino({ level: config.logLevel, base: { component: 'host' } });
  const opened = new CloseStack();
  try {
    const resources = await openResources(config, logger, stopping, opened);
    const worker = config.roles.has('worker') ? await openWorker(settings, resources, logger) : undefined;
    if (worker) opened.add('workflow worker', () => worker.stop());
    if (config.roles.has('connectors')) {
      const connectors = openConnectors(config.outbound, resources, logger);
      opened.add('connectors', () => connectors.stop());
    }
    const readiness = [
      stoppingReadiness(stopping),
      postgresReadiness(resources.store),
      temporalReadiness(resources.temporal),
      ...(worker ? workerReadiness(worker) : []),
    ];
    const api = config.access && (await openApi(settings, config.access, resources, readiness, logger));
    if (api) {
      const recompiler = startRecompiler({ store: resources.store, logger });
      opened.add('recompilation of definitions', () => recompiler.stop());
    }
    if (api?.codecServer) opened.add('codec server', () => api.codecServer!.close());
    resources.managementServer?.declareStarted(api?.readiness ?? readiness);
    opened.add('workflow worker or requests in progress', () =>
      closeListeners(api?.served, worker, resources.closeNotifications),
    );
    logStarted(config, api?.served.url, logger);
    return {
      api: api?.served.url,
      drain: () => {
        logger.info('host stopping');
        return drain(api?.served, config.shutdownDelayMilliseconds);
      },
      stop: async () => {
        await opened.close();
        logger.info('host stopped');
      },
      closing: () => opened.closing,
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Shows in the log of each host which build serves what since when, even if nothing ever fails. */
function logStarted({ roles, temporal }: Config, api: string | undefined, logger: Logger): void {
  const { namespace, taskQueue, deployment } = temporal;
  logger.info(
    { version: readBuildInformation().version, roles: [...roles], api, namespace, taskQueue, deployment },
    'host started',
  );
}

async function openResources(
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
      : await openManagementServer(metrics.registry, { host: config.host, port: config.metricsPort });
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
      ? await openHotInstances(config.hotInstances, notifications, metrics)
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
  notifications: Notifications,
  { registry }: ApiMetrics,
): Promise<Lingers> {
  const lingers: Lingers = await openLingers(hot, notifications, (outcome) => count(outcome));
  const count = addLingerMetrics(registry, () => lingers.count);
  return lingers;
}

async function openWorker(
  { config, workflowBundle }: Settings,
  { stores, notifications, temporal, graphs, instances, lingers, metrics, tracer }: Resources,
  logger: Logger,
): Promise<WorkerRole> {
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
    defaultAuditMilliseconds: config.auditRetentionMilliseconds,
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
    history,
  });
  addCachedInstancesMetric(metrics.registry, () => role.cachedInstances());
  return role;
}

async function openApi(
  { config, consoleFolder }: Settings,
  access: AccessConfiguration,
  { store, notifications, temporal, instances, secrets, lingers, metrics, tracer }: Resources,
  readinessOfHost: readonly ReadinessCheck[],
  hostLogger: Logger,
): Promise<{ served: ServedApi; readiness: readonly ReadinessCheck[]; codecServer: CodecServer | undefined }> {
  const logger = createLogger(config.logLevel);
  const authenticator = createAuthenticator(access, logger);
  const readiness = [...readinessOfHost, authenticator.readiness];
  const context = {
    store,
    notifications,
    instances: createInstanceStarter({ instances, store, lingers, logger: hostLogger }),
    authenticator,
    memberships: createMemberships(access.issuers),
    secrets,
    logger,
    metrics,
    tracer,
    readiness,
    build: readBuildInformation(),
  };
  const application = withConsole(
    consoleFolder,
    { issuer: access.issuers[0]?.issuer ?? '', ...config.console },
    createApp(context, config.api),
  );
  return {
    served: await serveApi(application, { host: config.host, port: config.port }),
    readiness,
    codecServer: await openCodec(config, temporal, authenticator),
  };
}

async function openCodec(
  { host, codecPort, codecOrigins }: Config,
  { dataConverter }: TemporalLink,
  authenticator: Authenticator,
): Promise<CodecServer | undefined> {
  if (codecPort === undefined) return undefined;
  return openCodecServer(
    { codecs: dataConverter.payloadCodecs ?? [], authenticator, origins: codecOrigins },
    { host, port: codecPort },
  );
}

/** Load balancers route only to APIs, so a worker-only host stops without a drain delay. */
async function drain(api: ServedApi | undefined, milliseconds: number): Promise<void> {
  if (!api) return;
  api.startDraining();
  await delay(milliseconds);
}

/** Requests that wait for jobs or outcomes are answered at once, so that no open request delays the shutdown. */
async function closeListeners(
  api: ServedApi | undefined,
  worker: WorkerRole | undefined,
  closeNotifications: () => Promise<void>,
): Promise<void> {
  await Promise.all([api?.close(), worker?.stop(), closeNotifications()]);
}
