/**
 * The configuration of the host from environment variables, validated as a whole before anything starts.
 *
 * An empty variable counts as unset, because container tools pass unset variables as empty ones.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { readAccessConfiguration, type AccessConfiguration } from '../api/access/settings/configuration.js';
import type { ConsoleConfiguration } from '../api/console/configuration.js';
import { duration } from '../api/contract/duration.js';
import { readTracingConfiguration } from '../telemetry/configuration.js';
import type { TemporalConfig, TemporalTls } from '../temporal/connection.js';
import type { HotInstances } from '../worker/hot-instances.js';
import { readKeyRing } from '../temporal/key-ring.js';

const allRoles = ['api', 'worker'] as const;
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** `api` serves REST requests and the console; `worker` runs the process instances. */
export type Role = (typeof allRoles)[number];
export type LogLevel = (typeof logLevels)[number];

export interface Config {
  roles: ReadonlySet<Role>;
  /** The address of the API; port 0 selects a free port. */
  host: string;
  port: number;
  /** The port for Prometheus metrics; undefined disables them. */
  metricsPort: number | undefined;
  /** The port on which the Temporal UI decrypts payloads; undefined disables it. */
  codecPort: number | undefined;
  codecOrigins: readonly string[];
  /** Other origins whose pages can call the API. */
  corsOrigins: readonly string[];
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
  /** Whether spans are sent to a collector, according to the variables of OpenTelemetry. */
  isTraced: boolean;
  logLevel: LogLevel;
}

/** All mistakes in the configuration, one sentence each. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';

  constructor(readonly problems: readonly string[]) {
    super(
      `The configuration has ${problems.length === 1 ? 'a mistake' : `${problems.length} mistakes`}:\n${problems.map((problem) => `- ${problem}`).join('\n')}`,
    );
  }
}

const port = wholeNumber(0, 65_535);
/** Temporal joins the two names of a version with a dot or a colon, so a deployment name contains neither. */
const deploymentWord = /^[^\s.:]{1,200}$/;
const buildWord = /^\S{1,200}$/;
const filePath = z.string().transform(readBytes);

const payloadKeysExpected =
  'keys as name=base64 of 32 bytes, separated by commas or line breaks, the encrypting key first';

