/** Carries out batches, a turn at a time. Several processes can run it; see `store/batches/turns.ts`. */
import type { Logger } from 'pino';
import type { BatchTurn } from '../../store/batches/items.js';
import { runTurn, takeTurns } from '../../store/batches/turns.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import { repeat, type Chore } from '../../background/chore.js';
import type { Database } from '../../store/sql/database.js';

export interface BatchRunnerOptions {
  store: Database;
  logger: Logger;
}

/** Each turn takes up to five connections. */
const BATCHES_AT_ONCE = 2;

export function batchRunner({ store, logger }: BatchRunnerOptions): Chore {
  return {
    name: 'batches',
    every: 200,
    prompt: true,
    run: (turn) =>
      repeat(turn, async () => {
        const turns = await takeTurns(store, BATCHES_AT_ONCE);
        await Promise.all(turns.map((one) => tryTurn(store, one, logger)));
        return turns.length > 0;
      }),
  };
}

/** A failing batch does not stop the others. */
async function tryTurn(store: Database, turn: BatchTurn, logger: Logger): Promise<void> {
  try {
    await runTurn(store, turn);
  } catch (error) {
    logger.warn({ batchID: turn.batchID, error: errorMessage(error) }, 'turn of a batch failed; retrying');
  }
}
