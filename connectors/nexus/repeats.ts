/** How long Temporal may repeat a request whose answer it did not get. */
import type { StartOperationContext } from 'nexus-rpc';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Of an operation without a timeout, which Temporal repeats until a handler lives again. */
const WITHOUT_TIMEOUT_MS = 365 * DAY_MS;
const MAX_MS = 10 * WITHOUT_TIMEOUT_MS;

const unitMilliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Temporal sends what is left of the time that the caller gives the operation. */
export function repeatedUntil({ headers }: Pick<StartOperationContext, 'headers'>, now: number): Date {
  const [, amount, unit] = /^(\d{1,15}(?:\.\d{1,9})?)(ms|s|m|h)$/.exec(headers['operation-timeout'] ?? '') ?? [];
  const milliseconds = amount === undefined ? WITHOUT_TIMEOUT_MS : Number(amount) * unitMilliseconds[unit!]!;
  return new Date(now + Math.min(milliseconds, MAX_MS));
}
