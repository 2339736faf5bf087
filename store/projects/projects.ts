/** Projects. The token determines who may see which; this file only stores their descriptions. */
import { firstRow, rows, type Database, type Queryable } from '../sql/database.js';
import { auditJson, insertEntry, type AuditDraft } from '../audit/entries.js';
import { beingDeleted, lockProject } from './lock.js';
import { testProjectOf } from './tests.js';
import { refused, type Refusal } from '../sql/refusal.js';
import { withdrawStartTimersOfProjects } from '../messages/start-timers.js';
import { withoutSchedule } from '../suspension/changes.js';

export interface Project {
  id: string;
  name: string;
  createdAt: Date;
  updatedAt: Date | null;
}

const columns = 'id, name, created_at AS "createdAt", updated_at AS "updatedAt"';

/** Every project with one of these ids, or every project, by name. */
export async function listProjects(database: Queryable, ids: readonly string[] | 'all'): Promise<Project[]> {
  const chosen = ids === 'all' ? "strpos(id, '~') = 0" : 'id = ANY($1::text[])';
  return rows<Project>(
    database,
    `SELECT ${columns} FROM projects WHERE ${chosen} AND deleted_at IS NULL ORDER BY name, id`,
    ids === 'all' ? [] : [ids],
  );
}

/** Undefined if no project has the id. `deleted`: it has been deleted, and a worker deletes its rows. */
export async function readProject(database: Queryable, id: string): Promise<Project | 'deleted' | undefined> {
  const found = await firstRow<Project & { isDeleted: boolean }>(
    database,
    `SELECT ${columns}, deleted_at IS NOT NULL AS "isDeleted" FROM projects WHERE id = $1`,
    [id],
  );
  if (!found) return undefined;
  const { isDeleted, ...project } = found;
  return isDeleted ? 'deleted' : project;
}

/** Undefined if no project has the id, or if it has been deleted. */
export async function findProject(database: Queryable, id: string): Promise<Project | undefined> {
  const found = await readProject(database, id);
  return found === 'deleted' ? undefined : found;
}

/** Ids of deleted projects that have rows left, with those of tests. */
export async function deletedProjectIDs(database: Queryable): Promise<string[]> {
  const deleted = await rows<{ id: string }>(database, 'SELECT id FROM projects WHERE deleted_at IS NOT NULL', []);
  return deleted.map(({ id }) => id);
}

/** Refused if the id is taken. */
export async function createProject(
  database: Queryable,
  id: string,
  name: string,
): Promise<Project | Refusal<'CONFLICT'>> {
  const project = await firstRow<Project>(
    database,
    `INSERT INTO projects (id, name) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING ${columns}`,
    [id, name],
  );
  if (project) return project;
  const existing = await readProject(database, id);
  return existing === 'deleted' ? beingDeleted(id) : refused('CONFLICT', `Project ${id} already exists`);
}

/** Creates the row of a project that tokens already refer to, with its entry; an existing one is not changed. */
export async function ensureProject(database: Queryable, id: string, audit?: AuditDraft): Promise<void> {
  await database.query(
    `WITH created AS (INSERT INTO projects (id, name) VALUES ($1, $1) ON CONFLICT DO NOTHING RETURNING id)
     ${insertEntry({ source: 'created', draft: '$2', projectID: 'id' })}`,
    [id, auditJson(audit)],
  );
}

/**
 * Deletes a project with its tests; refused while an instance is running. Only marks them, in one short transaction, from
 * which on nothing in them starts or is read: `deletion.ts` deletes the rows.
 */
export async function deleteProject(
  database: Database,
  id: string,
): Promise<{ kind: 'deleted'; name: string } | Refusal<'NOT_FOUND' | 'CONFLICT'>> {
  return database.transaction(async (transaction) => {
    if (!(await lockProject(transaction, id))) return refused('NOT_FOUND', `There is no project ${id}`);
    const both = [id, testProjectOf(id)];
    await lockProject(transaction, testProjectOf(id));
    // No definition can be started from here on, because a start locks the definition's row and reads the mark in it.
    await transaction.query('SELECT FROM definitions WHERE project_id = ANY ($1) ORDER BY id FOR NO KEY UPDATE', [
      both,
    ]);
    const running = await firstRow(
      transaction,
      "SELECT 1 FROM instances WHERE project_id = ANY ($1) AND status = 'RUNNING' LIMIT 1",
      [both],
    );
    if (running) return refused('CONFLICT', `Project ${id} has running instances. Cancel them first.`);
    for (const statement of marks) await transaction.query(statement, [both]);
    await withdrawStartTimersOfProjects(transaction, both);
    const marked = await firstRow<{ name: string }>(transaction, 'SELECT name FROM projects WHERE id = $1', [id]);
    return { kind: 'deleted', name: marked!.name };
  });
}

/** Ends all that begins something by itself: suspensions at a time, batches, deliveries, hooks, and the feed. */
const marks = [
  `UPDATE definitions SET deleted_at = now(), ${withoutSchedule} WHERE project_id = ANY ($1)`,
  // Without its lease, a runner begins no further item.
  "UPDATE batches SET lease = NULL, due_at = 'infinity' WHERE project_id = ANY ($1) AND completed_at IS NULL",
  'UPDATE event_subscriptions SET enabled = false, lease = NULL WHERE project_id = ANY ($1)',
  'DELETE FROM hooks WHERE project_id = ANY ($1)',
  'UPDATE projects SET deleted_at = now(), event_retention_ms = NULL WHERE id = ANY ($1)',
];
