/** Deleted projects whose rows a worker would delete later. */
import type { PooledDatabase } from '../../store/connections/pooled-database.js';
import type { Database } from '../../store/sql/database.js';
import { deletePageOfProject, type PageOfProject } from '../../store/projects/deletion.js';
import { testProjectOf } from '../../store/projects/tests.js';
import { foldAll } from '../store/support/store.js';

/** As if the requests from before the deletion of the project had ended long ago. */
export async function settleDeletion(database: Database, projectID: string): Promise<void> {
  await database.query("UPDATE projects SET deleted_at = deleted_at - interval '1 hour' WHERE id = ANY ($1)", [
    [projectID, testProjectOf(projectID)],
  ]);
}

/** Deletes pages of the project until none is left. */
export async function deletePages(database: Database, projectID: string): Promise<PageOfProject> {
  for (;;) {
    const page = await deletePageOfProject(database, projectID);
    if (page !== 'more') return page;
  }
}

/** Deletes all rows of a deleted project and of its tests. */
export async function finishDeletion(database: PooledDatabase, projectID: string): Promise<void> {
  await settleDeletion(database, projectID);
  await foldAll({ database });
  await deletePages(database, testProjectOf(projectID));
  const last = await deletePages(database, projectID);
  if (last !== 'gone') throw new Error(`Rows of project ${projectID} cannot be deleted: ${last}`);
}
