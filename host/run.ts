/** One host process: the roles it was given, started in order and stopped in the opposite order. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { pino, type Logger } from 'pino';
import { createAuthenticator, type Authenticator } from '../api/access/authenticator.js';
import type { AccessConfiguration } from '../api/access/configuration.js';
import { createApp } from '../api/app.js';
import type { ApiConfiguration } from '../api/configuration.js';
import { withConsole } from '../api/console/console.js';
import { createLogger } from '../api/logger.js';
import { createMemberships } from '../api/membership/memberships.js';
import { createMetrics, type ApiMetrics } from '../api/metrics.js';
import { postgresReadiness, type ReadinessCheck } from '../api/readiness.js';
import { serveApi, type ServedApi } from '../api/serve.js';
import { GraphCache } from '../activities/graph-cache.js';
import type { Lingers } from '../activities/lingers.js';
import type { PublicationType } from '../store/messages-correlation.js';
import { Notifications } from '../store/notifications.js';
import type { HistoryKind } from '../worker/history-retention.js';
import type { Tracer } from '../tracing/tracer.js';
import { TemporalInstances } from '../worker/temporal-instances.js';
import { readBuildInformation } from './build-information.js';
import type { Config, HotInstances } from './config.js';
import { openCodecServer, type CodecServer } from './encryption/codec-server.js';
import { openLingers } from './hot-instances.js';
import { createInstanceStarter } from './instance-starter.js';
import { addAdriftMetric } from './metrics/adrift.js';
import { addBacklogMetrics } from './metrics/backlog.js';
import { addCachedInstancesMetric } from './metrics/cached.js';
import { addLingerMetrics } from './metrics/lingers.js';
import { addParkMetrics } from './metrics/parks.js';
import { addWorkflowFailureMetrics } from './metrics/workflow-failures.js';
import { Opened } from './opened.js';
import { openOperationsDoor, type OperationsDoor } from './operations-door.js';
import { openStores, type Stores } from './postgres.js';
import { startRecompiler } from './recompiler.js';
import { stoppingReadiness, temporalReadiness, workerReadiness } from './readiness.js';
import { connectTemporal, installTemporalRuntime, type TemporalLink } from './temporal.js';
import { openTracing } from './tracing.js';
import { startWorkerRole, type WorkerRole } from './worker-role.js';

export interface Settings {
  config: Config;
  api: ApiConfiguration;
  /** File with the code that runs inside Temporal's sandbox. */
  workflowBundle: string;
  /** Folder with the built console. */
  consoleFolder: string;
}

export interface RunningHost {
  /** Where the API is; undefined without the role `api`. */
  api: string | undefined;
  /** Serves on for a while, so that load balancers, which find it not ready, take everybody elsewhere. */
  windDown(): Promise<void>;
  /** Stops everything in order: doors first, the database last. */
  stop(): Promise<void>;
  /** What `stop` waits for just now; undefined when it waits for nothing. */
  closing(): string | undefined;
}

/** What both roles stand on. */
interface Foundation {
  /** For requests. */
  store: Pool;
  stores: Stores;
  notifications: Notifications;
  /** May be called again. */
  closeNotifications(): Promise<void>;
  temporal: TemporalLink;
  graphs: GraphCache;
  instances: TemporalInstances;
  /** Undefined without the role `worker`, and where commits do not wait. */
  lingers: Lingers | undefined;
  metrics: ApiMetrics;
  tracer: Tracer;
  /** For who watches over the process; undefined without a port for it. */
  door: OperationsDoor | undefined;
}

/**
 * Starts the roles, waiting for Postgres and Temporal as long as it takes.
 * @param stopping ends the waiting; aborted later, the host is not ready any more
 * @throws what no waiting cures: a failed migration, a port that is taken, a missing bundle
 */
