import type { Pool } from 'pg';
import { withDeadline } from './doors/failures.js';
import { isProblem } from './problem.js';

/** One thing the host cannot work without. */
export interface ReadinessCheck {
  /** The name `/ready` shows when it is missing, for example `postgres`. */
  readonly name: string;
  /** Resolves with undefined when all is well, else with one sentence that says what is wrong. */
  check(): Promise<string | undefined>;
}

const longestCheckSeconds = 3;

/** What a check says is wrong, also when it fails or hangs itself; undefined when all is well. */
async function findMissing(check: ReadinessCheck): Promise<{ name: string; message: string } | undefined> {
  try {
    const result = await withDeadline(check.check(), longestCheckSeconds);
    if (result === undefined) return undefined;
    return { name: check.name, message: isProblem(result) ? `No answer within ${longestCheckSeconds} seconds.` : result };
  } catch {
    return { name: check.name, message: 'The check itself failed; the log of the host tells why.' };
  }
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

/** Everything that is missing, asked at the same time. */
export async function findAllMissing(checks: readonly ReadinessCheck[]): Promise<{ name: string; message: string }[]> {
  const found = await Promise.all(checks.map(findMissing));
  return found.filter((missing) => missing !== undefined);
}
