/**
 * Descendants follow their ancestors: the rows of called instances repeat whether an ancestor is being canceled or is
 * suspended, and the definitions of all ancestors. A transaction changes at most 500 of them, and the parents of the
 * others are queued. Until their rows have changed, their step commits lock and ask their ancestors (ADR 180).
 */
import { rows, type Database, type Transaction } from '../sql/database.js';
import { firstTurn, takeTurnForRows, turnsOfDue, turnTaken } from '../turns/project-turns.js';

/** Parents that one transaction takes from the queue. They usually have fewer children than it changes. */
const PARENTS_AT_ONCE = 100;

/** Lets the descendants of instances follow that the transaction has locked and changed. */
export async function followParents(transaction: Transaction, workflowIDs: readonly string[]): Promise<void> {
  if (workflowIDs.length > 0) await transaction.query('SELECT follow_parents($1::text[])', [workflowIDs]);
}

/**
 * The next projects with queued parents.
 * @param turn moves on
 */
export async function projectsToFollow(database: Database, turn = firstTurn()): Promise<string[]> {
  const found = await takeTurnForRows<{ projectID: string | null }>(
    database,
    turn,
    `WITH RECURSIVE ${turnsOfDue({ table: 'parents_to_follow', where: 'true', time: 'queued_at', most: '1', after: '$1' })}
     SELECT turn.*, project_id AS "projectID" FROM (SELECT ${turnTaken}) turn LEFT JOIN turns ON true`,
    [],
  );
  return found.flatMap(({ projectID }) => projectID ?? []);
}

/**
 * Takes parents of a project from the queue, and lets a page of their descendants follow. All of them have the same depth,
 * because locks are taken by depth; those that another transaction has locked are left for later.
 * @returns whether there were any that it could lock
 */
export function followNextParents(database: Database, projectID: string): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const locked = await rows<{ workflowID: string }>(
      transaction,
      `WITH next AS MATERIALIZED (
         SELECT workflow_id, depth FROM parents_to_follow WHERE project_id = $1 ORDER BY queued_at LIMIT ${PARENTS_AT_ONCE}
       )
       SELECT i.workflow_id AS "workflowID" FROM instances i
       WHERE i.workflow_id = ANY (ARRAY (SELECT workflow_id FROM next WHERE depth = (SELECT min(depth) FROM next)))
       FOR NO KEY UPDATE SKIP LOCKED`,
      [projectID],
    );
    const parents = locked.map(({ workflowID }) => workflowID);
    await transaction.query('DELETE FROM parents_to_follow WHERE workflow_id = ANY($1::text[])', [parents]);
    await followParents(transaction, parents);
    return parents.length > 0;
  });
}
