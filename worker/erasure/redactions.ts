/** Overwrites the values of redacted variables that their requests have left. Several processes can run it. */
import type { Logger } from 'pino';
import { errorMessage } from '@perdure/lib/error-message.js';
import { instancesToOverwrite, overwriteSome, postponeOverwrite } from '../../store/redaction/overwrite.js';
import { repeat, type Chore } from '../../background/chore.js';
import type { Database } from '../../store/sql/database.js';

export interface Redactions {
  store: Database;
  logger: Logger;
}

export function redactions(options: Redactions): Chore {
  return {
    name: 'redactions',
    every: 1_000,
    prompt: true,
    run: (turn) => repeat(turn, () => overwriteAll(options, turn.stopping)),
  };
}

/** @returns whether anything was overwritten */
async function overwriteAll({ store, logger }: Redactions, stopping: AbortSignal): Promise<boolean> {
  let moved = false;
  for (const workflowID of await instancesToOverwrite(store)) {
    if (stopping.aborted) break;
    moved = (await overwriteOne({ store, logger }, workflowID)) || moved;
  }
  return moved;
}

/** One that fails does not stop the others. */
async function overwriteOne({ store, logger }: Redactions, workflowID: string): Promise<boolean> {
  try {
    return await overwriteSome(store, workflowID);
  } catch (error) {
    logger.warn({ workflowID, error: errorMessage(error) }, 'overwriting redacted values failed; retrying in a minute');
    await postponeOverwrite(store, workflowID);
    return false;
  }
}
