/** Projects. The token determines who may see which; this file only stores their descriptions. */
import { firstRow, rows, type Database, type Queryable } from '../sql/database.js';
import { auditJson, insertEntry, type AuditDraft } from '../audit/entries.js';
import { testProjectOf } from './tests.js';
import { refused, type Refusal } from '../sql/refusal.js';
import { forgetInstances } from '../retention/forget.js';
import { lockFold } from '../statistics/fold-instances.js';
import { withdrawStartTimersOfProject } from '../messages/start-timers.js';

export interface Project {
  id: string;
  name: string;
  createdAt: Date;
  updatedAt: Date | null;
}

const columns = 'id, name, created_at AS "createdAt", updated_at AS "updatedAt"';

/** Every project with one of these ids, or every project, by name. */
export async function listProjects(database: Queryable, ids: readonly string[] | 'all'): Promise<Project[]> {
  if (ids === 'all')
    return rows<Project>(database, `SELECT ${columns} FROM projects WHERE strpos(id, '~') = 0 ORDER BY name, id`, []);
  return rows<Project>(database, `SELECT ${columns} FROM projects WHERE id = ANY($1::text[]) ORDER BY name, id`, [ids]);
}

export async function findProject(database: Queryable, id: string): Promise<Project | undefined> {
  return firstRow<Project>(database, `SELECT ${columns} FROM projects WHERE id = $1`, [id]);
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
  return project ?? refused('CONFLICT', `Project ${id} already exists`);
}

/** Creates the row of a project that tokens already refer to, with its entry; an existing one is not changed. */
export async function ensureProject(database: Queryable, id: string, audit?: AuditDraft): Promise<void> {
  await database.query(
    `WITH created AS (INSERT INTO projects (id, name) VALUES ($1, $1) ON CONFLICT DO NOTHING RETURNING id)
     ${insertEntry({ source: 'created', draft: '$2', projectID: 'id' })}`,
    [id, auditJson(audit)],
  );
}

/** Deletes a project with all its data; refused while an instance is running. */
export async function deleteProject(
  database: Database,
  id: string,
): Promise<{ kind: 'deleted'; name: string } | Refusal<'NOT_FOUND' | 'CONFLICT'>> {
  return database.transaction(async (transaction) => {
    // Before the rows that the fold of the statistics locks, so that neither waits for the other.
    await lockFold(transaction);
    const project = await firstRow<{ name: string }>(
      transaction,
      'SELECT name FROM projects WHERE id = $1 FOR UPDATE',
      [id],
    );
    if (!project) return refused('NOT_FOUND', `There is no project ${id}`);
    const both = [id, testProjectOf(id)];
    await transaction.query('SELECT id FROM resources WHERE project_id = ANY ($1) ORDER BY id FOR UPDATE', [both]);
    // No definition can be started from here on, because a start locks the definition's row.
    await transaction.query('SELECT id FROM definitions WHERE project_id = ANY ($1) ORDER BY id FOR UPDATE', [both]);
    const running = await firstRow(
      transaction,
      "SELECT 1 FROM instances WHERE project_id = ANY ($1) AND status = 'RUNNING' LIMIT 1",
      [both],
    );
    if (running) return refused('CONFLICT', `Project ${id} has running instances. Cancel them first.`);
    await withdrawStartTimersOfProject(transaction, id);
    // Tests first: they call definitions of the project.
    for (const one of both.toReversed()) for (const statement of deletions) await transaction.query(statement, [one]);
    return { kind: 'deleted', name: project.name };
  });
}

const ofItsInstances = 'workflow_id IN (SELECT workflow_id FROM instances WHERE project_id = $1)';

const deletions = [
  `DELETE FROM user_task_comments WHERE ${ofItsInstances}`,
  `DELETE FROM pause_waiters WHERE ${ofItsInstances}`,
  `DELETE FROM steps WHERE ${ofItsInstances}`,
  `DELETE FROM folded_instances WHERE ${ofItsInstances}`,
  `DELETE FROM target_dues WHERE ${ofItsInstances}`,
  `DELETE FROM commands WHERE ${ofItsInstances}`,
  `DELETE FROM instance_starts WHERE ${ofItsInstances}`,
  // The locks keep workflows of ended instances from storing values after the deletion.
  'SELECT count(*) FROM (SELECT FROM instances WHERE project_id = $1 FOR UPDATE) locked',
  `DELETE FROM stored_payloads WHERE ${ofItsInstances}`,
  ...[
    'subscriptions',
    'publications',
    'ended_publications',
    'events',
    'hook_deliveries',
    'start_subscriptions',
    'jobs',
    'job_workers',
    'user_tasks',
    'incidents',
    'target_misses',
    'business_id_holders',
    'concurrency_groups',
  ].map((table) => `DELETE FROM ${table} WHERE project_id = $1`),
  `WITH ${forgetInstances({ from: 'WHERE i.project_id = $1', workflows: 'delete' })} SELECT count(*) FROM removed`,
  ...['definitions', 'resources', 'idempotency_keys'].map((table) => `DELETE FROM ${table} WHERE project_id = $1`),
  'DELETE FROM projects WHERE id = $1',
];
