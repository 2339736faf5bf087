/** Writes a line of the log for each entry of the audit log, so that evidence leaves the database that admins can reach. */
import type { Logger } from 'pino';
import { logEntries } from '../../store/audit/to-log.js';
import { repeat, type Chore } from '../../background/chore.js';
import type { Database } from '../../store/sql/database.js';

/** Several processes can run it: each takes other entries. */
export function loggedChanges({ store, logger }: { store: Database; logger: Logger }): Chore {
  return {
    name: 'logged_changes',
    every: 1_000,
    run: (turn) =>
      repeat(turn, () => logEntries(store, (entry) => logger.info({ event: 'changed', ...entry }, 'changed'))),
  };
}
