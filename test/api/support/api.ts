/** The API under test: the real application with real token validation, called without a port. */
import type { Hono } from 'hono';
import { DecisionModels } from '../../../api/operations/dmn/shared/models.js';
import { DeletedProjects } from '../../../api/access/deleted-projects.js';
import { deletedProjectIDs } from '../../../store/projects/projects.js';
import { RecentStatistics } from '../../../api/operations/statistics/shared/recent.js';
import { FairTurns } from '@perdure/lib/fair-turns.js';
import { openDatabase } from '../../support/database.js';
import { createAuthenticator } from '../../../api/access/authenticator.js';
import { readAccessConfiguration } from '../../../api/access/settings/configuration.js';
import type { Environment } from '@perdure/configuration/variable.js';
import { defaultKeySetTimes } from '../../../api/access/keys/key-set.js';
import type { KeySetTimes } from '../../../api/access/keys/key-set.js';
import { createApp } from '../../../api/app.js';
import { defaultApiConfiguration } from '../../../api/configuration.js';
import type { ApiConfiguration } from '../../../api/configuration.js';
import type { ApiContext } from '../../../api/context.js';
import { createLogger } from '../../../telemetry/logger.js';
import { createEgress } from '../../../outbound/egress/egress.js';
import { createSecrets } from '../../../outbound/secrets/secrets.js';
import { createMemberships } from '../../../api/membership/memberships.js';
import { createMetrics } from '../../../telemetry/metrics.js';
import type { Operation } from '../../../api/commands/operation.js';
import type { ReadinessCheck } from '../../../api/contract/readiness.js';
import { Notifications } from '../../../store/notifications.js';
import { noTracer } from '../../../telemetry/tracer.js';
import { startIssuer } from './issuer.js';
import type { TestIssuer } from './issuer.js';
import type { PooledDatabase } from '../../../store/connections/pooled-database.js';

export interface TestApiOptions {
  /** Operations to serve instead of the product's. */
  readonly operations?: readonly Operation[];
  readonly configuration?: Partial<ApiConfiguration>;
  /** The database of the test; without it, one that refuses every connection. */
  readonly store?: PooledDatabase;
  readonly readiness?: readonly ReadinessCheck[];
  /** More `OIDC_...` variables. */
  readonly env?: Environment;
  readonly keySetTimes?: Partial<KeySetTimes>;
  /** Of the tokens (default: ES256). */
  readonly algorithm?: string;
  /** Parts that a test needs in addition to the members of every context. */
  readonly context?: Partial<ApiContext>;
}

export interface TestApi {
  readonly app: Hono;
  readonly context: ApiContext;
  readonly issuer: TestIssuer;
  /** Every log line so far, parsed. */
  logs(): readonly Record<string, unknown>[];
  /** Sends a request; `token` goes into the Authorization header, `json` becomes the body. */
  request(method: string, path: string, options?: RequestOptions): Promise<Response>;
  close(): Promise<void>;
}

export interface RequestOptions {
  readonly token?: string;
  readonly headers?: Record<string, string>;
  readonly json?: unknown;
  readonly body?: string | Uint8Array<ArrayBuffer> | FormData;
}

export async function startTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const issuer = await startIssuer(options.algorithm);
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger('debug', { write: (line) => void lines.push(JSON.parse(line)) });
  const { configuration: access, problems } = readAccessConfiguration({ OIDC_ISSUER: issuer.url, ...options.env });
  if (access === undefined) throw new Error(problems.join('\n'));
  const authenticator = createAuthenticator(access, logger, { ...defaultKeySetTimes, ...options.keySetTimes });
  const store = options.store ?? openDatabase('postgres://nobody@127.0.0.1:1/none');
  const own = options.context?.notifications
    ? undefined
    : await Notifications.open(store, 'postgres://nobody@127.0.0.1:1/none');
  const notifications = (options.context?.notifications ?? own)!;
  const context: ApiContext = {
    store,
    storeOf: (caller) => store.of(caller),
    deletedProjects: new DeletedProjects({
      read: () => (options.store ? deletedProjectIDs(store) : Promise.resolve([])),
    }),
    statistics: new RecentStatistics(store),
    decisionModels: new DecisionModels(),
    notifications,
    // Without a worker nothing would answer; a test that runs instances brings its own.
    instances: { start: async () => undefined, deliver: async () => undefined },
    lingers: undefined,
    authenticator,
    memberships: createMemberships(access.issuers),
    secrets: createSecrets(undefined),
    egress: createEgress([]),
    auditRetentionMinimum: 90 * 86_400_000,
    corsOrigins: options.configuration?.corsOrigins ?? new Set(),
    turns: new FairTurns(),
    logger,
    metrics: createMetrics(),
    tracer: noTracer,
    readiness: options.readiness ?? [authenticator.readiness],
    build: { version: '0.0.0-test', buildTime: undefined, commit: undefined },
    ...options.context,
  };
  const app = createApp(
    context,
    { ...defaultApiConfiguration, verifyResponses: true, ...options.configuration },
    options.operations,
  );
  return {
    app,
    context,
    issuer,
    logs: () => lines,
    request: async (method, path, request = {}) => app.request(path, toRequestInit(method, request)),
    async close() {
      await own?.close();
      if (options.store === undefined) await store.end();
      await issuer.close();
    },
  };
}

function toRequestInit(method: string, { token, headers = {}, json, body }: RequestOptions): RequestInit {
  const all: Record<string, string> = { ...headers };
  if (token !== undefined) all['Authorization'] = `Bearer ${token}`;
  if (json !== undefined) all['Content-Type'] ??= 'application/json';
  const sent = json === undefined ? body : JSON.stringify(json);
  return sent === undefined ? { method, headers: all } : { method, headers: all, body: sent };
}
