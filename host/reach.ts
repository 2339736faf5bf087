/** Waiting for what the host stands on: it comes up in its own time, and in any order. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { messageOf } from '../tracing/message-of.js';

export interface Patience {
  logger: Logger;
  /** Aborted when the host is told to stop. */
  stopping: AbortSignal;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Repeats `attempt` until it succeeds.
 * @param name what is to be reached, as the log calls it
 * @param isHopeless tells the errors that no waiting cures; they are thrown
 */
export async function reach<T>(
  name: string,
  attempt: () => Promise<T>,
  { logger, stopping }: Patience,
  isHopeless: (error: unknown) => boolean = () => false,
): Promise<T> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await attempt();
    } catch (error) {
      if (isHopeless(error)) throw error;
      logger.warn({ error: messageOf(error) }, `${name} cannot be reached; trying again in ${pause / 1000} s`);
      await delay(pause, undefined, { signal: stopping });
    }
  }
}
