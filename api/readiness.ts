import type { Pool } from 'pg';

/** One thing the host cannot work without. */
export interface ReadinessCheck {
  /** The name `/ready` shows when it is missing, for example `postgres`. */
  readonly name: string;
  /** Resolves with undefined when all is well, else with one sentence that says what is wrong. */
  check(): Promise<string | undefined>;
}

/** Ready when Postgres answers a statement. */
export function postgresReadiness(store: Pool): ReadinessCheck {
  return {
    name: 'postgres',
    async check() {
      try {
        await store.query('SELECT 1');
        return undefined;
      } catch {
        return 'Postgres does not answer.';
      }
    },
  };
}
