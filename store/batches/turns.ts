/**
 * Turns: a runner takes the turn of a batch, begins and settles some of its items, and ends the turn. A batch belongs to
 * no process; when a runner dies, the next one takes the turn once it is due again.
 */
import { randomUUID } from 'node:crypto';
import { outboxAnnouncements } from '../sql/announcements.js';
import { firstRow, type Database } from '../sql/database.js';
import { firstTurn, takeTurnForRows, turnsOfDue, turnTaken } from '../turns/project-turns.js';
import { completeStatement } from './batches.js';
import { beginItem, isReady, settleCommands, settleSuspended, type BatchTurn } from './items.js';

/** Maximum number of items that are begun and have no outcome, because they share the workflow worker with all others. */
export const MAX_BEGUN = 50;
/** Each takes a connection. */
const TRANSACTIONS_AT_ONCE = 5;
/** A turn that takes longer is lost to another runner, and begins no further item. */
const MAX_TURN = "interval '15 seconds'";
/** After this time a turn leaves its other items to the next one, so that a slow batch makes way for others. */
const BEGINS_FOR_MS = 2_000;
/** Time that was not used for items is kept up to this long: at least the time of one item at the lowest rate. */
const MAX_SAVED = "interval '1 second'";

/**
 * Takes the turns of batches that are due, by turns of their projects, those of a project in the order in which they
 * became due.
 * @param projects the projects that are next; moves on
 */
export async function takeTurns(database: Database, limit: number, projects = firstTurn()): Promise<BatchTurn[]> {
  const due = { table: 'batches', where: 'completed_at IS NULL', time: 'due_at' };
  const found = await takeTurnForRows<Omit<BatchTurn, 'batchID'> & { batchID: string | null }>(
    database,
    projects,
    `WITH RECURSIVE ${turnsOfDue({ ...due, most: '$1', after: '$3', projectsAtOnce: limit })}, chosen AS (
       SELECT b.id FROM turns p CROSS JOIN LATERAL (
         SELECT id FROM batches WHERE project_id = p.project_id AND completed_at IS NULL AND due_at <= now()
         ORDER BY due_at LIMIT p.share FOR UPDATE SKIP LOCKED
       ) b LIMIT $1
     ), taken AS (
       UPDATE batches b SET lease = $2::uuid, due_at = now() + ${MAX_TURN} FROM chosen WHERE b.id = chosen.id
       RETURNING b.id AS "batchID", b.lease, b.project_id AS "projectID", b.operation, b.input,
         b.source_definition_id AS "sourceDefinitionID", b.reason, b.created_by AS "createdBy"
     )
     SELECT turn.*, t.* FROM (SELECT ${turnTaken}) turn LEFT JOIN taken t ON true`,
    [limit, randomUUID()],
    limit,
  );
  return found.flatMap(({ last: _last, projects: _projects, ...turn }) =>
    turn.batchID === null ? [] : (turn as BatchTurn),
  );
}

/**
 * Records outcomes and begins the next items.
 * @throws the first failure; the items that did not fail are begun
 */
export async function runTurn(database: Database, batch: BatchTurn): Promise<void> {
  const settled = (await settleCommands(database, batch)) + (await settleSuspended(database, batch));
  const positions = await nextPositions(database, batch);
  const { begun, failures } = await beginAll(database, batch, positions);
  if (positions.length > 0) database.announce(outboxAnnouncements());
  else await database.query(completeStatement, [batch.batchID]);
  await endTurn(database, batch, settled + begun > 0);
  if (failures.length > 0) throw failures[0];
}

/** As many as the rate and the limit of begun items allow now; their time is used up. */
async function nextPositions(database: Database, { batchID, lease }: BatchTurn): Promise<number[]> {
  const next = await firstRow<{ positions: number[] }>(
    database,
    `WITH pace AS (
       SELECT id, items_per_second, greatest(paced_until, now() - ${MAX_SAVED}) AS since FROM batches WHERE id = $1 AND lease = $2 AND status = 'RUNNING'
     ), chosen AS (
       SELECT coalesce(array_agg(position), '{}') AS positions FROM (
         SELECT position FROM batch_items WHERE batch_id = $1 AND status = 'PENDING' AND begun_at IS NULL ORDER BY position
         LIMIT least(
           (SELECT floor(extract(epoch FROM now() - since) * items_per_second)::integer FROM pace),
           ${MAX_BEGUN} - (SELECT count(*) FROM batch_items WHERE batch_id = $1 AND status = 'PENDING' AND begun_at IS NOT NULL))
       ) AS next
     )
     UPDATE batches b SET paced_until = since + make_interval(secs => cardinality(positions)::float8 / b.items_per_second)
     FROM pace, chosen WHERE b.id = pace.id RETURNING positions`,
    [batchID, lease],
  );
  return next?.positions ?? [];
}

/** @returns how many were tried; those that are not ready, or for which there is no time, are left to the next turn */
async function beginAll(
  database: Database,
  batch: BatchTurn,
  positions: readonly number[],
): Promise<{ begun: number; failures: unknown[] }> {
  const failures: unknown[] = [];
  const trying = <Result>(work: Promise<Result>) => work.catch((error: unknown) => void failures.push(error));
  const until = performance.now() + BEGINS_FOR_MS;
  let begun = 0;
  for (let first = 0; first < positions.length && performance.now() < until; first += TRANSACTIONS_AT_ONCE) {
    const ready: number[] = [];
    // One after the other, because none waits for a lock that another one has.
    for (const position of positions.slice(first, first + TRANSACTIONS_AT_ONCE))
      if (await trying(isReady(database, batch, position, until))) ready.push(position);
    await Promise.all(ready.map((position) => trying(beginItem(database, batch, position))));
    begun += ready.length;
  }
  return { begun, failures };
}

/** A paused batch without begun items is due again when it is resumed. */
async function endTurn(database: Database, { batchID, lease }: BatchTurn, moved: boolean): Promise<void> {
  await database.query(
    `UPDATE batches SET lease = NULL, due_at = CASE WHEN status = 'PAUSED'
         AND NOT EXISTS (SELECT FROM batch_items WHERE batch_id = $1 AND status = 'PENDING' AND begun_at IS NOT NULL) THEN 'infinity'
       ELSE now() + $3 * interval '1 millisecond' END
     WHERE id = $1 AND lease = $2`,
    [batchID, lease, moved ? 20 : 150],
  );
}
