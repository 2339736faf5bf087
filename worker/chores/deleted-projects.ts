/** Deletes the rows of deleted projects, a page of each in turn. Several processes can run it. */
import type { Logger } from 'pino';
import { deletePageOfProject, nextDeletedProject } from '../../store/projects/deletion.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import { repeat, type Chore, type RunResult, type Turn } from '../../background/chore.js';
import type { Database } from '../../store/sql/database.js';

export interface DeletedProjects {
  store: Database;
  logger: Logger;
}

export function deletedProjects(options: DeletedProjects): Chore {
  /** The project that had the last page. */
  const last = { id: '' };
  return { name: 'deleted_projects', every: 5_000, run: (turn) => deletePages(options, turn, last) };
}

/**
 * Walks over the projects until none has more to delete. One that fails is left out and reported at the end, because the
 * driver lets time pass after a failure.
 */
async function deletePages({ store, logger }: DeletedProjects, turn: Turn, last: { id: string }): Promise<RunResult> {
  const failures = new Map<string, unknown>();
  let hasMore = false;
  const result = await repeat(turn, async () => {
    const projectID = await nextDeletedProject(store, last.id);
    last.id = projectID ?? '';
    if (projectID === undefined) {
      const isAgain = hasMore;
      hasMore = false;
      return isAgain;
    }
    if (failures.has(projectID)) return true;
    try {
      const page = await deletePageOfProject(store, projectID);
      if (page === 'gone') logger.info({ projectID }, 'project deleted');
      hasMore ||= page === 'more';
    } catch (error) {
      logger.warn({ projectID, error: errorMessage(error) }, 'deleting rows of a project failed; retrying');
      failures.set(projectID, error);
    }
    return true;
  });
  if (result === 'done' && failures.size > 0) throw [...failures.values()][0];
  return result;
}
