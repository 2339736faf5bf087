/** Waits for dependencies of the host, which can start at any time and in any order. */
import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../error-message.js';

export interface RetryOptions {
  logger: { warn(fields: object, message: string): void };
  /** Aborted when the host is asked to stop. */
  stopping: AbortSignal;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 5_000;

/**
 * Repeats `attempt` until it succeeds.
 * @param name name of the dependency in the log
 * @param isHopeless whether an error is permanent; such errors are thrown
 */
export async function connectWithRetry<T>(
  name: string,
  attempt: () => Promise<T>,
  { logger, stopping }: RetryOptions,
  isHopeless: (error: unknown) => boolean = () => false,
): Promise<T> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    try {
      return await attempt();
    } catch (error) {
      if (isHopeless(error)) throw error;
      logger.warn({ error: errorMessage(error) }, `cannot reach ${name}; retrying in ${pause / 1000} s`);
      await delay(pause, undefined, { signal: stopping });
    }
  }
}