/** Each variable with its rule, and the rule in words for error messages. */
const variables = {
  PERDURE_ROLES: {
    rule: z
      .string()
      .default(allRoles.join())
      .transform(splitList)
      .pipe(z.array(z.enum(allRoles)).min(1)),
    expected: 'a comma-separated list of api, worker',
  },
  HOST: {
    rule: z
      .string()
      .regex(/^[\w.:-]+$/)
      .default('127.0.0.1'),
    expected: 'the host name or address to listen on',
  },
  PORT: { rule: z.string().default('8080').pipe(port), expected: 'a port number from 0 to 65535' },
  METRICS_PORT: { rule: port.optional(), expected: 'a port number from 0 to 65535' },
  CORS_ORIGINS: {
    rule: z
      .string()
      .default('')
      .transform(splitList)
      .pipe(z.array(z.string().refine(isOrigin))),
    expected: 'a comma-separated list of origins such as https://app.example.com',
  },
  OIDC_CONSOLE_CLIENT_ID: {
    rule: z.string().default('console'),
    expected: 'the id of the console as a public client of the issuer',
  },
  OIDC_CONSOLE_SCOPE: {
    rule: z.string().default('openid profile offline_access'),
    expected: 'scopes separated by spaces',
  },
  OIDC_CONSOLE_AUDIENCE: {
    rule: z.string().optional(),
    expected: 'the audience that the console names when it asks for a token',
  },
  DATABASE_URL: {
    rule: z.string().refine(isPostgresUrl),
    expected: 'a Postgres URL such as postgres://user:password@localhost:5432/perdure',
    secret: true,
  },
  DATABASE_CONNECTIONS: {
    rule: z.string().default('32').pipe(wholeNumber(8, 1_000)),
    expected: 'a whole number from 8 to 1000',
  },
  TEMPORAL_ADDRESS: {
    rule: z.string().regex(/^[^\s/]+:\d+$/),
    expected: 'the host and port of a Temporal frontend such as localhost:7233',
  },
  TEMPORAL_NAMESPACE: {
    rule: z
      .string()
      .regex(/^\S{1,255}$/)
      .default('default'),
    expected: 'a Temporal namespace',
  },
  TEMPORAL_TASK_QUEUE: {
    rule: z
      .string()
      .regex(/^\S{1,255}$/)
      .default('perdure'),
    expected: 'a Temporal task queue of up to 255 characters',
  },
  TEMPORAL_DEPLOYMENT_NAME: {
    rule: z.string().regex(deploymentWord).optional(),
    expected: 'the name of a worker deployment: up to 200 characters, no white space, no . or :',
  },
  TEMPORAL_WORKER_BUILD_ID: {
    rule: z.string().regex(buildWord).optional(),
    expected: 'the name of a build: up to 200 characters, no white space',
  },
  TEMPORAL_API_KEY: { rule: z.string().optional(), expected: 'an API key', secret: true },
  TEMPORAL_TLS: { rule: z.enum(['true', 'false']).optional(), expected: 'true or false' },
  TEMPORAL_TLS_SERVER_NAME: { rule: z.string().optional(), expected: 'a server name' },
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: { rule: filePath.optional(), expected: 'a readable file' },
  TEMPORAL_TLS_CLIENT_CERT_PATH: { rule: filePath.optional(), expected: 'a readable file' },
  TEMPORAL_TLS_CLIENT_KEY_PATH: { rule: filePath.optional(), expected: 'a readable file' },
  TEMPORAL_PAYLOAD_KEYS: {
    rule: z.string().transform(toKeyRing).optional(),
    expected: payloadKeysExpected,
    secret: true,
  },
  TEMPORAL_PAYLOAD_KEYS_PATH: {
    rule: filePath.transform((bytes, context) => toKeyRing(bytes.toString(), context)).optional(),
    expected: `a file with ${payloadKeysExpected}`,
  },
  CODEC_PORT: { rule: port.optional(), expected: 'a port number from 0 to 65535' },
  CODEC_ORIGINS: {
    rule: z
      .string()
      .default('')
      .transform(splitList)
      .pipe(z.array(z.string().refine(isOrigin))),
    expected: 'a comma-separated list of origins such as https://temporal.example.com',
  },
  // With fewer than the number of concurrent workflow tasks (`worker/temporal-worker.ts`), instances would be evicted while they
  // run.
  WORKER_MAX_CACHED_INSTANCES: {
    rule: wholeNumber(100, 1_000_000).optional(),
    expected: 'a whole number from 100 to 1000000',
  },
  HOT_INSTANCES: { rule: z.enum(['on', 'off']).default('on'), expected: 'on or off' },
  // A local activity has five seconds, and a workflow task that lasts longer than eight is renewed.
  HOT_INSTANCES_LINGER_MS: {
    rule: z.string().default('1000').pipe(wholeNumber(10, 2_000)),
    expected: 'a whole number from 10 to 2000',
  },
  HOT_INSTANCES_SLOT_PERCENT: {
    rule: z.string().default('60').pipe(wholeNumber(1, 90)),
    expected: 'a whole number from 1 to 90',
  },
  ENGINE_CAN_MAX_ROTATIONS: {
    rule: z.string().default('1000').pipe(wholeNumber(1, 1_000_000)),
    expected: 'a whole number from 1 to 1000000',
  },
  HISTORY_RETENTION: {
    rule: duration({ minimumSeconds: 60, maximumSeconds: 100 * 366 * 86_400 }).optional(),
    expected: 'a duration from one minute to 100 years, such as 90d or P90D',
  },
  SHUTDOWN_DELAY: {
    rule: z
      .string()
      .default('0s')
      .pipe(duration({ minimumSeconds: 0, maximumSeconds: 300 })),
    expected: 'a duration of up to five minutes, such as 5s',
  },
  LOG_LEVEL: { rule: z.enum(logLevels).default('info'), expected: `one of ${logLevels.join(', ')}` },
} satisfies Record<string, VariableRule>;

