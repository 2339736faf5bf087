/** Waits for the announcements of one channel. */

export interface ChannelWaitsOptions {
  /** Ticks of the listener between two looks of a waiter that nothing wakes (default: 1). */
  ticksPerLook?: number;
  /** How many waiters of a key look then (default: all). If they would compete for the same rows, each wakes the next. */
  wokenPerLook?: number;
}

/** A waiter; `woken` resolves once, with true if the announcement is complete. */
interface Waiter {
  keys: readonly string[];
  woken: Promise<boolean>;
  wake(saysAll: boolean): void;
}

interface Search<T> {
  keys: readonly string[];
  /** By `performance.now()`. */
  deadline: number;
  signal?: AbortSignal | undefined;
  look(): Promise<T | undefined>;
  /** Nothing can exist yet: polling starts with the first announcement. */
  isNew?: boolean;
  /** The result of a complete announcement. */
  announced?: T;
}

export class ChannelWaits {
  readonly #listener: { readonly isClosed: boolean };
  readonly #options: ChannelWaitsOptions;
  /** By key, in order of arrival. */
  readonly #waiters = new Map<string, Set<Waiter>>();
  #ticks = 0;

  /** @param listener nothing is waited for once it is closed */
  constructor(listener: { readonly isClosed: boolean }, options: ChannelWaitsOptions = {}) {
    this.#listener = listener;
    this.#options = options;
  }

  /** Number of waiters of a key. */
  count(key: string): number {
    return this.#waiters.get(key)?.size ?? 0;
  }

  /**
   * Calls `look` until it finds something: now, on every announcement of a key, and periodically.
   * @returns undefined if it has found nothing when the time is up, the signal is aborted, or the process ends
   */
  async lookUntil<T>({ keys, deadline, signal, look, isNew = false, announced }: Search<T>): Promise<T | undefined> {
    for (let isFirst = true; ; isFirst = false) {
      // Registered before the first look, so that nothing in between is missed.
      const waiter = this.#enlist(keys);
      try {
        const found = isFirst && isNew ? undefined : await look();
        const left = deadline - performance.now();
        if (found !== undefined || left <= 0 || this.#listener.isClosed || signal?.aborted) return found;
        const saysAll = await wokenWithin(waiter, left, signal);
        if (saysAll) return announced;
      } finally {
        this.#dismiss(waiter);
      }
    }
  }

  /** Wakes the first `count` waiters of the key. */
  wake(key: string, count = Infinity, saysAll = false): void {
    for (const waiter of [...(this.#waiters.get(key) ?? [])].slice(0, count)) {
      this.#dismiss(waiter);
      waiter.wake(saysAll);
    }
  }

  wakeAll(): void {
    for (const key of this.#waiters.keys()) this.wake(key);
  }

  /** Makes waiters look without an announcement. */
  tick(): void {
    const { ticksPerLook = 1, wokenPerLook = Infinity } = this.#options;
    this.#ticks += 1;
    if (this.#ticks % ticksPerLook > 0) return;
    for (const key of this.#waiters.keys()) this.wake(key, wokenPerLook);
  }

  #enlist(keys: readonly string[]): Waiter {
    let wake!: (saysAll: boolean) => void;
    const woken = new Promise<boolean>((resolve) => (wake = resolve));
    const waiter = { keys, woken, wake };
    for (const key of keys) {
      const waiters = this.#waiters.get(key);
      if (waiters) waiters.add(waiter);
      else this.#waiters.set(key, new Set([waiter]));
    }
    return waiter;
  }

  #dismiss(waiter: Waiter): void {
    for (const key of waiter.keys) {
      const waiters = this.#waiters.get(key);
      if (waiters?.delete(waiter) && waiters.size === 0) this.#waiters.delete(key);
    }
  }
}

async function wokenWithin(waiter: Waiter, milliseconds: number, signal: AbortSignal | undefined): Promise<boolean> {
  const giveUp = () => waiter.wake(false);
  const timer = setTimeout(giveUp, milliseconds);
  signal?.addEventListener('abort', giveUp, { once: true });
  const saysAll = await waiter.woken;
  clearTimeout(timer);
  signal?.removeEventListener('abort', giveUp);
  return saysAll;
}
