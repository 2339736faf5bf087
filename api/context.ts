import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Notifications } from '../store/notifications.js';
import type { Tracer } from '../tracing/tracer.js';
import type { InstanceStarter } from '../workflows/messages.js';
import type { Authenticator } from './access/authenticator.js';
import type { Memberships } from './membership/memberships.js';
import type { ApiMetrics } from './metrics.js';
import type { ReadinessCheck } from './readiness.js';

/** Which build is running; `npm run build` writes it, a checkout that was not built has only the version. */
export interface BuildInformation {
  readonly version: string;
  readonly buildTime: string | undefined;
  readonly commit: string | undefined;
}

/**
 * What operations stand on. It is built once per process and handed to every handler, so a test can run the whole
 * API on the store of its choice. Other parts of the API extend it by adding a member here.
 */
export interface ApiContext {
  readonly store: Pool;
  /** Wakes requests that wait for an outcome or for a job. */
  readonly notifications: Notifications;
  /** Hands what is written to Temporal. */
  readonly instances: InstanceStarter;
  readonly authenticator: Authenticator;
  /** Who belongs to which project, as the identity providers know it. */
  readonly memberships: Memberships;
  readonly logger: Logger;
  readonly metrics: ApiMetrics;
  readonly tracer: Tracer;
  /** What `/ready` asks, in the order it names what is missing. */
  readonly readiness: readonly ReadinessCheck[];
  readonly build: BuildInformation;
}
