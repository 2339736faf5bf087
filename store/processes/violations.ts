/**
 * Business ids that a new rule of uniqueness does not allow. Starts of the process wait while its definitions are locked,
 * so most instances are read before: under the lock, only those that have started in the last moment.
 */
import { lockProject } from '../projects/lock.js';
import { rows, type Database, type Queryable, type Transaction } from '../sql/database.js';
import type { UniquenessRule } from './business-ids.js';
import type { Process } from './older-instances.js';

/** Business ids that a refusal names. */
const MAX_NAMED = 5;
/** Instances of the project per statement. */
const INSTANCES_AT_ONCE = 5_000;

/**
 * No start, deployment, or change of settings of the process is in progress from here on.
 * @returns false if there is no such project
 */
export async function lockProcess(transaction: Transaction, { projectID, processID }: Process): Promise<boolean> {
  if (!(await lockProject(transaction, projectID))) return false;
  await transaction.query('SELECT FROM definitions WHERE project_id = $1 AND process_id = $2 ORDER BY id FOR UPDATE', [
    projectID,
    processID,
  ]);
  return true;
}

/** The reading before the lock: all instances up to a number, and the violations among them. */
export interface Read {
  upTo: number;
  businessIDs: readonly string[];
}

/** Reads twice: what has started during the first time is read a second time, which takes a moment only. */
export async function readViolations(database: Database, process: Process, rule: UniquenessRule): Promise<Read> {
  let read: Read = { upTo: 0, businessIDs: [] };
  for (let pass = 1; pass <= 2 && read.businessIDs.length === 0; pass += 1) {
    const upTo = await lastNumber(database, process);
    read = { upTo, businessIDs: await violationsAfter(database, process, rule, read.upTo, upTo) };
  }
  return read;
}

/** The first business ids that several instances have which the rule does not allow. The transaction has locked the process. */
export function violationsSince(
  transaction: Transaction,
  process: Process,
  rule: UniquenessRule,
  { upTo, businessIDs }: Read,
): Promise<readonly string[]> {
  if (businessIDs.length > 0) return Promise.resolve(businessIDs);
  return violationsAfter(transaction, process, rule, upTo, Number.MAX_SAFE_INTEGER);
}

/** A number that no instance of the process gets below which is not committed yet: numbers are given after the lock. */
function lastNumber(database: Database, process: Process): Promise<number> {
  return database.transaction(async (transaction) => {
    await lockProcess(transaction, process);
    const [last] = await rows<{ number: number | null }>(
      transaction,
      'SELECT max(number)::float8 AS number FROM instances WHERE project_id = $1',
      [process.projectID],
    );
    return last!.number ?? 0;
  });
}

/** Of instances with numbers above `after`, up to `upTo`: those that have a business id of an older one. */
async function violationsAfter(
  database: Queryable,
  { projectID, processID }: Process,
  rule: UniquenessRule,
  after: number,
  upTo: number,
): Promise<string[]> {
  const found = new Set<string>();
  for (let last: number | null = after; last !== null && found.size < MAX_NAMED;) {
    const [page]: { last: number | null; businessIDs: string[] }[] = await rows(database, pageStatement(rule), [
      projectID,
      processID,
      last,
      upTo,
    ]);
    for (const businessID of page!.businessIDs) found.add(businessID);
    last = page!.last;
  }
  return [...found].slice(0, MAX_NAMED);
}

function pageStatement(rule: UniquenessRule): string {
  const counts = (i: string) => (rule === 'RUNNING' ? `${i}.status = 'RUNNING'` : 'true');
  const isRoot = (i: string, d: string) =>
    `${d}.id = ${i}.definition_id AND ${d}.project_id = $1 AND ${d}.process_id = $2 AND ${i}.parent_workflow_id IS NULL`;
  return `
    WITH page AS MATERIALIZED (
      SELECT i.number, i.business_id, i.definition_id, i.parent_workflow_id FROM instances i
      WHERE i.project_id = $1 AND i.number > $3 AND i.number <= $4 AND ${counts('i')} ORDER BY i.number LIMIT ${INSTANCES_AT_ONCE}
    ), violating AS (
      SELECT i.business_id, min(i.number) AS number FROM page i JOIN definitions d ON ${isRoot('i', 'd')}
      WHERE i.business_id IS NOT NULL AND EXISTS (
        SELECT FROM instances o JOIN definitions e ON ${isRoot('o', 'e')}
        WHERE o.project_id = $1 AND o.business_id = i.business_id AND o.number < i.number AND ${counts('o')})
      GROUP BY i.business_id ORDER BY number LIMIT ${MAX_NAMED}
    )
    SELECT (SELECT CASE WHEN count(*) = ${INSTANCES_AT_ONCE} THEN max(number)::float8 END FROM page) AS last,
      coalesce((SELECT json_agg(business_id ORDER BY number) FROM violating), '[]') AS "businessIDs"`;
}
