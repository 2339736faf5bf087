/** Applies scheduled suspensions of definitions when they are due. Several processes can run it. */
import type { Logger } from 'pino';
import { errorMessage } from '@perdure/lib/error-message.js';
import { applyDueSuspension, takeDueSuspensions } from '../../store/suspension/scheduled.js';
import { firstTurn } from '../../store/turns/project-turns.js';
import { repeat, type Chore } from '../../background/chore.js';
import type { Database } from '../../store/sql/database.js';

export interface ScheduledSuspensions {
  store: Database;
  logger: Logger;
}

export function scheduledSuspensions(options: ScheduledSuspensions): Chore {
  const projects = firstTurn();
  return {
    name: 'scheduled_suspensions',
    every: 500,
    prompt: true,
    run: (turn) =>
      repeat(turn, async () => {
        const due = await takeDueSuspensions(options.store, projects);
        for (const definitionID of due) await apply(options, definitionID);
        return due.length > 0 || projects.after !== '';
      }),
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
