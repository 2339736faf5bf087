/**
 * Instances that test a draft live in a separate project next to the one that the draft belongs to. Every statement
 * filters by project, so nothing of a test is in a list, a poll, a statistic, or a message of the project itself.
 */
import type { Queryable } from '../sql/database.js';

/** No id of a path or a token contains the tilde, so no request can name such a project. */
const MARK = '~tests';

/** Ids of other instances are UUIDs. Those of called instances begin with the id of their caller. */
const TEST_PREFIX = 'test-';

/** How long a test is kept after its end. */
const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000;

export function testProjectOf(projectID: string): string {
  return `${projectID}${MARK}`;
}

export function isTestProject(projectID: string): boolean {
  return projectID.endsWith(MARK);
}

/** The project that a test belongs to; any other project is itself. */
export function ordinaryProjectOf(projectID: string): string {
  return isTestProject(projectID) ? projectID.slice(0, -MARK.length) : projectID;
}

/** `ordinaryProjectOf` in SQL. */
export function ordinaryProject(expression: string): string {
  return `split_part(${expression}, '~', 1)`;
}

/**
 * SQL: whether a definition is one that instances of the project can run. Tests run definitions of the project of
 * tests and call those of the ordinary one. Ordinary instances never run a definition of tests.
 */
export function isRunnableIn(projectID: string, projectColumn: string): string {
  return `${projectColumn} IN (${projectID}, ${ordinaryProject(projectID)})`;
}

export function testInstanceID(uuid: string): string {
  return `${TEST_PREFIX}${uuid}`;
}

/** Also of the key of a job, a user task, or an incident of the instance. */
export function isTestID(id: string): boolean {
  return id.startsWith(TEST_PREFIX);
}

/**
 * Creates the project of the tests, or gives it the present settings of its project. The lock on the project keeps its
 * deletion from missing the project of the tests.
 */
export async function ensureTestProject(database: Queryable, projectID: string): Promise<void> {
  await database.query(
    `INSERT INTO projects (id, name, message_ttl_ms, signal_ttl_ms, history_retention_ms)
     SELECT $2, name, message_ttl_ms, signal_ttl_ms, $3 FROM projects WHERE id = $1 AND deleted_at IS NULL FOR SHARE
     ON CONFLICT (id) DO UPDATE SET message_ttl_ms = excluded.message_ttl_ms, signal_ttl_ms = excluded.signal_ttl_ms`,
    [projectID, testProjectOf(projectID), KEPT_MILLISECONDS],
  );
}

const MAX_FORGOTTEN = 500;

/**
 * Deletes files and definitions of tests that no instance refers to anymore.
 * @returns how many, at most 500 of each
 */
export async function forgetTestedDrafts(database: Queryable): Promise<number> {
  const definitions = await database.query(
    `DELETE FROM definitions WHERE id IN (
       SELECT d.id FROM projects t JOIN definitions d ON d.project_id = t.id
       WHERE t.id LIKE '%${MARK}' AND d.created_at < now() - interval '1 day'
         AND NOT EXISTS (SELECT FROM instances i WHERE i.definition_id = d.id) LIMIT ${MAX_FORGOTTEN})`,
  );
  const resources = await database.query(
    `DELETE FROM resources WHERE id IN (
       SELECT r.id FROM projects t JOIN resources r ON r.project_id = t.id
       WHERE t.id LIKE '%${MARK}' AND r.created_at < now() - interval '1 day'
         AND NOT EXISTS (SELECT FROM definitions d WHERE d.resource_id = r.id) LIMIT ${MAX_FORGOTTEN})`,
  );
  return (definitions.rowCount ?? 0) + (resources.rowCount ?? 0);
}
