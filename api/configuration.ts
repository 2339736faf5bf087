/** Settings of the API itself. `access/configuration.ts` defines who can call it. */
import { isAddressRange } from './http/request/client-address.js';
import type { RateLimit } from './http/rate-limits.js';

export interface ApiConfiguration {
  readonly corsOrigins: ReadonlySet<string>;
  /** Proxies whose `X-Forwarded-For` header is trusted. */
  readonly trustedProxies: readonly string[];
  readonly maximumBodyBytes: number;
  /** Per caller; requests without a valid token count against the client's address. */
  readonly requestRate: RateLimit;
  /** Per caller, as is `simultaneousEvaluations`. */
  readonly simultaneousSearches: number;
  readonly simultaneousEvaluations: number;
  /** Checks every response against its declaration and fails instead of sending an undeclared one. For tests. */
  readonly verifyResponses: boolean;
}

export const defaultApiConfiguration: ApiConfiguration = {
  corsOrigins: new Set(),
  trustedProxies: [],
  maximumBodyBytes: 5 * 1024 * 1024,
  requestRate: { perSecond: 300, burst: 600 },
  simultaneousSearches: 4,
  simultaneousEvaluations: 64,
  verifyResponses: false,
};

export interface ApiConfigurationReading {
  /** Present only if there are no problems. */
  readonly configuration: ApiConfiguration | undefined;
  readonly problems: readonly string[];
}

/**
 * Reads `CORS_ORIGINS`, `TRUSTED_PROXIES` (comma-separated lists), `RATE_LIMIT_PER_SECOND`, `RATE_LIMIT_BURST`,
 * `MAX_CONCURRENT_SEARCHES`, and `SIMULTANEOUS_EVALUATIONS`.
 */
export function readApiConfiguration(env: Readonly<Record<string, string | undefined>>): ApiConfigurationReading {
  const problems: string[] = [];
  const configuration: ApiConfiguration = {
    ...defaultApiConfiguration,
    corsOrigins: new Set(
      readList(env, 'CORS_ORIGINS', isOrigin, 'an origin such as https://console.example.org', problems),
    ),
    trustedProxies: readList(env, 'TRUSTED_PROXIES', isAddressRange, 'an IP address or CIDR range', problems),
    requestRate: {
      perSecond: readCount(env, 'RATE_LIMIT_PER_SECOND', defaultApiConfiguration.requestRate.perSecond, problems),
      burst: readCount(env, 'RATE_LIMIT_BURST', defaultApiConfiguration.requestRate.burst, problems),
    },
    simultaneousSearches: readCount(
      env,
      'MAX_CONCURRENT_SEARCHES',
      defaultApiConfiguration.simultaneousSearches,
      problems,
    ),
    simultaneousEvaluations: readCount(
      env,
      'SIMULTANEOUS_EVALUATIONS',
      defaultApiConfiguration.simultaneousEvaluations,
      problems,
    ),
  };
  return { configuration: problems.length === 0 ? configuration : undefined, problems };
}

function readList(
  env: Readonly<Record<string, string | undefined>>,
  variable: string,
  isValid: (word: string) => boolean,
  expected: string,
  problems: string[],
): string[] {
  const found = (env[variable] ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  for (const word of found.filter((candidate) => !isValid(candidate))) {
    problems.push(`${variable}: must be ${expected}, but is ${JSON.stringify(word)}`);
  }
  return found;
}

function readCount(
  env: Readonly<Record<string, string | undefined>>,
  variable: string,
  fallback: number,
  problems: string[],
): number {
  const text = env[variable];
  if (text === undefined || text === '') return fallback;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  problems.push(`${variable}: must be a whole number above 0, but is ${JSON.stringify(text)}`);
  return fallback;
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text;
}
