/** Counting the instances that ran before their process had a limit: in its group without a key. */
import { firstRow, rows, type Database } from '../sql/database.js';
import { lockSettings } from './locks.js';

export interface Process {
  projectID: string;
  processID: string;
}

/** Per transaction: a step of each of these instances waits for its end. */
const INSTANCES_AT_ONCE = 500;

/**
 * Counts them a page at a time. Until all are counted, nothing gets a place. The outbox relay counts those that an
 * interrupted request has left.
 * @returns false if something else has locked some of them, which are then left
 */
export async function countOlderInstances(database: Database, process: Process): Promise<boolean> {
  for (let after: number | undefined = 0; after !== undefined;) after = await countPage(database, process, after);
  return endCounting(database, process);
}

/** SQL: the root instances of a process that have no group. A queued instance has one. */
const older = `FROM definitions d JOIN instances i ON i.definition_id = d.id AND i.project_id = d.project_id
  WHERE d.project_id = $1 AND d.process_id = $2 AND i.status = 'RUNNING' AND i.parent_workflow_id IS NULL AND i.concurrency_group IS NULL`;

/** @returns the number of the last instance of the page; undefined after the last page */
async function countPage(
  database: Database,
  { projectID, processID }: Process,
  after: number,
): Promise<number | undefined> {
  return database.transaction(async (transaction) => {
    // Locks of instances come before those of their group. An instance whose row is locked is counted by a later page.
    const page = await rows<{ workflowID: string; number: number; taken: boolean }>(
      transaction,
      `WITH page AS MATERIALIZED (
         SELECT i.workflow_id, i.number ${older} AND i.number > $3 ORDER BY i.number LIMIT ${INSTANCES_AT_ONCE}
       ), taken AS MATERIALIZED (
         SELECT workflow_id FROM instances WHERE workflow_id IN (SELECT workflow_id FROM page) AND status = 'RUNNING'
           AND concurrency_group IS NULL FOR NO KEY UPDATE SKIP LOCKED
       )
       SELECT p.workflow_id AS "workflowID", p.number::float8 AS number, t.workflow_id IS NOT NULL AS taken
       FROM page p LEFT JOIN taken t USING (workflow_id) ORDER BY p.number`,
      [projectID, processID, after],
    );
    const taken = page.filter((instance) => instance.taken).map(({ workflowID }) => workflowID);
    if (taken.length > 0) {
      await transaction.query(
        `WITH place AS (
           INSERT INTO concurrency_groups AS g (project_id, process_id, key_sha256, running) VALUES ($1, $2, '', $4)
           ON CONFLICT (project_id, process_id, key_sha256) DO UPDATE SET running = g.running + $4 RETURNING id
         )
         UPDATE instances SET concurrency_group = place.id FROM place WHERE workflow_id = ANY($3::text[])`,
        [projectID, processID, taken, taken.length],
      );
    }
    return page.at(-1)?.number;
  });
}

/** @returns false if there are some left */
async function endCounting(database: Database, { projectID, processID }: Process): Promise<boolean> {
  return database.transaction(async (transaction) => {
    // The limit may have been lifted and set again in the meantime, so it must not change between the next statements.
    await lockSettings(transaction, projectID, [processID]);
    if (await firstRow(transaction, `SELECT 1 ${older} LIMIT 1`, [projectID, processID])) return false;
    await transaction.query(
      'UPDATE process_settings SET is_counting = false WHERE project_id = $1 AND process_id = $2 AND is_counting',
      [projectID, processID],
    );
    return true;
  });
}
