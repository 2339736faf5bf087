/**
 * Suspensions of definitions at a time. A schedule is part of the definition's row and applied by a worker, in one
 * transaction with its withdrawal, so it takes effect once. The clock is that of Postgres.
 */
import { writeEntry, type ActorType } from '../audit/entries.js';
import { firstRow, type Database } from '../sql/database.js';
import type { Refusal } from '../sql/refusal.js';
import { firstTurn, takeTurnForRows, turnsOfDue, turnTaken } from '../turns/project-turns.js';
import { DONE, recording, withoutSchedule, type Changed, type Done } from './changes.js';
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
      `UPDATE definitions SET suspension_scheduled_at = $3, suspension_due_at = $3, suspension_scheduled_instances = $4, suspension_scheduled_by = $5,
         suspension_scheduled_actor_type = $6, suspension_scheduled_reason = $7
       WHERE project_id = $1 AND id = $2`,
      [projectID, definitionID, at, instances, actor, audit?.actorType ?? 'PERSON', reason ?? null],
    );
    return rowCount === 0 ? unchangedIfKnown(transaction, request) : { kind: 'unchanged' };
  });
  return scheduled.kind === 'refused' ? scheduled : DONE;
}

/** Maximum definitions taken per call. */
const MAX_TAKEN = 20;

/** An attempt that fails is repeated after this time, then at doubling intervals up to five minutes. */
const nextAttempt =
  "now() + least(greatest(interval '5 seconds', now() - suspension_scheduled_at), interval '5 minutes')";

/**
 * Takes definitions whose schedule is due, an equal share of each of the next projects. Each comes due again later, so one
 * that fails, or whose worker dies, delays no other.
 * @param projects the projects that are next; moves on
 */
export async function takeDueSuspensions(database: Database, projects = firstTurn()): Promise<string[]> {
  const due = { table: 'definitions', where: 'suspension_due_at IS NOT NULL', time: 'suspension_due_at' };
  const found = await takeTurnForRows<{ definitionID: string | null }>(
    database,
    projects,
    `WITH RECURSIVE ${turnsOfDue({ ...due, most: String(MAX_TAKEN), after: '$1' })}, due AS (
       SELECT d.id FROM turns p CROSS JOIN LATERAL (
         SELECT id FROM definitions WHERE project_id = p.project_id AND suspension_due_at IS NOT NULL AND suspension_due_at <= now()
         ORDER BY suspension_due_at LIMIT p.share FOR NO KEY UPDATE SKIP LOCKED
       ) d LIMIT ${MAX_TAKEN}
     ), taken AS (
       UPDATE definitions SET suspension_due_at = ${nextAttempt} WHERE id IN (SELECT id FROM due) RETURNING id
     )
     SELECT turn.*, t.id AS "definitionID" FROM (SELECT ${turnTaken}) turn LEFT JOIN taken t ON true`,
    [],
  );
  return found.flatMap(({ definitionID }) => definitionID ?? []);
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
  UPDATE definitions d SET ${withoutSchedule}
  FROM due WHERE d.id = due.id
  RETURNING due.project_id AS "projectID", due.instances, due.actor, due."actorType", due.reason`;
