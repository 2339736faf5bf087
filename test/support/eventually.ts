/** How tests wait for what a host does in its own time. Assertions that are tried again use `vi.waitFor` instead. */
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

const TIMEOUT_MS = 60_000;
/** Grows by a fifth after each read: short waits end at once, and long ones leave the processor to the host. */
const FIRST_INTERVAL_MS = 10;
const MAX_INTERVAL_MS = 100;

/**
 * Reads until there is something, or until it is as expected.
 *
 * @param what is waited for, for the error
 * @throws Error after a minute, with what was read last
 */
export async function eventually<T>(what: string, read: () => T | Promise<T>): Promise<NonNullable<Awaited<T>>>;
export async function eventually<T>(read: () => T | Promise<T>, isExpected: (value: T) => boolean): Promise<T>;
export async function eventually<T>(
  ...given: [what: string, read: () => Promise<T>] | [read: () => Promise<T>, isExpected: (value: T) => boolean]
): Promise<T> {
  const [what, read, isExpected] =
    typeof given[0] === 'string'
      ? [given[0], given[1] as () => Promise<T>, isThere]
      : [String(given[1]), given[0], given[1] as (value: T) => boolean];
  const deadline = performance.now() + TIMEOUT_MS;
  for (let interval = FIRST_INTERVAL_MS; ; interval = Math.min(interval * 1.2, MAX_INTERVAL_MS)) {
    const value = await read();
    if (isExpected(value)) return value;
    if (performance.now() > deadline) throw new Error(`Waited a minute for ${what}; last read: ${inspect(value)}`);
    await delay(interval);
  }
}

function isThere(value: unknown): boolean {
  return value !== undefined;
}
