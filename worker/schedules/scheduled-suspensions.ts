/** Applies scheduled suspensions of definitions when they are due. Several processes can run it. */
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { errorMessage } from '@perdure/lib/error-message.js';
import { applyDueSuspension, dueSuspensions } from '../../store/suspension/scheduled.js';
import { pause, startLoop, type BackgroundLoop } from '../background-loop.js';

export interface ScheduledSuspensions {
  store: Pool;
  logger: Logger;
}

const PAUSE_MS = 500;

/** Runs until it is stopped; survives failures of Postgres. */
export function startScheduledSuspensions(options: ScheduledSuspensions): BackgroundLoop {
  return startLoop(async (stopping) => {
    while (!stopping.aborted) {
      await applyAll(options);
      await pause(PAUSE_MS, stopping);
    }
  });
}

async function applyAll({ store, logger }: ScheduledSuspensions): Promise<void> {
  try {
    for (const definitionID of await dueSuspensions(store)) await apply({ store, logger }, definitionID);
  } catch (error) {
    logger.warn({ error: errorMessage(error) }, 'scheduled suspensions could not be read; retrying');
  }
}

/** One that fails does not stop the others. */
async function apply({ store, logger }: ScheduledSuspensions, definitionID: string): Promise<void> {
  try {
    if (await applyDueSuspension(store, definitionID)) logger.info({ definitionID }, 'scheduled suspension applied');
  } catch (error) {
    logger.warn({ definitionID, error: errorMessage(error) }, 'scheduled suspension failed; retrying');
  }
}
