/**
 * Instances whose stored values are still to be overwritten. Requests and workers take them one at a time; one that
 * dies leaves the rest of the instance to the others.
 */
import { firstRow, rows, type Database, type Transaction } from '../sql/database.js';
import { overwritePage, parts, type Part } from './parts.js';

const MAX_INSTANCES_PER_RUN = 20;
/** Pages of rows per transaction. */
const MAX_PAGES = 16;
const PAUSE_AFTER_FAILURE = '1 minute';

/** Instances with values to overwrite, longest due first. */
export async function instancesToOverwrite(database: Database): Promise<string[]> {
  const left = await rows<{ workflowID: string }>(
    database,
    `SELECT workflow_id AS "workflowID" FROM redacting_instances WHERE due_at <= now() ORDER BY due_at LIMIT ${MAX_INSTANCES_PER_RUN}`,
    [],
  );
  return left.map(({ workflowID }) => workflowID);
}

/** Lets other instances come first after a failed attempt. */
export async function postponeOverwrite(database: Database, workflowID: string): Promise<void> {
  await database.query(
    `UPDATE redacting_instances SET due_at = now() + interval '${PAUSE_AFTER_FAILURE}' WHERE workflow_id = $1`,
    [workflowID],
  );
}

interface Progress {
  part: Part;
  done: number;
  names: string[];
}

/**
 * Overwrites a limited number of rows of an instance.
 * @returns false if another process has it, or nothing is left
 */
export function overwriteSome(database: Database, workflowID: string): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const progress = await lockProgress(transaction, workflowID);
    if (!progress) return false;
    const next = await overwritePages(transaction, workflowID, progress);
    if (next)
      await transaction.query('UPDATE redacting_instances SET part = $2, done = $3 WHERE workflow_id = $1', [
        workflowID,
        next.part,
        next.done,
      ]);
    else await transaction.query('DELETE FROM redacting_instances WHERE workflow_id = $1', [workflowID]);
    return true;
  });
}

/** Both rows are locked without waiting: a request for more names locks them in the other order. */
function lockProgress(transaction: Transaction, workflowID: string): Promise<Progress | undefined> {
  return firstRow<Progress>(
    transaction,
    `SELECT r.part, r.done, i.redacted_variables AS names FROM redacting_instances r JOIN instances i USING (workflow_id)
     WHERE r.workflow_id = $1 FOR NO KEY UPDATE SKIP LOCKED`,
    [workflowID],
  );
}

/** @returns where the next transaction continues; undefined if nothing is left */
async function overwritePages(
  transaction: Transaction,
  workflowID: string,
  { part, done, names }: Progress,
): Promise<Pick<Progress, 'part' | 'done'> | undefined> {
  const instance = { workflowID, names: new Set(names) };
  let place = { part, done };
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const last = await overwritePage[place.part](transaction, instance, place.done);
    if (last !== undefined) {
      place = { ...place, done: last };
      continue;
    }
    const following = parts[parts.indexOf(place.part) + 1];
    if (following === undefined) return undefined;
    place = { part: following, done: 0 };
  }
  return place;
}
