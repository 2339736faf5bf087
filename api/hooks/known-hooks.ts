/**
 * Caches hooks, and ids without a hook, for a few seconds. Other ids are read together: however many requests there are,
 * one statement runs at a time.
 */
import { BoundedCache } from '@perdure/lib/bounded-cache.js';
import type { Hook } from '../../store/hooks/hooks.js';

export interface KnownHook {
  readonly hook: Hook;
}

export interface KnownHooks {
  /** Undefined if there is no such hook. Rejects if the database cannot be reached, or with `TooManyUnknown`. */
  find(hookID: string): Promise<KnownHook | undefined>;
  forget(hookID: string): void;
}

export interface KnownHooksOptions {
  read(hookIDs: readonly string[]): Promise<Hook[]>;
  /** Milliseconds of a monotonic clock. */
  now(): number;
}

/** A change takes effect everywhere within this time. */
const REMEMBERED_MILLISECONDS = 5_000;
const MAX_CACHED_HOOKS = 1_000;
const MAX_CACHED_MISSES = 10_000;
const MAX_READ_AT_ONCE = 500;
/** Ids that may wait to be read. Requests for further ids are refused. */
const MAX_READS_AT_ONCE = 5_000;

/** Too many ids that are not cached wait to be read. */
export class TooManyUnknown extends Error {}

interface Remembered {
  readonly known: KnownHook | undefined;
  /** By the clock of the options. */
  readonly until: number;
}

interface Awaited {
  readonly found: Promise<KnownHook | undefined>;
  resolve(known: KnownHook | undefined): void;
  reject(error: unknown): void;
}

export function createKnownHooks({ read, now }: KnownHooksOptions): KnownHooks {
  const known = new BoundedCache<string, Remembered>({ entries: MAX_CACHED_HOOKS });
  const missed = new BoundedCache<string, Remembered>({ entries: MAX_CACHED_MISSES });
  const awaited = new Map<string, Awaited>();
  let isReading = false;

  async function readAwaited(): Promise<void> {
    if (isReading) return;
    isReading = true;
    while (awaited.size > 0) await readSome([...awaited.keys()].slice(0, MAX_READ_AT_ONCE));
    isReading = false;
  }

  async function readSome(hookIDs: readonly string[]): Promise<void> {
    const waiting = hookIDs.map((hookID) => ({ hookID, ...awaited.get(hookID)! }));
    // From here on, a request waits for the next statement: this one may not see what is committed during it.
    for (const hookID of hookIDs) awaited.delete(hookID);
    try {
      const found = new Map((await read(hookIDs)).map((hook) => [hook.hookID, hook]));
      const until = now() + REMEMBERED_MILLISECONDS;
      for (const { hookID, resolve } of waiting) {
        const hook = found.get(hookID);
        const one = hook && { hook };
        (one ? known : missed).set(hookID, { known: one, until });
        resolve(one);
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  return {
    async find(hookID) {
      const remembered = known.get(hookID) ?? missed.get(hookID);
      if (remembered && remembered.until > now()) return remembered.known;
      if (remembered) forget(hookID);
      let one = awaited.get(hookID);
      if (one === undefined) {
        if (awaited.size >= MAX_READS_AT_ONCE) throw new TooManyUnknown();
        one = newAwaited();
        awaited.set(hookID, one);
        void readAwaited();
      }
      return one.found;
    },
    forget,
  };

  function forget(hookID: string): void {
    known.delete(hookID);
    missed.delete(hookID);
  }
}

function newAwaited(): Awaited {
  let resolve!: Awaited['resolve'];
  let reject!: Awaited['reject'];
  const found = new Promise<KnownHook | undefined>((onFound, onError) => {
    resolve = onFound;
    reject = onError;
  });
  return { found, resolve, reject };
}
