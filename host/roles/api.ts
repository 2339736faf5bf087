/** The role `api` of a host. */
import type { Logger } from 'pino';
import { createAuthenticator } from '../../api/access/authenticator.js';
import type { AccessConfiguration } from '../../api/access/settings/configuration.js';
import { createApp } from '../../api/app.js';
import { createCamunda7App } from '../../api/camunda7/app.js';
import { withConsole } from '../../api/console/console.js';
import { createHookApp } from '../../api/hooks/app.js';
import type { ReadinessCheck } from '../../api/contract/readiness.js';
import type { ApiContext } from '../../api/context.js';
import { hookTimes } from '../../api/listener/limits.js';
import { createRefusalReport, type ListenerName } from '../../api/listener/refusals.js';
import { createRequestLimits, type RequestLimits } from '../../api/pipeline/api-host.js';
import { createMemberships } from '../../api/membership/memberships.js';
import { operations } from '../../api/operations/index.js';
import { serveApi, type ServedApi } from '../../api/serve.js';
import { createLogger } from '../../telemetry/logger.js';
import type { TemporalLink } from '../../temporal/connection.js';
import { openCodecServer, type CodecServer } from '../codec-server.js';
import type { Config } from '../configuration/config.js';
import type { Resources } from '../resources.js';
import type { Settings } from '../settings.js';
import { createApiContext } from './api-context.js';

interface OpenApi {
  served: ServedApi;
  hooks: ServedApi | undefined;
  camunda7: ServedApi | undefined;
  readiness: readonly ReadinessCheck[];
  codecServer: CodecServer | undefined;
}

export async function openApi(
  { config, consoleFolder }: Settings,
  access: AccessConfiguration,
  resources: Resources,
  readinessOfHost: readonly ReadinessCheck[],
  hostLogger: Logger,
): Promise<OpenApi> {
  const authenticator = createAuthenticator(access, createLogger(config.logLevel));
  const readiness = [...readinessOfHost, authenticator.readiness];
  const memberships = createMemberships(access.issuers);
  const context = createApiContext(config, resources, hostLogger, { authenticator, memberships, readiness });
  const limits = createRequestLimits(config.api);
  const application = withConsole(
    consoleFolder,
    { issuer: access.issuers[0]?.issuer ?? '', ...config.console },
    createApp(context, config.api, operations, limits),
  );
  return {
    served: await serveApi(application, {
      ...listening(config, context, 'api'),
      port: config.port,
      limits: config.api.connections,
    }),
    hooks: await openHooks(config, context),
    camunda7: await openCamunda7(config, context, limits),
    readiness,
    codecServer: await openCodec(config, resources.temporal, context),
  };
}

/** Options that all listeners of the role share. */
function listening({ host, api }: Config, { metrics, logger }: ApiContext, name: ListenerName) {
  return { host, trustedProxies: api.trustedProxies, report: createRefusalReport(name, metrics, logger) };
}

async function openHooks(config: Config, context: ApiContext): Promise<ServedApi | undefined> {
  const { hooksPort, api } = config;
  if (hooksPort === undefined) return undefined;
  return serveApi(createHookApp(context, api), {
    ...listening(config, context, 'hooks'),
    port: hooksPort,
    limits: api.hookConnections,
    times: hookTimes,
  });
}

async function openCamunda7(
  config: Config,
  context: ApiContext,
  limits: RequestLimits,
): Promise<ServedApi | undefined> {
  const { camunda7Port, api } = config;
  if (camunda7Port === undefined) return undefined;
  return serveApi(createCamunda7App(context, api, limits), {
    ...listening(config, context, 'camunda7'),
    port: camunda7Port,
    limits: api.connections,
  });
}

async function openCodec(
  config: Config,
  { dataConverter }: TemporalLink,
  context: ApiContext,
): Promise<CodecServer | undefined> {
  const { codecPort, codecOrigins } = config;
  if (codecPort === undefined) return undefined;
  return openCodecServer(
    {
      codecs: dataConverter.payloadCodecs ?? [],
      origins: codecOrigins,
      authenticator: context.authenticator,
      logger: context.logger,
      metrics: context.metrics,
      requestRate: config.api.requestRate,
    },
    { ...listening(config, context, 'codec'), port: codecPort },
  );
}
