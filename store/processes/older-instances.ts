/**
 * Counting the instances that ran before their process had a limit: in its group without a key. Until all are counted,
 * nothing gets a place. A row of `counting_processes` has the position; the transaction of each page locks it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { outboxAnnouncements } from '../sql/announcements.js';
import { firstRow, type Database, type Transaction } from '../sql/database.js';
import { takeTurnForRows, turnsOfDue, turnTaken, type ProjectTurn } from '../turns/project-turns.js';

export interface Process {
  projectID: string;
  processID: string;
}

/** Per transaction: a step of each of these instances waits for its end. */
const INSTANCES_AT_ONCE = 200;
const PAGES_OF_A_REQUEST = 10;
/** Between the pages of a request: the row of an instance may be locked for a moment. */
const PAUSE_OF_A_REQUEST_MS = 20;
/** Before the chore tries the row of a locked instance once more. */
const RETRY_LOCKED_AFTER = "interval '50 milliseconds'";
/** Before a page that failed, or whose worker died, is tried again: other processes come first. */
const TRY_AGAIN_AFTER = "interval '5 seconds'";

/** The transaction has set the limit. */
export async function beginCounting(transaction: Transaction, { projectID, processID }: Process): Promise<void> {
  await transaction.query('INSERT INTO counting_processes (project_id, process_id) VALUES ($1, $2)', [
    projectID,
    processID,
  ]);
}

/** The limit is lifted, or all are counted. Waits for a page in progress. */
export async function stopCounting(transaction: Transaction, { projectID, processID }: Process): Promise<void> {
  await transaction.query('DELETE FROM counting_processes WHERE project_id = $1 AND process_id = $2', [
    projectID,
    processID,
  ]);
}

/** SQL: whether a process has instances that are not counted yet. */
export function isCounting(projectID: string, processID: string): string {
  return `EXISTS (SELECT FROM counting_processes WHERE project_id = ${projectID} AND process_id = ${processID})`;
}

/**
 * Counts a page of one process, by turns of projects, and of the processes of a project.
 * @param projects the projects that are next; moves on
 * @returns whether there may be more
 */
export async function countNext(database: Database, projects: ProjectTurn): Promise<boolean> {
  const hasEarlier = projects.after !== '';
  const process = await takeProcess(database, projects);
  if (process) await countFurther(database, process);
  return process !== undefined || hasEarlier;
}

async function takeProcess(database: Database, projects: ProjectTurn): Promise<Process | undefined> {
  const table = 'counting_processes';
  const [taken] = await takeTurnForRows<{ projectID: string | null; processID: string }>(
    database,
    projects,
    `WITH RECURSIVE ${turnsOfDue({ table, where: 'true', time: 'due_at', most: '1', after: '$1', projectsAtOnce: 1 })}, chosen AS (
       SELECT c.project_id, c.process_id FROM turns p CROSS JOIN LATERAL (
         SELECT project_id, process_id FROM ${table} WHERE project_id = p.project_id AND due_at <= now()
         ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
       ) c
     ), taken AS (
       UPDATE ${table} c SET due_at = now() + ${TRY_AGAIN_AFTER} FROM chosen n
       WHERE c.project_id = n.project_id AND c.process_id = n.process_id RETURNING c.project_id, c.process_id
     )
     SELECT turn.*, t.project_id AS "projectID", t.process_id AS "processID"
     FROM (SELECT ${turnTaken}) turn LEFT JOIN taken t ON true`,
    [],
    1,
  );
  const { projectID, processID } = taken!;
  return projectID === null ? undefined : { projectID, processID };
}

/**
 * Counts the first pages, so that a request that sets a limit ends with the limit in force, unless there are more
 * older instances than these, or something keeps one locked. The chore counts the rest.
 */
export async function countFirst(database: Database, process: Process): Promise<void> {
  for (let page = 1; page <= PAGES_OF_A_REQUEST && (await countFurther(database, process)); page += 1)
    await delay(PAUSE_OF_A_REQUEST_MS);
}

