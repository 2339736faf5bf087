/** The configuration of the host from environment variables, validated as a whole before anything starts. */
import { readAccessConfiguration, type AccessConfiguration } from '../../api/access/settings/configuration.js';
import { readApiConfiguration, type ApiConfiguration } from '../../api/configuration.js';
import { consoleSection, toConsoleConfiguration, type ConsoleConfiguration } from '../../api/console/configuration.js';
import { readSection } from '@perdure/configuration/read.js';
import type { Environment, Role, ValuesOf } from '@perdure/configuration/variable.js';
import {
  problemsOfTemporalTasks,
  temporalTasksSection,
  toTemporalTasks,
  type TemporalTasksConfiguration,
} from '../../connectors/temporal/configuration.js';
import { outboundSection, toOutboundConfiguration, type OutboundConfiguration } from '../../outbound/configuration.js';
import { readTracingConfiguration } from '../../telemetry/configuration.js';
import type { TemporalConfig } from '../../temporal/connection.js';
import type { HotInstances } from '../../hot-instances/places.js';
import { ConfigurationError } from './configuration-error.js';
import { postgresSection } from './postgres.js';
import { serverSection, type LogLevel } from './server.js';
import { problemsOfTransport } from './transport.js';
import { problemsOfTemporal, temporalSection, toTemporalConfig } from './temporal.js';
import { problemsOfRetention, toHotInstances, workerSection } from './worker.js';

export interface Config {
  /**
   * `api` serves REST requests and the console, `worker` runs the process instances, `connectors` performs HTTP tasks
   * and tasks on Temporal, and delivers events.
   */
  roles: ReadonlySet<Role>;
  /** The address of the API; port 0 selects a free port. */
  host: string;
  port: number;
  /** The port at which other systems publish messages; undefined disables it. */
  hooksPort: number | undefined;
  /** The port for external task clients of Camunda 7; undefined disables it. */
  camunda7Port: number | undefined;
  /** The port for Prometheus metrics; undefined disables them. */
  metricsPort: number | undefined;
  /** The port on which the Temporal UI decrypts payloads; undefined disables it. */
  codecPort: number | undefined;
  codecOrigins: readonly string[];
  api: ApiConfiguration;
  /** The issuers whose tokens the API accepts; undefined without the role `api`. */
  access: AccessConfiguration | undefined;
  /** How people sign in to the console, apart from the issuer. */
  console: Omit<ConsoleConfiguration, 'issuer'>;
  databaseUrl: string;
  databaseConnections: number;
  temporal: TemporalConfig;
  /**
   * Instances that the workflow worker keeps in memory between workflow tasks; undefined uses the default of Temporal's
   * SDK.
   */
  cachedInstances: number | undefined;
  /** How step commits wait for the next command of their instance; undefined when they do not. */
  hotInstances: HotInstances | undefined;
  /** How many times one instance can rotate into a new run (Temporal: continue-as-new) before it gets an incident. */
  rotationLimit: number;
  /** How long the API keeps serving after the host was asked to stop, while `/ready` reports that. */
  shutdownDelayMilliseconds: number;
  /** How long ended instances are kept in projects without a setting; undefined keeps them indefinitely. */
  historyRetentionMilliseconds: number | undefined;
  auditRetentionMilliseconds: number | undefined;
  /** No entry of the audit log is deleted earlier, whatever a project sets. */
  auditRetentionMinimumMilliseconds: number;
  outbound: OutboundConfiguration;
  temporalTasks: TemporalTasksConfiguration;
  /** Whether spans are sent to a collector, according to the variables of OpenTelemetry. */
  isTraced: boolean;
  logLevel: LogLevel;
}

/** The variables whose values need nothing but themselves. */
const hostSection = {
  title: 'Host',
  variables: {
    ...serverSection.variables,
    ...postgresSection.variables,
    ...temporalSection.variables,
    ...consoleSection.variables,
    ...workerSection.variables,
    ...outboundSection.variables,
    ...temporalTasksSection.variables,
  },
};

type Values = ValuesOf<(typeof hostSection)['variables']>;

/**
 * Reads the configuration of the host.
 * @throws ConfigurationError naming every mistake at once
 */
export function readConfig(environment: Environment): Config {
  const { values, problems } = readSection(hostSection, environment);
  const access = readAccess(environment, values.PERDURE_ROLES);
  const api = readApiConfiguration(environment);
  const tracing = readTracingConfiguration(environment);
  const all = [
    ...problems,
    ...problemsOfRetention(values),
    ...problemsOfTemporal(environment),
    ...problemsOfTemporalTasks(environment, values),
    ...access.problems,
    ...api.problems,
    ...tracing.problems,
  ];
  if (all.length > 0 || !api.configuration) throw new ConfigurationError(all);
  const config = {
    ...toConfig(values as Values),
    access: access.configuration,
    api: api.configuration,
    isTraced: tracing.wanted,
  };
  const ofTransport = problemsOfTransport(config, environment);
  if (ofTransport.length > 0) throw new ConfigurationError(ofTransport);
  return config;
}

/** Only the API validates tokens. When the roles cannot be parsed, its mistakes are reported as well. */
function readAccess(environment: Environment, roles: readonly Role[] = ['api']) {
  return roles.includes('api') ? readAccessConfiguration(environment) : { configuration: undefined, problems: [] };
}

function toConfig(values: Values): Omit<Config, 'access' | 'api' | 'isTraced'> {
  return {
    roles: new Set(values.PERDURE_ROLES),
    host: values.HOST,
    port: values.PORT,
    hooksPort: values.HOOKS_PORT,
    camunda7Port: values.CAMUNDA7_PORT,
    metricsPort: values.METRICS_PORT,
    codecPort: values.CODEC_PORT,
    codecOrigins: values.CODEC_ORIGINS ?? [],
    console: toConsoleConfiguration(values),
    databaseUrl: values.DATABASE_URL,
    databaseConnections: values.DATABASE_CONNECTIONS,
    temporal: toTemporalConfig(values),
    cachedInstances: values.WORKER_MAX_CACHED_INSTANCES,
    hotInstances: toHotInstances(values),
    rotationLimit: values.ENGINE_CAN_MAX_ROTATIONS,
    shutdownDelayMilliseconds: values.SHUTDOWN_DELAY,
    historyRetentionMilliseconds: values.HISTORY_RETENTION,
    auditRetentionMilliseconds: values.AUDIT_RETENTION,
    auditRetentionMinimumMilliseconds: values.AUDIT_RETENTION_MINIMUM,
    outbound: toOutboundConfiguration(values),
    temporalTasks: toTemporalTasks(values),
    logLevel: values.LOG_LEVEL,
  };
}
