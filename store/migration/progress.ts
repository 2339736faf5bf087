/**
 * Processing a migration of many instances. Everything here may run twice, also concurrently: the rows record what has
 * been done.
 */
import type { Pool, PoolClient } from 'pg';
import type { Migration } from '@perdure/engine/contract/commands.js';
import { announce, outboxAnnouncement } from '../sql/announcements.js';
import { insertInternalCommand } from '../instances/commands.js';
import { firstRow, inTransaction, rows } from '../sql/database.js';
import { isPermanent, refusalReason } from '../sql/permanence.js';

/** Maximum number of instances with an open command, because they share the workflow worker with all others. */
const MAX_ASKED_AT_ONCE = 50;
/** An instance that has not answered for this long no longer keeps others from being asked. */
const SLOW_AFTER_SECONDS = 60;
const TRANSACTIONS_AT_ONCE = 5;

/**
 * Records the answers that have arrived and sends commands to the next instances.
 * @returns `moved`: whether anything was done; `completed`: whether nothing is left to do
 */
export async function advanceMigration(
  pool: Pool,
  migrationID: string,
): Promise<{ moved: boolean; completed: boolean }> {
  const answers = await takeAnswers(pool, migrationID);
  const asked = await askNext(pool, migrationID);
  if (answers + asked > 0) return { moved: true, completed: false };
  return { moved: false, completed: await complete(pool, migrationID) };
}

/** A missing command was deleted with its instance. */
async function takeAnswers(pool: Pool, migrationID: string): Promise<number> {
  const { rowCount } = await pool.query(
    `UPDATE migrating_instances m SET status = CASE WHEN c.status = 'APPLIED' THEN 'MIGRATED' ELSE 'REFUSED' END,
       issues = CASE WHEN c.status IS DISTINCT FROM 'APPLIED' THEN coalesce(c.issues, json_build_array(coalesce(c.message, 'The instance is gone'))) END
     FROM migrating_instances a LEFT JOIN commands c ON c.workflow_id = a.workflow_id AND c.number = a.command_number
     WHERE a.migration_id = $1 AND a.status = 'PENDING' AND a.command_number IS NOT NULL AND c.status IS DISTINCT FROM 'PENDING'
       AND m.migration_id = a.migration_id AND m.position = a.position AND m.status = 'PENDING'`,
    [migrationID],
  );
  return rowCount ?? 0;
}

interface Waiting {
  projectID: string;
  definitionID: string;
  plan: Migration;
  reason: string | null;
  createdBy: string;
  positions: number[];
}

async function askNext(pool: Pool, migrationID: string): Promise<number> {
  const waiting = await firstRow<Waiting>(
    pool,
    `WITH busy AS (
       SELECT count(*)::integer AS instances FROM migrating_instances
       WHERE migration_id = $1 AND status = 'PENDING' AND command_number IS NOT NULL AND asked_at > now() - interval '${SLOW_AFTER_SECONDS} seconds'
     )
     SELECT project_id AS "projectID", definition_id AS "definitionID", plan, reason, created_by AS "createdBy", ARRAY(
       SELECT position FROM migrating_instances WHERE migration_id = $1 AND status = 'PENDING' AND command_number IS NULL
       ORDER BY position LIMIT greatest(0, ${MAX_ASKED_AT_ONCE} - (SELECT instances FROM busy))
     ) AS positions FROM instance_migrations WHERE id = $1`,
    [migrationID],
  );
  if (!waiting || waiting.positions.length === 0) return 0;
  const { positions } = waiting;
  for (let first = 0; first < positions.length; first += TRANSACTIONS_AT_ONCE) {
    await Promise.all(
      positions
        .slice(first, first + TRANSACTIONS_AT_ONCE)
        .map((position) => tryAsk(pool, migrationID, position, waiting)),
    );
  }
  announce(pool, [outboxAnnouncement]);
  return positions.length;
}

/** An instance whose command the database refuses for good is refused, and does not stop the others. */
async function tryAsk(pool: Pool, migrationID: string, position: number, waiting: Waiting): Promise<void> {
  try {
    await inTransaction(pool, (transaction) => ask(transaction, migrationID, position, waiting));
  } catch (error) {
    if (!isPermanent(error)) throw error;
    await pool.query(
      `UPDATE migrating_instances SET status = 'REFUSED', issues = json_build_array($3::text)
       WHERE migration_id = $1 AND position = $2 AND status = 'PENDING' AND command_number IS NULL`,
      [migrationID, position, `The database cannot store the migration: ${refusalReason(error)}`],
    );
  }
}

async function ask(
  transaction: PoolClient,
  migrationID: string,
  position: number,
  { projectID, definitionID, plan, reason, createdBy }: Waiting,
): Promise<void> {
  const [row] = await rows<{ workflowID: string }>(
    transaction,
    `SELECT workflow_id AS "workflowID" FROM migrating_instances
     WHERE migration_id = $1 AND position = $2 AND status = 'PENDING' AND command_number IS NULL FOR UPDATE SKIP LOCKED`,
    [migrationID, position],
  );
  if (!row) return;
  const { workflowID } = row;
  const instance = await firstRow<{ definitionID: string; status: string; canceling: boolean; commandCount: number }>(
    transaction,
    `SELECT definition_id AS "definitionID", status, canceling, command_count AS "commandCount"
     FROM instances WHERE workflow_id = $1 AND project_id = $2 FOR UPDATE`,
    [workflowID, projectID],
  );
  const decide = (status: 'MIGRATED' | 'REFUSED', issue?: string) =>
    transaction.query(
      'UPDATE migrating_instances SET status = $3, issues = $4::json WHERE migration_id = $1 AND position = $2',
      [migrationID, position, status, issue === undefined ? null : JSON.stringify([issue])],
    );
  if (!instance) return void (await decide('REFUSED', `There is no instance ${workflowID} in this project`));
  if (instance.definitionID === plan.target.definitionID) return void (await decide('MIGRATED'));
  if (instance.status !== 'RUNNING' || instance.canceling)
    return void (await decide('REFUSED', `Instance ${workflowID} has ended or is being canceled`));
  if (instance.definitionID !== definitionID)
    return void (await decide('REFUSED', `Instance ${workflowID} does not run the version to migrate from`));
  await insertInternalCommand(transaction, workflowID, { kind: 'MIGRATE', ...plan }, reason ?? undefined, createdBy);
  await transaction.query(
    'UPDATE migrating_instances SET command_number = $3, asked_at = now() WHERE migration_id = $1 AND position = $2',
    [migrationID, position, instance.commandCount + 1],
  );
}

async function complete(pool: Pool, migrationID: string): Promise<boolean> {
  const row = await firstRow<{ pending: boolean }>(
    pool,
    `WITH left_over AS (SELECT EXISTS (SELECT FROM migrating_instances WHERE migration_id = $1 AND status = 'PENDING') AS pending), completed AS (
       UPDATE instance_migrations m SET completed_at = now() FROM left_over WHERE m.id = $1 AND completed_at IS NULL AND NOT pending
     ) SELECT pending FROM left_over`,
    [migrationID],
  );
  return row?.pending !== true;
}