/** @returns whether there is more to count */
async function countFurther(database: Database, process: Process): Promise<boolean> {
  const of = [process.projectID, process.processID];
  return database.transaction(async (transaction) => {
    const position = await firstRow<{ after: number }>(
      transaction,
      'SELECT counted_through::float8 AS after FROM counting_processes WHERE project_id = $1 AND process_id = $2 FOR UPDATE',
      of,
    );
    if (!position) return false;
    const { through, isLast } = await countPage(transaction, process, position.after);
    if (isLast) {
      await stopCounting(transaction, process);
      transaction.announce(outboxAnnouncements(['places']));
      return false;
    }
    await transaction.query(
      `UPDATE counting_processes SET counted_through = $3, due_at = now() + CASE WHEN $3 > counted_through THEN interval '0' ELSE ${RETRY_LOCKED_AFTER} END
       WHERE project_id = $1 AND process_id = $2`,
      [...of, through],
    );
    return true;
  });
}

/** `through`: all older instances up to this number are counted. */
interface Page {
  through: number;
  isLast: boolean;
}

/**
 * Starts since the limit was set have a group, so all instances without one are older. No migration changes their numbers.
 * The page does not wait for an instance whose row is locked: the position stays in front of it.
 */
async function countPage(transaction: Transaction, { projectID, processID }: Process, after: number): Promise<Page> {
  // Locks of instances come before those of their group.
  const page = await firstRow<{ through: number; taken: string[]; isLast: boolean }>(transaction, pageStatement, [
    projectID,
    processID,
    after,
  ]);
  const { through, taken, isLast } = page!;
  if (taken.length > 0)
    await transaction.query(
      `WITH place AS (
         INSERT INTO concurrency_groups AS g (project_id, process_id, key_sha256, running) VALUES ($1, $2, '', $4)
         ON CONFLICT (project_id, process_id, key_sha256) DO UPDATE SET running = g.running + $4 RETURNING id
       )
       UPDATE instances SET concurrency_group = place.id FROM place WHERE workflow_id = ANY($3::text[])`,
      [projectID, processID, taken, taken.length],
    );
  return { through, isLast };
}

/** About the square root of a page: neither this many of each of its versions are many, nor the versions that have more. */
const SAMPLE = 14;

const furtherOf = (definitionID: string, columns: string) =>
  `SELECT ${columns} FROM instances WHERE project_id = $1 AND definition_id = ${definitionID} AND status = 'RUNNING' AND number > $3::bigint`;

/**
 * In the order of numbers, which no migration changes. Only the versions with the first heads can have a part of the page. A
 * sample of each of them bounds the page from above, so of a version with few of its instances, few are read.
 */
export const pageStatement = `
  WITH heads AS MATERIALIZED (
    SELECT d.id, i.number FROM definitions d CROSS JOIN LATERAL (${furtherOf('d.id', 'number')} ORDER BY number LIMIT 1) i
    WHERE d.project_id = $1 AND d.process_id = $2 ORDER BY i.number LIMIT ${INSTANCES_AT_ONCE}
  ), bound AS MATERIALIZED (
    SELECT i.number FROM heads h CROSS JOIN LATERAL (${furtherOf('h.id', 'number')} ORDER BY number LIMIT ${SAMPLE}) i
    ORDER BY i.number OFFSET ${INSTANCES_AT_ONCE - 1} LIMIT 1
  ), page AS MATERIALIZED (
    SELECT i.workflow_id, i.number, i.is_older FROM heads h CROSS JOIN LATERAL (
      ${furtherOf('h.id', 'workflow_id, number, parent_workflow_id IS NULL AND concurrency_group IS NULL AS is_older')}
        AND number <= coalesce((SELECT number FROM bound), ${Number.MAX_SAFE_INTEGER})
      ORDER BY number LIMIT ${INSTANCES_AT_ONCE}
    ) i ORDER BY i.number LIMIT ${INSTANCES_AT_ONCE}
  ), taken AS MATERIALIZED (
    SELECT workflow_id FROM instances WHERE workflow_id IN (SELECT workflow_id FROM page WHERE is_older)
      AND status = 'RUNNING' AND concurrency_group IS NULL FOR NO KEY UPDATE SKIP LOCKED
  ), outcome AS (
    SELECT count(*) AS found, max(number) AS last,
      min(number) FILTER (WHERE is_older AND t.workflow_id IS NULL) AS first_locked,
      coalesce(array_agg(t.workflow_id) FILTER (WHERE t.workflow_id IS NOT NULL), '{}') AS taken
    FROM page LEFT JOIN taken t USING (workflow_id)
  )
  SELECT coalesce(first_locked - 1, last, $3)::float8 AS through, taken,
    first_locked IS NULL AND found < ${INSTANCES_AT_ONCE} AS "isLast"
  FROM outcome`;
