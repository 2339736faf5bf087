/** Carries out batches, a turn at a time. Several processes can run it; see `store/batches/turns.ts`. */
import type { Logger } from 'pino';
import type { BatchTurn } from '../../store/batches/items.js';
import { runTurn, takeTurns } from '../../store/batches/turns.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import { repeat, type Chore } from '../../background/chore.js';
import { firstTurn } from '../../store/turns/project-turns.js';
import type { Database } from '../../store/sql/database.js';

export interface BatchRunnerOptions {
  store: Database;
  logger: Logger;
}

/** Each turn takes up to five connections. */
const BATCHES_AT_ONCE = 2;

export function batchRunner({ store, logger }: BatchRunnerOptions): Chore {
  const projects = firstTurn();
  return {
    name: 'batches',
    every: 200,
    prompt: true,
    run: (turn) =>
      repeat(turn, async () => {
        const hasEarlier = projects.after !== '';
        const turns = await takeTurns(store, BATCHES_AT_ONCE, projects);
        await Promise.all(turns.map((one) => tryTurn(store, one, logger)));
        return turns.length > 0 || hasEarlier;
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
