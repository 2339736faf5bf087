/** Overwrites the values of redacted variables that their requests have left. Several processes can run it. */
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { errorMessage } from '@perdure/lib/error-message.js';
import { instancesToOverwrite, overwriteSome } from '../../store/redaction/overwrite.js';
import { pause, startLoop, type BackgroundLoop } from '../background-loop.js';

export interface Redactions {
  store: Pool;
  logger: Logger;
}

const PAUSE_MS = 1_000;

/** Runs until it is stopped; survives failures of Postgres. */
export function startRedactions(options: Redactions): BackgroundLoop {
  return startLoop(async (stopping) => {
    while (!stopping.aborted) {
      const moved = await overwriteAll(options, stopping);
      if (!moved) await pause(PAUSE_MS, stopping);
    }
  });
}

/** @returns whether anything was overwritten */
async function overwriteAll({ store, logger }: Redactions, stopping: AbortSignal): Promise<boolean> {
  let moved = false;
  try {
    for (const workflowID of await instancesToOverwrite(store)) {
      if (stopping.aborted) break;
      moved = (await overwriteOne({ store, logger }, workflowID)) || moved;
    }
  } catch (error) {
    logger.warn({ error: errorMessage(error) }, 'redacted instances could not be read; retrying');
  }
  return moved;
}

/** One that fails does not stop the others. */
async function overwriteOne({ store, logger }: Redactions, workflowID: string): Promise<boolean> {
  try {
    return await overwriteSome(store, workflowID);
  } catch (error) {
    logger.warn({ workflowID, error: errorMessage(error) }, 'overwriting redacted values failed; retrying');
    return false;
  }
}
