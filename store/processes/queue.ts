/**
 * Queued instances that can begin: the oldest of each group first. The outbox relay starts their workflows. Whatever may let
 * one begin has made its group due in its own transaction, so nothing is lost when a relay dies.
 */
import { isPaused } from '../instances/paused.js';
import { firstRow, rows, type Database, type Transaction } from '../sql/database.js';
import { firstTurn, takeTurnForRows, turnsOfDue, turnTaken } from '../turns/project-turns.js';
import { lockSettings } from './locks.js';
import { isCounting, type Process } from './older-instances.js';
import { hasRoomAgain, offerOverflowed } from './overflow.js';

/** Groups of one process that are due. */
export interface DueGroups extends Process {
  groups: string[];
}

/**
 * Groups that are due, the longest of each project first, by process.
 * @param limit maximum number of groups
 * @param turn the projects that are next; moves on
 */
export async function dueGroups(database: Database, limit: number, turn = firstTurn()): Promise<DueGroups[]> {
  const found = await takeTurnForRows<{ group: string | null; projectID: string; processID: string }>(
    database,
    turn,
    `WITH RECURSIVE ${turnsOfDue({ table: 'concurrency_groups', where: 'due_at IS NOT NULL', time: 'due_at', most: '$1', after: '$2' })}
     SELECT turn.*, due.id AS group, due.project_id AS "projectID", due.process_id AS "processID"
     FROM (SELECT ${turnTaken}) turn LEFT JOIN (turns p CROSS JOIN LATERAL (
       SELECT id, project_id, process_id, due_at FROM concurrency_groups
       WHERE project_id = p.project_id AND due_at IS NOT NULL AND due_at <= now() ORDER BY due_at LIMIT p.share
     ) due) ON true ORDER BY due.due_at`,
    [limit],
  );
  const processes = new Map<string, DueGroups>();
  for (const { group, projectID, processID } of found) {
    if (group === null) continue;
    const key = `${projectID} ${processID}`;
    const process = processes.get(key) ?? { projectID, processID, groups: [] };
    process.groups.push(group);
    processes.set(key, process);
  }
  return [...processes.values()];
}

/** Processes with room for what their queue had none for. */
export async function overflowedProcesses(database: Database, limit: number): Promise<Process[]> {
  return rows(
    database,
    `SELECT project_id AS "projectID", process_id AS "processID" FROM process_settings s WHERE ${hasRoomAgain('s')} LIMIT $1`,
    [limit],
  );
}

/** Of one group per transaction. */
const BEGUN_AT_ONCE = 20;
/** Until the rows of an instance that something else has locked are free. */
const AGAIN_AFTER = "interval '50 milliseconds'";

/** How many begin, whose start is now due. `isBusy`: something else has locked one that could begin, for a moment. */
export interface Begun {
  begun: number;
  isBusy: boolean;
}

/** Gives free places to queued instances. */
export async function beginQueued(database: Database, { projectID, processID, groups }: DueGroups): Promise<Begun> {
  return database.transaction(async (transaction) => {
    await lockSettings(transaction, projectID, [processID]);
    const settings = await firstRow<{ limit: number | null; isCounting: boolean }>(
      transaction,
      `SELECT concurrent_instances AS limit, ${isCounting('$1', '$2')} AS "isCounting"
       FROM process_settings WHERE project_id = $1 AND process_id = $2`,
      [projectID, processID],
    );
    if (settings?.isCounting) return { begun: 0, isBusy: false };
    const result = await begin(transaction, groups, settings?.limit ?? null);
    if (result.begun > 0) {
      await transaction.query(
        'UPDATE process_settings SET queued = queued - $3 WHERE project_id = $1 AND process_id = $2',
        [projectID, processID, result.begun],
      );
      await offerOverflowed(transaction, projectID, processID);
    }
    return result;
  });
}

/** Offers publications again for which the queue had no room. */
export async function offerAgain(database: Database, { projectID, processID }: Process): Promise<void> {
  await database.transaction((transaction) => offerOverflowed(transaction, projectID, processID));
}

