/** Keepers see to something for as long as the worker runs: each is one loop that ends when it is told to. */
import { setTimeout as delay } from 'node:timers/promises';

export interface Keeper {
  /** Resolves when what was under way has been done or given up. */
  stop(): Promise<void>;
}

/** @param run the loop; it outlives its own failures and returns soon after `stopping` is aborted */
export function keep(run: (stopping: AbortSignal) => Promise<void>): Keeper {
  const stopping = new AbortController();
  const running = run(stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Ends early when `stopping` is aborted. */
export async function pause(milliseconds: number, stopping: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal: stopping }).catch(() => undefined);
}
