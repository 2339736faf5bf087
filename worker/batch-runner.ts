/** Carries out batches, a turn at a time. Several processes can run it; see `store/batches/turns.ts`. */
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { BatchTurn } from '../store/batches/items.js';
import { runTurn, takeTurns } from '../store/batches/turns.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import { pause, startLoop, type BackgroundLoop } from './background-loop.js';

export interface BatchRunnerOptions {
  store: Pool;
  logger: Logger;
}

/** Each turn takes up to five connections. */
const BATCHES_AT_ONCE = 2;
const PAUSE_MS = 20;
const PAUSE_WITHOUT_WORK_MS = 200;
const PAUSE_AFTER_FAILURE_MS = 1_000;

/** Runs until it is stopped; survives failures of Postgres. */
export function startBatchRunner(options: BatchRunnerOptions): BackgroundLoop {
  return startLoop((stopping) => run(options, stopping));
}

async function run({ store, logger }: BatchRunnerOptions, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    try {
      const turns = await takeTurns(store, BATCHES_AT_ONCE);
      await Promise.all(turns.map((turn) => tryTurn(store, turn, logger)));
      await pause(turns.length > 0 ? PAUSE_MS : PAUSE_WITHOUT_WORK_MS, stopping);
    } catch (error) {
      logger.warn({ error: errorMessage(error) }, 'taking turns of batches failed; retrying');
      await pause(PAUSE_AFTER_FAILURE_MS, stopping);
    }
  }
}

/** A failing batch does not stop the others. */
async function tryTurn(store: Pool, turn: BatchTurn, logger: Logger): Promise<void> {
  try {
    await runTurn(store, turn);
  } catch (error) {
    logger.warn({ batchID: turn.batchID, error: errorMessage(error) }, 'turn of a batch failed; retrying');
  }
}
