import type { Pool } from 'pg';
import { withDeadline } from './failures.js';
import { isProblem } from '../contract/problem.js';

/** A dependency without which the host cannot work. */
export interface ReadinessCheck {
  /** The name that `/ready` reports when the dependency is missing, for example `postgres`. */
  readonly name: string;
  /** Resolves with undefined when the dependency works, otherwise with one sentence about the failure. */
  check(): Promise<string | undefined>;
}

const longestCheckSeconds = 3;

/**
 * The failure that a check reports, including an exception or a timeout of the check itself; undefined when the
 * dependency works.
 */
async function findMissing(check: ReadinessCheck): Promise<{ name: string; message: string } | undefined> {
  try {
    const result = await withDeadline(check.check(), longestCheckSeconds);
    if (result === undefined) return undefined;
    return { name: check.name, message: isProblem(result) ? `No response within ${longestCheckSeconds} s` : result };
  } catch {
    return { name: check.name, message: 'The readiness check failed. The log of the host has the cause.' };
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
        return 'Postgres does not respond';
      }
    },
  };
}

/** Runs all checks concurrently and returns the dependencies that are missing. */
export async function findAllMissing(checks: readonly ReadinessCheck[]): Promise<{ name: string; message: string }[]> {
  const found = await Promise.all(checks.map(findMissing));
  return found.filter((missing) => missing !== undefined);
}
