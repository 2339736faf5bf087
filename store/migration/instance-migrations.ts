/**
 * Migrations of many instances that were requested before they became batches. They are finished by their workflows, and
 * read until their retention ends.
 */
import type { Pool } from 'pg';
import { firstRow, rows, type Queryable } from '../sql/database.js';
import { listPage, Filter, type Page, type PageRequest } from '../sql/page.js';

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
