import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Authenticator } from './access/authenticator.js';
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
  readonly authenticator: Authenticator;
  readonly logger: Logger;
  readonly metrics: ApiMetrics;
  /** What `/ready` asks, in the order it names what is missing. */
  readonly readiness: readonly ReadinessCheck[];
  readonly build: BuildInformation;
}
