/** Carries out batches, a turn at a time. Several processes can run it; see `store/batches/turns.ts`. */
import type { Logger } from 'pino';
import type { BatchTurn } from '../../store/batches/items.js';
import { runTurn, takeTurns } from '../../store/batches/turns.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import { pause, repeat, type Chore } from '../../background/chore.js';
import { firstTurn } from '../../store/turns/project-turns.js';
import type { Database } from '../../store/sql/database.js';

export interface BatchRunnerOptions {
  store: Database;
  logger: Logger;
}

/** Each turn takes up to five connections. */
const BATCHES_AT_ONCE = 2;
const EVERY_MS = 200;

export function batchRunner({ store, logger }: BatchRunnerOptions): Chore {
  const projects = firstTurn();
  /** A slow one keeps its place, and no other batch from its turn. */
  const turns = new Set<Promise<void>>();
  const begin = (turn: BatchTurn) => {
    const ended = tryTurn(store, turn, logger).then(() => void turns.delete(ended));
    turns.add(ended);
  };
  return {
    name: 'batches',
    every: EVERY_MS,
    prompt: true,
    run: (turn) =>
      repeat(turn, async () => {
        const hasEarlier = projects.after !== '';
        const room = BATCHES_AT_ONCE - turns.size;
        if (room > 0) (await takeTurns(store, room, projects)).forEach(begin);
        if (turns.size === 0) return hasEarlier;
        await Promise.race([...turns, pause(EVERY_MS, turn.stopping)]);
        return true;
      }),
    finish: async () => void (await Promise.all(turns)),
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
