/**
 * Suspensions of definitions at a time. A schedule is part of the definition's row and applied by a worker, in one
 * transaction with its withdrawal, so it takes effect once. The clock is that of Postgres.
 */
import { writeEntry, type ActorType } from '../audit/entries.js';
import { firstRow, rows, type Database } from '../sql/database.js';
import type { Refusal } from '../sql/refusal.js';
import { DONE, recording, type Changed, type Done } from './changes.js';
import {
  suspendDefinition,
  suspendDefinitionIn,
  unchangedIfKnown,
  type SuspendDefinitionRequest,
} from './definitions.js';

/** Replaces the schedule of the definition. One that is due is applied at once. */
export async function suspendDefinitionAt(
  database: Database,
  request: SuspendDefinitionRequest,
  at: Date,
): Promise<Done | Refusal<'NOT_FOUND'>> {
  const { projectID, definitionID, instances = true, actor, reason, audit } = request;
  const now = await firstRow<{ isPast: boolean }>(database, 'SELECT $1::timestamptz <= now() AS "isPast"', [at]);
  if (now!.isPast) return suspendDefinition(database, request);
  const scheduled = await recording(database, request, async (transaction): Promise<Changed | Refusal<'NOT_FOUND'>> => {
    const { rowCount } = await transaction.query(
      `UPDATE definitions SET suspension_scheduled_at = $3, suspension_scheduled_instances = $4, suspension_scheduled_by = $5,
         suspension_scheduled_actor_type = $6, suspension_scheduled_reason = $7
       WHERE project_id = $1 AND id = $2`,
      [projectID, definitionID, at, instances, actor, audit?.actorType ?? 'PERSON', reason ?? null],
    );
    return rowCount === 0 ? unchangedIfKnown(transaction, request) : { kind: 'unchanged' };
  });
  return scheduled.kind === 'refused' ? scheduled : DONE;
}

/** Maximum definitions read per call. */
const MAX_DEFINITIONS_PER_RUN = 100;

/** Definitions whose schedule is due, the earliest first. */
export async function dueSuspensions(database: Database): Promise<string[]> {
  const due = await rows<{ definitionID: string }>(
    database,
    `SELECT id AS "definitionID" FROM definitions WHERE suspension_scheduled_at <= now() ORDER BY suspension_scheduled_at LIMIT ${MAX_DEFINITIONS_PER_RUN}`,
    [],
  );
  return due.map(({ definitionID }) => definitionID);
}

interface DueSuspension {
  projectID: string;
  instances: boolean;
  actor: string;
  actorType: ActorType;
  reason: string | null;
}

/** Applies the schedule of a definition. @returns whether it was still due */
export function applyDueSuspension(database: Database, definitionID: string): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const due = await firstRow<DueSuspension>(transaction, takeStatement, [definitionID]);
    if (!due) return false;
    const { projectID, instances, actor, actorType } = due;
    const reason = due.reason ?? undefined;
    const isChanged = await suspendDefinitionIn(transaction, { projectID, definitionID, instances, actor, reason });
    await writeEntry(transaction, projectID, {
      actor,
      actorType,
      via: 'SCHEDULE',
      operation: 'SuspendBpmnDefinition',
      definitionID,
      reason,
      ...(!isChanged && { leavesInstances: true }),
    });
    return true;
  });
}

/** Waits for starts that have locked the row; those that come later wait for this one. */
const takeStatement = `
  WITH due AS MATERIALIZED (
    SELECT id, project_id, suspension_scheduled_instances AS instances, suspension_scheduled_by AS actor,
      suspension_scheduled_actor_type AS "actorType", suspension_scheduled_reason AS reason
    FROM definitions WHERE id = $1 AND suspension_scheduled_at <= now() FOR NO KEY UPDATE
  )
  UPDATE definitions d SET suspension_scheduled_at = NULL, suspension_scheduled_instances = NULL, suspension_scheduled_by = NULL,
    suspension_scheduled_actor_type = NULL, suspension_scheduled_reason = NULL
  FROM due WHERE d.id = due.id
  RETURNING due.project_id AS "projectID", due.instances, due.actor, due."actorType", due.reason`;
