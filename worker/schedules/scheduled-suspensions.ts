/** Applies scheduled suspensions of definitions when they are due. Several processes can run it. */
import type { Logger } from 'pino';
import { errorMessage } from '@perdure/lib/error-message.js';
import { applyDueSuspension, dueSuspensions } from '../../store/suspension/scheduled.js';
import type { Chore } from '../../background/chore.js';
import type { Database } from '../../store/sql/database.js';

export interface ScheduledSuspensions {
  store: Database;
  logger: Logger;
}

export function scheduledSuspensions(options: ScheduledSuspensions): Chore {
  return {
    name: 'scheduled_suspensions',
    every: 500,
    prompt: true,
    async run() {
      for (const definitionID of await dueSuspensions(options.store)) await apply(options, definitionID);
      return 'done';
    },
  };
}

/** One that fails does not stop the others. */
async function apply({ store, logger }: ScheduledSuspensions, definitionID: string): Promise<void> {
  try {
    if (await applyDueSuspension(store, definitionID)) logger.info({ definitionID }, 'scheduled suspension applied');
  } catch (error) {
    logger.warn({ definitionID, error: errorMessage(error) }, 'scheduled suspension failed; retrying');
  }
}