/**
 * A paused instance is passed over. One that something else has locked holds back the younger ones for a moment.
 * @param limit null: no limit
 */
async function begin(transaction: Transaction, groups: readonly string[], limit: number | null): Promise<Begun> {
  return (await firstRow<Begun>(transaction, beginStatement, [groups, limit]))!;
}

const beginStatement = `
  WITH due AS MATERIALIZED (
    SELECT id, least(coalesce($2::integer - running, ${BEGUN_AT_ONCE}), ${BEGUN_AT_ONCE}) AS room, queued
    FROM concurrency_groups WHERE id = ANY($1::bigint[]) AND due_at IS NOT NULL ORDER BY id FOR UPDATE
  ), candidates AS MATERIALIZED (
    SELECT due.id, next.workflow_id, row_number() OVER (PARTITION BY due.id ORDER BY next.queue_rank) AS nth
    FROM due CROSS JOIN LATERAL (
      SELECT s.workflow_id, s.queue_rank FROM instance_starts s JOIN instances i ON i.workflow_id = s.workflow_id
      WHERE s.queue_group = due.id AND NOT ${isPaused('i')} AND NOT i.canceling ORDER BY s.queue_rank LIMIT greatest(due.room, 0)
    ) next
  ), locked AS MATERIALIZED (
    SELECT workflow_id FROM instances i WHERE workflow_id IN (SELECT workflow_id FROM candidates)
      AND status = 'RUNNING' AND queued AND NOT canceling AND NOT ${isPaused('i')} FOR UPDATE SKIP LOCKED
  ), busy AS MATERIALIZED (
    SELECT id, min(nth) AS nth FROM candidates WHERE workflow_id NOT IN (SELECT workflow_id FROM locked) GROUP BY id
  ), chosen AS MATERIALIZED (
    SELECT c.id, c.workflow_id FROM candidates c LEFT JOIN busy b USING (id) WHERE c.nth < coalesce(b.nth, ${BEGUN_AT_ONCE + 1})
  ), begun AS (
    UPDATE instances i SET queued = false FROM chosen c WHERE i.workflow_id = c.workflow_id
  ), offered AS (
    UPDATE instance_starts s SET queue_group = NULL, queue_rank = NULL, created_at = now(), deliver_at = now()
    FROM chosen c WHERE s.workflow_id = c.workflow_id
  ), counted AS (
    UPDATE concurrency_groups g SET running = g.running + n.begun, queued = g.queued - n.begun,
      due_at = CASE WHEN n.is_busy THEN now() + ${AGAIN_AFTER} WHEN n.begun = ${BEGUN_AT_ONCE} THEN now() END
    FROM (
      SELECT due.id, (SELECT count(*)::integer FROM chosen c WHERE c.id = due.id) AS begun,
        EXISTS (SELECT FROM busy b WHERE b.id = due.id) AS is_busy
      FROM due
    ) n WHERE g.id = n.id
  )
  SELECT count(*)::integer AS begun, EXISTS (SELECT FROM busy) AS "isBusy" FROM chosen`;

/** A queued instance, or all of a definition, is no longer paused. */
export async function offerPlaceToInstance(transaction: Transaction, workflowID: string): Promise<void> {
  await transaction.query(
    `UPDATE concurrency_groups SET due_at = coalesce(due_at, now()) WHERE id =
       (SELECT queue_group FROM instance_starts WHERE workflow_id = $1 AND queue_group IS NOT NULL)`,
    [workflowID],
  );
}

/** Like `offerPlaceToInstance`. Its groups may have none of its instances. */
export async function offerPlacesToDefinition(transaction: Transaction, definitionID: string): Promise<void> {
  await transaction.query(
    `UPDATE concurrency_groups SET due_at = coalesce(due_at, now()) WHERE id IN (
       SELECT g.id FROM concurrency_groups g JOIN definitions d ON d.project_id = g.project_id AND d.process_id = g.process_id
       WHERE d.id = $1 AND g.queued > 0 ORDER BY g.id FOR UPDATE OF g)`,
    [definitionID],
  );
}
