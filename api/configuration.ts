/** Settings of the API itself. `access/settings/configuration.ts` defines who can call it. */
import { z } from 'zod';
import { list, origins, wholeNumber } from '@perdure/configuration/kinds.js';
import { readSection } from '@perdure/configuration/read.js';
import { variable, type Environment, type Role, type ValuesOf } from '@perdure/configuration/variable.js';
import { isAddressRange } from './http/request/client-address.js';
import { apiLimits, hookLimits, type ConnectionLimits } from './listener/limits.js';
import type { RateLimit } from './http/rate-limits.js';

export interface ApiConfiguration {
  readonly corsOrigins: ReadonlySet<string>;
  /** Proxies whose `X-Forwarded-For` header is trusted. */
  readonly trustedProxies: readonly string[];
  readonly maximumBodyBytes: number;
  /** Per caller; requests without a valid token count against the client's address. */
  readonly requestRate: RateLimit;
  /** Bytes of bodies per caller. A JSON value counts as `BYTES_OF_VALUE` more. */
  readonly bodyRate: RateLimit;
  /** Of one caller, as `TurnLimits` has it in milliseconds. */
  readonly threadSecondsPerMinute: number;
  /** Per caller, as is `simultaneousEvaluations`. */
  readonly simultaneousSearches: number;
  readonly simultaneousEvaluations: number;
  /** Requests of one caller that wait for something to happen. */
  readonly waitsPerCaller: number;
  /** All requests of one caller in progress, with or without a wait. */
  readonly simultaneousRequests: number;
  /** Of the API and of the hooks. */
  readonly connections: ConnectionLimits;
  readonly hookConnections: ConnectionLimits;
  /** Checks every response against its declaration and fails instead of sending an undeclared one. For tests. */
  readonly verifyResponses: boolean;
}

/** The cost of building a JSON value, in bytes of a text that takes as long to read. */
export const BYTES_OF_VALUE = 64;

/** At once, a caller can send several bundles. */
function bodyRateOf(perSecond: number): RateLimit {
  return { perSecond, burst: 4 * perSecond };
}

export const defaultApiConfiguration: ApiConfiguration = {
  corsOrigins: new Set(),
  trustedProxies: [],
  maximumBodyBytes: 5 * 1024 * 1024,
  requestRate: { perSecond: 300, burst: 600 },
  bodyRate: bodyRateOf(16 * 1024 * 1024),
  threadSecondsPerMinute: 30,
  simultaneousSearches: 4,
  simultaneousEvaluations: 64,
  waitsPerCaller: 1_000,
  simultaneousRequests: 2_000,
  connections: apiLimits,
  hookConnections: hookLimits,
  verifyResponses: false,
};

const roles: readonly Role[] = ['api'];
const count = wholeNumber(1, 999_999_999);
const { requestRate, bodyRate, threadSecondsPerMinute, simultaneousSearches, simultaneousEvaluations, waitsPerCaller } =
  defaultApiConfiguration;
const connectionCount = wholeNumber(1, 100_000);

