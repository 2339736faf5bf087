/** Lets descendants follow canceled, suspended, and migrated instances, a page of each project in turn. Several processes can run it. */
import type { Logger } from 'pino';
import { errorMessage } from '@perdure/lib/error-message.js';
import { followNextParents, projectsToFollow } from '../../store/descendants/follow-parents.js';
import { firstTurn, type ProjectTurn } from '../../store/turns/project-turns.js';
import { repeat, type Chore } from '../../background/chore.js';
import type { Database } from '../../store/sql/database.js';

export interface Descendants {
  store: Database;
  logger: Logger;
}

export function descendants(options: Descendants): Chore {
  const projects = firstTurn();
  return {
    name: 'descendants',
    every: 1_000,
    prompt: true,
    run: (turn) => repeat(turn, () => followInNextProjects(options, projects)),
  };
}

/**
 * A failure in one project must not block the others. It is thrown if they have nothing left, because the driver lets time
 * pass after it.
 * @returns whether there may be more
 */
async function followInNextProjects({ store, logger }: Descendants, projects: ProjectTurn): Promise<boolean> {
  const failures: unknown[] = [];
  let hasMore = false;
  for (const projectID of await projectsToFollow(store, projects)) {
    try {
      if (await followNextParents(store, projectID)) hasMore = true;
    } catch (error) {
      logger.warn({ projectID, error: errorMessage(error) }, 'marking descendants failed; retrying');
      failures.push(error);
    }
  }
  if (hasMore || projects.after !== '') return true;
  if (failures.length > 0) throw failures[0];
  return false;
}
