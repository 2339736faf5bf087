/** One host process: its roles, started in order and stopped in reverse order. */
import { setTimeout as delay } from 'node:timers/promises';
import { pino, type Logger } from 'pino';
import { addChoreMetrics } from '../background/metrics.js';
import { postgresReadiness } from '../api/http/readiness.js';
import type { ServedApi } from '../api/serve.js';
import type { WorkerRole } from '../worker/role.js';
import { readBuildInformation } from './build-information.js';
import { CloseStack } from './close-stack.js';
import type { Config } from './configuration/config.js';
import { plainConnections } from './configuration/transport.js';
import {
  connectorsReadiness,
  reconcilerWarning,
  stoppingReadiness,
  temporalReadiness,
  workerReadiness,
} from './readiness.js';
import { openResources } from './resources.js';
import type { Settings } from './settings.js';

export interface RunningHost {
  /** URL of the API; undefined without the role `api`. */
  api: string | undefined;
  /** URL of the hooks; undefined without their port. */
  hooks: string | undefined;
  /** URL of the external task protocol of Camunda 7; undefined without its port. */
  camunda7: string | undefined;
  /** Keeps serving for a while, so that load balancers, which see it as not ready, route to other hosts. */
  drain(): Promise<void>;
  /** Stops everything in order: listeners first, the database last. */
  stop(): Promise<void>;
  /** The resource that `stop` is waiting for, or undefined. */
  closing(): string | undefined;
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
  const loading = loadRoles(config);
  // Awaited after the resources, which can fail first.
  loading.catch(() => undefined);
  try {
    const resources = await openResources(config, logger, stopping, opened);
    const roles = await loading;
    const worker = await roles.worker?.openWorker(settings, resources, logger);
    if (worker) opened.add('workflow worker', () => worker.stop());
    const connectors = roles.connectors?.openConnectors(settings, resources, logger);
    if (connectors) opened.add('connectors', () => connectors.stop());
    addChoreMetrics(resources.metrics.registry, () => [...(worker?.chores() ?? []), ...(connectors?.chores() ?? [])]);
    const readiness = [
      stoppingReadiness(stopping),
      postgresReadiness(resources.store),
      temporalReadiness(resources.temporal),
      ...(worker ? [workerReadiness(worker)] : []),
      ...(connectors ? [connectorsReadiness(connectors)] : []),
    ];
    const api = config.access && (await roles.api?.openApi(settings, config.access, resources, readiness, logger));
    const served = [api?.served, api?.hooks, api?.camunda7];
    if (api?.codecServer) opened.add('codec server', () => api.codecServer!.close());
    const warnings = worker ? [reconcilerWarning(worker)] : [];
    resources.managementServer?.declareStarted(api?.readiness ?? readiness, warnings);
    opened.add('workflow worker or requests in progress', () =>
      closeListeners(served, worker, resources.closeNotifications),
    );
    const urls = { api: api?.served.url, hooks: api?.hooks?.url, camunda7: api?.camunda7?.url };
    logStarted(config, urls, logger);
    return {
      ...urls,
      drain: () => {
        logger.info('host stopping');
        return drain(api && served, config.shutdownDelayMilliseconds);
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

/**
 * Loads the code of the roles that the host has, while it reaches Postgres and Temporal: most of the code is that of the
 * API, which a host without it does not need.
 */
async function loadRoles({ roles, access }: Config) {
  const [api, connectors, worker] = await Promise.all([
    access && import('./roles/api.js'),
    roles.has('connectors') ? import('./roles/connectors.js') : undefined,
    roles.has('worker') ? import('./roles/worker.js') : undefined,
  ]);
  return { api, connectors, worker };
}

/** Shows in the log of each host which build serves what since when, even if nothing ever fails. */
function logStarted(config: Config, urls: Pick<RunningHost, 'api' | 'hooks' | 'camunda7'>, logger: Logger): void {
  const { roles, temporal } = config;
  const { namespace, taskQueue, deployment } = temporal;
  for (const plain of plainConnections(config))
    logger.warn(plain, 'connection without verified TLS leaves this machine');
  logger.info(
    { version: readBuildInformation().version, roles: [...roles], ...urls, namespace, taskQueue, deployment },
    'host started',
  );
}

/** Load balancers route only to APIs, so a worker-only host stops without a drain delay. */
async function drain(served: readonly (ServedApi | undefined)[] | undefined, milliseconds: number): Promise<void> {
  if (!served) return;
  for (const one of served) one?.startDraining();
  await delay(milliseconds);
}

/** Requests that wait for jobs or outcomes are answered at once, so that no open request delays the shutdown. */
async function closeListeners(
  served: readonly (ServedApi | undefined)[],
  worker: WorkerRole | undefined,
  closeNotifications: () => Promise<void>,
): Promise<void> {
  await Promise.all([...served.map((one) => one?.close()), worker?.stop(), closeNotifications()]);
}
