/**
 * Migrations of many instances: the request, and the outcome for each instance. The instances decide, each by its own
 * command.
 */
import type { Pool } from 'pg';
import type { Migration } from '@perdure/engine/contract/commands.js';
import { announce, outboxAnnouncement } from '../sql/announcements.js';
import { firstRow, inTransaction, rows, type Queryable } from '../sql/database.js';
import { listPage, Filter, type Page, type PageRequest } from '../sql/page.js';
import { storableText } from '../sql/text.js';

export interface InstanceMigration {
  migrationID: string;
  definitionID: string;
  createdBy: string;
  createdAt: Date;
  completedAt: Date | null;
  total: number;
  migrated: number;
  refused: number;
}

export interface MigratingInstance {
  workflowID: string;
  status: 'PENDING' | 'MIGRATED' | 'REFUSED';
  /** Why it was refused. */
  issues: string[] | null;
}

export interface MigrationRequest {
  projectID: string;
  /** The version to migrate from. */
  definitionID: string;
  plan: Migration;
  /** All running instances of the version if absent. */
  workflowIDs?: readonly string[] | undefined;
  createdBy: string;
  reason?: string | undefined;
}

/** Writes the request with its instances; the outbox relay starts its workflow. @returns its id */
export async function createMigration(pool: Pool, request: MigrationRequest): Promise<string> {
  const { projectID, definitionID, plan, workflowIDs, createdBy, reason } = request;
  const id = await inTransaction(pool, async (transaction) => {
    const created = await firstRow<{ id: string }>(
      transaction,
      'INSERT INTO instance_migrations (project_id, definition_id, plan, reason, created_by) VALUES ($1, $2, $3::json, $4, $5) RETURNING id',
      [projectID, definitionID, JSON.stringify(plan), reason === undefined ? null : storableText(reason), createdBy],
    );
    const chosen = workflowIDs ? named : running;
    await transaction.query(`INSERT INTO migrating_instances (migration_id, position, workflow_id) ${chosen}`, [
      created!.id,
      ...(workflowIDs ? [[...new Set(workflowIDs)]] : [projectID, definitionID]),
    ]);
    return created!.id;
  });
  announce(pool, [outboxAnnouncement]);
  return id;
}

const named =
  'SELECT $1, position, workflow_id FROM unnest($2::text[]) WITH ORDINALITY AS given(workflow_id, position)';

const running = `
  SELECT $1, row_number() OVER (ORDER BY number), workflow_id FROM instances
  WHERE project_id = $2 AND definition_id = $3 AND status = 'RUNNING'`;

export async function findMigration(
  database: Queryable,
  projectID: string,
  migrationID: string,
): Promise<InstanceMigration | undefined> {
  return firstRow<InstanceMigration>(
    database,
    `SELECT m.id AS "migrationID", m.definition_id AS "definitionID", m.created_by AS "createdBy", m.created_at AS "createdAt",
       m.completed_at AS "completedAt", count(i.position)::float8 AS total,
       count(*) FILTER (WHERE i.status = 'MIGRATED')::float8 AS migrated, count(*) FILTER (WHERE i.status = 'REFUSED')::float8 AS refused
     FROM instance_migrations m LEFT JOIN migrating_instances i ON i.migration_id = m.id
     WHERE m.project_id = $1 AND m.id = $2 GROUP BY m.id`,
    [projectID, migrationID],
  );
}

/** Its instances, in processing order. */
export async function listMigratingInstances(
  database: Queryable,
  migrationID: string,
  page: PageRequest,
): Promise<Page<MigratingInstance>> {
  const filter = new Filter().where('i.migration_id = ?', migrationID);
  return listPage<MigratingInstance>(
    database,
    {
      columns: 'i.workflow_id AS "workflowID", i.status, i.issues',
      table: 'migrating_instances i',
      filter,
      orderBy: 'i.position',
    },
    page,
  );
}

/**
 * Ids of migrations whose workflow must be started. A running workflow is listed again every minute, in case it was
 * closed from outside.
 */
export async function migrationsToStart(pool: Pool, limit: number): Promise<string[]> {
  const due = await rows<{ id: string }>(
    pool,
    `UPDATE instance_migrations SET deliver_at = now() + interval '1 minute' WHERE id IN (
       SELECT id FROM instance_migrations WHERE completed_at IS NULL AND deliver_at <= now() ORDER BY deliver_at LIMIT $1 FOR UPDATE SKIP LOCKED
     ) RETURNING id`,
    [limit],
  );
  return due.map(({ id }) => id);
}