export async function runHost(settings: Settings, stopping: AbortSignal): Promise<RunningHost> {
  const { config } = settings;
  const logger = pino({ level: config.logLevel, base: { component: 'host' } });
  const opened = new Opened();
  try {
    const foundation = await lay(config, logger, stopping, opened);
    const worker = config.roles.has('worker') ? await openWorker(settings, foundation, logger) : undefined;
    if (worker) opened.add('the worker', () => worker.stop());
    const readiness = [stoppingReadiness(stopping), postgresReadiness(foundation.store), temporalReadiness(foundation.temporal), ...(worker ? workerReadiness(worker) : [])];
    const api = config.access && (await openApi(settings, config.access, foundation, readiness, logger));
    if (api) {
      const recompiler = startRecompiler({ store: foundation.store, logger });
      opened.add('definitions being recompiled', () => recompiler.stop());
    }
    if (api?.codecServer) opened.add('the codec server', () => api.codecServer!.close());
    foundation.door?.declareStarted(api?.readiness ?? readiness);
    opened.add('the worker or requests in progress', () => closeDoors(api?.served, worker, foundation.closeNotifications));
    sayItServes(config, api?.served.url, logger);
    return {
      api: api?.served.url,
      windDown: () => {
        logger.info('the host was told to stop');
        return windDown(api?.served, config.shutdownDelayMilliseconds);
      },
      stop: async () => {
        await opened.close();
        logger.info('the host has stopped');
      },
      closing: () => opened.closing,
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Who reads the log of one of many hosts sees which build serves what since when, also where nothing went wrong. */
function sayItServes({ roles, temporal }: Config, api: string | undefined, logger: Logger): void {
  const { namespace, taskQueue, deployment } = temporal;
  logger.info({ version: readBuildInformation().version, roles: [...roles], api, namespace, taskQueue, deployment }, 'the host serves');
}

async function lay(config: Config, logger: Logger, stopping: AbortSignal, opened: Opened): Promise<Foundation> {
  const patience = { logger, stopping };
  const metrics = createMetrics();
  const door = config.metricsPort === undefined ? undefined : await openOperationsDoor(metrics.registry, { host: config.host, port: config.metricsPort });
  if (door) opened.add('the metrics', () => door.close());
  const stores = await openStores(config.databaseUrl, config.databaseConnections, patience);
  const store = stores.requests;
  opened.add('the connections to Postgres', () => stores.end());
  const notifications = await Notifications.open(store, config.databaseUrl, (connected, error) => {
    if (error) logger.warn({ connected, code: (error as { code?: string }).code }, 'listening to Postgres was interrupted');
  });
  let closed: Promise<void> | undefined;
  const closeNotifications = () => (closed ??= notifications.close());
  opened.add('the listening to Postgres', closeNotifications);
  installTemporalRuntime(logger);
  const tracing = await openTracing(process.env, config.isTraced);
  opened.add('the traces', () => tracing.close());
  const temporal = await connectTemporal(config.temporal, store, patience);
  opened.add('the connection to Temporal', () => temporal.connection.close());
  const graphs = new GraphCache(stores.steps);
  const instances = new TemporalInstances({
    client: temporal.client,
    taskQueue: config.temporal.taskQueue,
    graphs,
    maxRotations: config.rotationLimit,
    searchAttributes: temporal.searchAttributes,
    // The server would give the first task to this build although another one is current (1.29.1, seen).
    eagerStart: config.roles.has('worker') && !config.temporal.deployment,
  });
  const lingers = config.roles.has('worker') && config.hotInstances ? await openHotInstances(config.hotInstances, notifications, metrics) : undefined;
  return { store, stores, notifications, closeNotifications, temporal, graphs, instances, lingers, metrics, tracer: tracing.tracer, door };
}

async function openHotInstances(hot: HotInstances, notifications: Notifications, { registry }: ApiMetrics): Promise<Lingers> {
  const lingers: Lingers = await openLingers(hot, notifications, (outcome) => count(outcome));
  const count = addLingerMetrics(registry, () => lingers.count);
  return lingers;
}

async function openWorker({ config, workflowBundle }: Settings, { stores, notifications, temporal, graphs, instances, lingers, metrics, tracer }: Foundation, logger: Logger): Promise<WorkerRole> {
  const { namespace, taskQueue, deployment } = config.temporal;
  const onPark = addParkMetrics(metrics.registry);
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
    onPark,
    ...addWorkflowFailureMetrics(metrics.registry, logger),
    bundlePath: workflowBundle,
  };
  const onExpired = (type: PublicationType, count: number) => metrics.expiredPublications.inc({ type }, count);
  const history = {
    defaultMilliseconds: config.historyRetentionMilliseconds,
    onRemoved: (kind: HistoryKind, count: number) => metrics.removedHistory.inc({ kind }, count),
  };
  const role = await startWorkerRole({ store: stores.background, notifications, temporal, instances, worker, logger, onExpired, onAdrift: addAdriftMetric(metrics.registry), history });
  addCachedInstancesMetric(metrics.registry, () => role.cachedInstances());
  return role;
}

async function openApi(
  { config, api, consoleFolder }: Settings,
  access: AccessConfiguration,
  { store, notifications, temporal, instances, lingers, metrics, tracer }: Foundation,
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
    logger,
    metrics,
    tracer,
    readiness,
    build: readBuildInformation(),
  };
  const application = withConsole(consoleFolder, { issuer: access.issuers[0]?.issuer ?? '', ...config.console }, createApp(context, api));
  return { served: await serveApi(application, { host: config.host, port: config.port }), readiness, codecServer: await openCodec(config, temporal, authenticator) };
}

async function openCodec({ host, codecPort, codecOrigins }: Config, { dataConverter }: TemporalLink, authenticator: Authenticator): Promise<CodecServer | undefined> {
  if (codecPort === undefined) return undefined;
  return openCodecServer({ codecs: dataConverter.payloadCodecs ?? [], authenticator, origins: codecOrigins }, { host, port: codecPort });
}

/** Nobody is sent to a worker, so one without an API has nobody to take leave of. */
async function windDown(api: ServedApi | undefined, milliseconds: number): Promise<void> {
  if (!api) return;
  api.sendAway();
  await delay(milliseconds);
}

/** Those who wait for jobs or outcomes are answered at once, so that no open request delays the end. */
async function closeDoors(api: ServedApi | undefined, worker: WorkerRole | undefined, closeNotifications: () => Promise<void>): Promise<void> {
  await Promise.all([api?.close(), worker?.stop(), closeNotifications()]);
}
