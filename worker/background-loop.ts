/** Background loops of the role `worker`: each runs until it is asked to stop. */
import { setTimeout as delay } from 'node:timers/promises';

export interface BackgroundLoop {
  /** Resolves when the work in progress has finished or been abandoned. */
  stop(): Promise<void>;
}

/** @param run the loop; handles its own failures and returns soon after `stopping` is aborted */
export function startLoop(run: (stopping: AbortSignal) => Promise<void>): BackgroundLoop {
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
