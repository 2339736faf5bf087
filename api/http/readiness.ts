import { withDeadline } from './failures.js';
import { isProblem } from '../contract/problem.js';
import type { Database } from '../../store/sql/database.js';
import type { ReadinessCheck } from '../contract/readiness.js';

const maxCheckSeconds = 3;

/**
 * The failure that a check reports, including an exception or a timeout of the check itself; undefined when the
 * dependency works.
 */
async function findMissing(check: ReadinessCheck): Promise<{ name: string; message: string } | undefined> {
  try {
    const result = await withDeadline(check.check(), maxCheckSeconds);
    if (result === undefined) return undefined;
    return { name: check.name, message: isProblem(result) ? `No response within ${maxCheckSeconds} s` : result };
  } catch {
    return { name: check.name, message: 'The readiness check failed. The log of the host has the cause.' };
  }
}

/** Ready when Postgres answers a statement. */
export function postgresReadiness(store: Database): ReadinessCheck {
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

/** How long `/ready` of the API repeats what it found, for all callers together. */
const REPEATED_MILLISECONDS = 1_000;

interface Finding {
  readonly at: number;
  readonly missing: Promise<{ name: string; message: string }[]>;
}

const findings = new WeakMap<readonly ReadinessCheck[], Finding>();

/**
 * The missing dependencies, without the details that only operators need to know. Postgres, Temporal, and the issuers are asked
 * at most once per second, however many callers there are.
 * @param now milliseconds of a monotonic clock
 */
export async function findMissingForCallers(
  checks: readonly ReadinessCheck[],
  now: number = performance.now(),
): Promise<{ name: string; message: string }[]> {
  let finding = findings.get(checks);
  if (finding === undefined || now - finding.at >= REPEATED_MILLISECONDS) {
    finding = { at: now, missing: findAllMissing(checks.filter(({ isImmediate = false }) => !isImmediate)) };
    findings.set(checks, finding);
  }
  const immediate = await findAllMissing(checks.filter(({ isImmediate = false }) => isImmediate));
  const found = [...immediate, ...(await finding.missing)];
  const publicMessages = new Map(checks.map(({ name, publicMessage }) => [name, publicMessage]));
  return found.map(({ name, message }) => ({ name, message: publicMessages.get(name) ?? message }));
}