interface VariableRule {
  rule: z.ZodType;
  expected: string;
  /** The value never appears in a message, not even an invalid one. */
  secret?: boolean;
}

type VariableName = keyof typeof variables;
type Values = { [Name in VariableName]: z.output<(typeof variables)[Name]['rule']> };

/**
 * Reads the configuration of the host.
 *
 * @throws ConfigurationError naming every mistake at once
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const { values, problems } = readVariables(environment);
  problems.push(...checkTogether(environment));
  const access = readAccess(environment, values.PERDURE_ROLES);
  const tracing = readTracingConfiguration(environment);
  problems.push(...access.problems, ...tracing.problems);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return { ...toConfig(values as Values), access: access.configuration, isTraced: tracing.wanted };
}

/** Only the API validates tokens. When the roles cannot be parsed, its mistakes are reported as well. */
function readAccess(environment: NodeJS.ProcessEnv, roles: readonly Role[] = allRoles) {
  return roles.includes('api') ? readAccessConfiguration(environment) : { configuration: undefined, problems: [] };
}

function readVariables(environment: NodeJS.ProcessEnv): { values: Partial<Values>; problems: string[] } {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, { rule, ...words }] of Object.entries<VariableRule>(variables)) {
    const given = environment[name] || undefined;
    const result = rule.safeParse(given);
    if (result.success) values[name] = result.data;
    else problems.push(describeProblem(name, given, words));
  }
  return { values: values as Partial<Values>, problems };
}

function describeProblem(name: string, given: string | undefined, words: Omit<VariableRule, 'rule'>): string {
  if (given === undefined) return `${name} is not set; it must be ${words.expected}`;
  const found = words.secret ? 'is not (value hidden because it is secret)' : `is ${JSON.stringify(given)}`;
  return `${name} must be ${words.expected}, but ${found}`;
}

function checkTogether(environment: NodeJS.ProcessEnv): string[] {
  const isSet = (name: VariableName) => Boolean(environment[name]);
  const problems: string[] = [];
  if (isSet('TEMPORAL_TLS_CLIENT_CERT_PATH') !== isSet('TEMPORAL_TLS_CLIENT_KEY_PATH')) {
    problems.push(
      'TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH must be set together, but only one of them is',
    );
  }
  if (isSet('TEMPORAL_DEPLOYMENT_NAME') !== isSet('TEMPORAL_WORKER_BUILD_ID')) {
    problems.push(
      'TEMPORAL_DEPLOYMENT_NAME and TEMPORAL_WORKER_BUILD_ID must be set together, but only one of them is',
    );
  }
  const hasKeys = isSet('TEMPORAL_PAYLOAD_KEYS') || isSet('TEMPORAL_PAYLOAD_KEYS_PATH');
  if (isSet('TEMPORAL_PAYLOAD_KEYS') && isSet('TEMPORAL_PAYLOAD_KEYS_PATH'))
    problems.push('TEMPORAL_PAYLOAD_KEYS and TEMPORAL_PAYLOAD_KEYS_PATH are both set. Unset one of them.');
  if (isSet('CODEC_PORT') && !hasKeys)
    problems.push(
      'CODEC_PORT is set, but there are no keys to decrypt with. Set TEMPORAL_PAYLOAD_KEYS or TEMPORAL_PAYLOAD_KEYS_PATH too.',
    );
  return problems;
}