export const apiSection = {
  title: 'API',
  variables: {
    CORS_ORIGINS: variable({
      kind: origins('https://app.example.com'),
      roles,
      description: 'Exact origins of browser pages that may call the API.',
    }),
    TRUSTED_PROXIES: variable({
      kind: list(
        'a comma-separated list of IP addresses and CIDR ranges such as 10.0.0.0/8',
        z.string().refine(isAddressRange),
      ),
      roles,
      description:
        'Proxies whose `X-Forwarded-For` is trusted. Their [connections](#connections) have no share per address.',
    }),
    RATE_LIMIT_PER_SECOND: variable({
      kind: count,
      default: String(requestRate.perSecond),
      roles,
      description: 'Requests per second, caller, and process.',
    }),
    RATE_LIMIT_BURST: variable({
      kind: count,
      default: String(requestRate.burst),
      roles,
      description: 'Requests at once, per caller and process.',
    }),
    MAX_BODY_BYTES_PER_SECOND: variable({
      kind: wholeNumber(1024 * 1024, 999_999_999),
      default: String(bodyRate.perSecond),
      roles,
      description:
        'Bytes of request bodies per second, caller, and process; four times as many at once. Each JSON value counts as 64 bytes more.',
    }),
    THREAD_SECONDS_PER_MINUTE: variable({
      kind: count,
      default: String(threadSecondsPerMinute),
      roles,
      description:
        'Seconds per minute and process for which the work of a caller, or of a hook, has threads: compiling, converting, evaluating, and reading large bodies.',
    }),
    MAX_CONCURRENT_SEARCHES: variable({
      kind: count,
      default: String(simultaneousSearches),
      roles,
      description: 'Concurrent searches per caller and process.',
    }),
    SIMULTANEOUS_EVALUATIONS: variable({
      kind: count,
      default: String(simultaneousEvaluations),
      roles,
      description: 'Concurrent [decision evaluations](dmn.md#limits) per caller and process.',
    }),
    MAX_WAITS_PER_CALLER: variable({
      kind: count,
      default: String(waitsPerCaller),
      roles,
      description:
        'Concurrent waits per caller and process: polls for jobs, and requests that wait for a result, an outcome, or events. Above it, a poll is answered at once, and other waits are 429.',
    }),
    MAX_CONNECTIONS: variable({
      kind: connectionCount,
      default: String(apiLimits.connections),
      roles,
      description: 'Open [connections](#connections) to the API; further ones get 503.',
    }),
    MAX_CONNECTIONS_PER_ADDRESS: variable({
      kind: connectionCount,
      default: String(apiLimits.perAddress),
      roles,
      description:
        'Of these, from one IPv4 address or IPv6 /64 that is not in `TRUSTED_PROXIES`, and four times as many from one /24 or /48; further ones get 429. Also requests at once without a valid token from one address behind a trusted proxy.',
    }),
    MAX_HOOK_CONNECTIONS: variable({
      kind: connectionCount,
      default: String(hookLimits.connections),
      roles,
      description: 'Open connections to the [hooks](hooks.md); further ones get 503.',
    }),
    MAX_HOOK_CONNECTIONS_PER_ADDRESS: variable({
      kind: connectionCount,
      default: String(hookLimits.perAddress),
      roles,
      description: 'The same share of the connections to the hooks.',
    }),
  },
};

/** A caller whose waits are all in use can still send other requests. */
const REQUESTS_BESIDE_WAITS = 1_000;

type ApiValues = ValuesOf<(typeof apiSection)['variables']>;

export interface ApiConfigurationReading {
  /** Present only if there are no problems. */
  readonly configuration: ApiConfiguration | undefined;
  readonly problems: readonly string[];
}

/** Reads `CORS_ORIGINS`, `TRUSTED_PROXIES`, and the limits per caller. */
export function readApiConfiguration(env: Environment): ApiConfigurationReading {
  const { values, problems } = readSection(apiSection, env);
  const configuration = problems.length === 0 ? toConfiguration(values as ApiValues) : undefined;
  return { configuration, problems };
}

function toConfiguration(values: ApiValues): ApiConfiguration {
  return {
    ...defaultApiConfiguration,
    corsOrigins: new Set(values.CORS_ORIGINS),
    trustedProxies: values.TRUSTED_PROXIES ?? [],
    requestRate: { perSecond: values.RATE_LIMIT_PER_SECOND, burst: values.RATE_LIMIT_BURST },
    bodyRate: bodyRateOf(values.MAX_BODY_BYTES_PER_SECOND),
    threadSecondsPerMinute: values.THREAD_SECONDS_PER_MINUTE,
    simultaneousSearches: values.MAX_CONCURRENT_SEARCHES,
    simultaneousEvaluations: values.SIMULTANEOUS_EVALUATIONS,
    waitsPerCaller: values.MAX_WAITS_PER_CALLER,
    simultaneousRequests: values.MAX_WAITS_PER_CALLER + REQUESTS_BESIDE_WAITS,
    connections: { connections: values.MAX_CONNECTIONS, perAddress: values.MAX_CONNECTIONS_PER_ADDRESS },
    hookConnections: {
      connections: values.MAX_HOOK_CONNECTIONS,
      perAddress: values.MAX_HOOK_CONNECTIONS_PER_ADDRESS,
    },
  };
}
