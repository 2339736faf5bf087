/** Ends tests of drafts that run for too long or whose draft was deleted, and erases the latter. */
import { eraseInstance } from '../retention/erase.js';
import { cancelThroughRelay } from '../instances/cancellation.js';
import { testProjectOf } from '../projects/tests.js';
import { rows, type Database, type Transaction } from '../sql/database.js';

/** The most tests that one page cancels or erases. */
const MAX_TESTS_PER_PAGE = 50;

const DELETED = 'The draft was deleted';

interface Test {
  projectID: string;
  workflowID: string;
}

/** Cancels the tests of a draft that is being deleted. */
export async function cancelTestsOf(transaction: Transaction, projectID: string, draftID: string): Promise<void> {
  const running = await rows<Test>(
    transaction,
    `SELECT i.project_id AS "projectID", i.workflow_id AS "workflowID" FROM resources r
       JOIN definitions d ON d.resource_id = r.id JOIN instances i ON i.definition_id = d.id
     WHERE r.project_id = $1 AND r.tested_draft = $2 AND i.parent_workflow_id IS NULL AND i.status = 'RUNNING'
     ORDER BY i.workflow_id`,
    [testProjectOf(projectID), draftID],
  );
  for (const one of running) await cancelThroughRelay(transaction, { ...one, reason: DELETED });
}

export interface EndedTests {
  /** The page after it begins behind this instance; undefined after the last page. */
  last: string | undefined;
  /** Why some of them were not ended. They are tried again with the next walk. */
  failures: readonly unknown[];
}

/**
 * Erases a page of ended tests whose draft was deleted, and cancels those that were just being started then. Retention
 * deletes all others a day after their end.
 * @param after the last instance of the page before
 */
export async function endTestsOfDeletedDrafts(database: Database, after = ''): Promise<EndedTests> {
  const tests = await rows<Test & { isRunning: boolean }>(
    database,
    `SELECT i.project_id AS "projectID", i.workflow_id AS "workflowID", i.status = 'RUNNING' AS "isRunning" FROM resources r
       JOIN definitions d ON d.resource_id = r.id JOIN instances i ON i.definition_id = d.id
     WHERE r.project_id LIKE '%~tests' AND i.parent_workflow_id IS NULL AND NOT (i.status = 'RUNNING' AND i.canceling)
       AND NOT EXISTS (SELECT FROM resources draft WHERE draft.id = r.tested_draft) AND i.workflow_id > $1
     ORDER BY i.workflow_id LIMIT ${MAX_TESTS_PER_PAGE}`,
    [after],
  );
  return each(tests, ({ isRunning, ...test }) =>
    isRunning ? cancel(database, { ...test, reason: DELETED }) : eraseInstance(database, test),
  );
}

/** Cancels a page of tests that have run for a week. */
export async function cancelForgottenTests(database: Database, after = ''): Promise<EndedTests> {
  const forgotten = await rows<Test>(
    database,
    `SELECT i.project_id AS "projectID", i.workflow_id AS "workflowID" FROM projects p JOIN instances i ON i.project_id = p.id
     WHERE p.id LIKE '%~tests' AND i.parent_workflow_id IS NULL AND i.status = 'RUNNING' AND NOT i.canceling
       AND i.created_at < now() - interval '7 days' AND i.workflow_id > $1
     ORDER BY i.workflow_id LIMIT ${MAX_TESTS_PER_PAGE}`,
    [after],
  );
  return each(forgotten, (one) => cancel(database, { ...one, reason: 'The test has run for 7 days' }));
}

function cancel(database: Database, test: Test & { reason: string }): Promise<unknown> {
  return database.transaction((transaction) => cancelThroughRelay(transaction, test));
}

/** A test that fails to be ended does not stop the others. */
async function each<T extends Test>(tests: readonly T[], work: (test: T) => Promise<unknown>): Promise<EndedTests> {
  const failures: unknown[] = [];
  for (const test of tests) await work(test).catch((error: unknown) => failures.push(error));
  return { last: tests.length === MAX_TESTS_PER_PAGE ? tests.at(-1)!.workflowID : undefined, failures };
}