function toKeyRing(text: string, context: z.RefinementCtx): TemporalConfig['payloadKeys'] {
  const keyRing = readKeyRing(text);
  if (keyRing !== undefined) return keyRing;
  context.addIssue({ code: 'custom', message: 'is not a list of keys' });
  return z.NEVER;
}

function toConfig(values: Values): Omit<Config, 'access' | 'isTraced'> {
  return {
    roles: new Set(values.PERDURE_ROLES),
    host: values.HOST,
    port: values.PORT,
    metricsPort: values.METRICS_PORT,
    codecPort: values.CODEC_PORT,
    codecOrigins: values.CODEC_ORIGINS,
    corsOrigins: values.CORS_ORIGINS,
    console: {
      clientID: values.OIDC_CONSOLE_CLIENT_ID,
      scope: values.OIDC_CONSOLE_SCOPE,
      audience: values.OIDC_CONSOLE_AUDIENCE,
    },
    databaseUrl: values.DATABASE_URL,
    databaseConnections: values.DATABASE_CONNECTIONS,
    temporal: {
      address: values.TEMPORAL_ADDRESS,
      namespace: values.TEMPORAL_NAMESPACE,
      taskQueue: values.TEMPORAL_TASK_QUEUE,
      deployment: toDeployment(values),
      apiKey: values.TEMPORAL_API_KEY,
      tls: toTls(values),
      payloadKeys: values.TEMPORAL_PAYLOAD_KEYS ?? values.TEMPORAL_PAYLOAD_KEYS_PATH,
    },
    cachedInstances: values.WORKER_MAX_CACHED_INSTANCES,
    hotInstances:
      values.HOT_INSTANCES === 'on'
        ? { longestMs: values.HOT_INSTANCES_LINGER_MS, slotShare: values.HOT_INSTANCES_SLOT_PERCENT / 100 }
        : undefined,
    rotationLimit: values.ENGINE_CAN_MAX_ROTATIONS,
    shutdownDelayMilliseconds: values.SHUTDOWN_DELAY,
    historyRetentionMilliseconds: values.HISTORY_RETENTION,
    logLevel: values.LOG_LEVEL,
  };
}

function toDeployment({
  TEMPORAL_DEPLOYMENT_NAME: deploymentName,
  TEMPORAL_WORKER_BUILD_ID: buildId,
}: Values): TemporalConfig['deployment'] {
  return deploymentName && buildId ? { deploymentName, buildId } : undefined;
}

/** TLS is used when it is enabled, or when a setting is present that needs it. */
function toTls(values: Values): TemporalTls | undefined {
  const tls: TemporalTls = {};
  if (values.TEMPORAL_TLS_SERVER_NAME) tls.serverNameOverride = values.TEMPORAL_TLS_SERVER_NAME;
  if (values.TEMPORAL_TLS_SERVER_CA_CERT_PATH) tls.serverRootCACertificate = values.TEMPORAL_TLS_SERVER_CA_CERT_PATH;
  const crt = values.TEMPORAL_TLS_CLIENT_CERT_PATH;
  const key = values.TEMPORAL_TLS_CLIENT_KEY_PATH;
  if (crt && key) tls.clientCertPair = { crt, key };
  const implied = Object.keys(tls).length > 0 || values.TEMPORAL_API_KEY !== undefined;
  const wanted = values.TEMPORAL_TLS === undefined ? implied : values.TEMPORAL_TLS === 'true';
  return wanted ? tls : undefined;
}

function wholeNumber(least: number, most: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().min(least).max(most));
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

function isPostgresUrl(text: string): boolean {
  return URL.canParse(text) && ['postgres:', 'postgresql:'].includes(new URL(text).protocol);
}

function readBytes(path: string, context: z.RefinementCtx): Buffer {
  try {
    return readFileSync(path);
  } catch {
    context.addIssue({ code: 'custom', message: 'cannot be read' });
    return z.NEVER;
  }
}
