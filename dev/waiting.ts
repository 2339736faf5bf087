import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from './processes/child.js';
import { lastLogLine } from './processes/child.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import { Failure } from '@perdure/lib/failure.js';

const pauseMilliseconds = 50;

export interface Expectation {
  /** Its name in a sentence, for example "Postgres". */
  name: string;
  child: Child;
  logFile: string;
  /** Throws while it is not ready. */
  probe: () => Promise<void>;
  withinMilliseconds: number;
}

/** Waits until a part is ready. If it cannot become ready, stops it, and the failure has the reason in one sentence. */
export async function untilReady(expectation: Expectation): Promise<void> {
  const { name, child, logFile, probe, withinMilliseconds } = expectation;
  let hasEnded = false;
  void child.ended.then(() => (hasEnded = true));
  const deadline = Date.now() + withinMilliseconds;
  for (;;) {
    if (hasEnded) throw new Failure(`${name} ended instead of starting: ${lastLogLine(logFile)} (log: ${logFile})`);
    try {
      return await probe();
    } catch (error) {
      if (Date.now() < deadline) await sleep(pauseMilliseconds);
      else {
        await child.stop();
        throw new Failure(
          `${name} was not ready within ${withinMilliseconds / 1_000} s: ${errorMessage(error)} (log: ${logFile})`,
        );
      }
    }
  }
}
