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

/** In the order of test projects, and of starts in each. */
export interface PlaceOfTest {
  projectID: string;
  /** Of the instance. */
  number: string;
}

export interface EndedTests {
  /** The page after it begins behind this test; undefined after the last page. */
  last: PlaceOfTest | undefined;
  /** Why some of them were not ended. They are tried again with the next walk. */
  failures: readonly unknown[];
}

/**
 * Erases a page of ended tests whose draft was deleted, and cancels those that were just being started then. Retention
 * deletes all others a day after their end.
 * @param after the last test of the page before
 */
export async function endTestsOfDeletedDrafts(database: Database, after?: PlaceOfTest): Promise<EndedTests> {
  const tests = await pageOfTests(
    database,
    `NOT (i.status = 'RUNNING' AND i.canceling) AND (
       SELECT draft.id IS NULL FROM definitions d JOIN resources r ON r.id = d.resource_id
         LEFT JOIN resources draft ON draft.id = r.tested_draft WHERE d.id = i.definition_id)`,
    after,
  );
  return each(tests, (test) =>
    test.isRunning ? cancel(database, { ...test, reason: DELETED }) : eraseInstance(database, test),
  );
}

/** Cancels a page of tests that have run for a week. */
export async function cancelForgottenTests(database: Database, after?: PlaceOfTest): Promise<EndedTests> {
  const forgotten = await pageOfTests(
    database,
    // By the status, Postgres could walk the running instances of all projects in the order of an index.
    "i.completed_at IS NULL AND NOT i.canceling AND i.created_at < now() - interval '7 days'",
    after,
  );
  return each(forgotten, (one) => cancel(database, { ...one, reason: 'The test has run for 7 days' }));
}

interface PlacedTest extends Test, PlaceOfTest {
  isRunning: boolean;
}

/**
 * Looks up the instances of each test project. Joined to all of them, in an order of all instances, Postgres would walk these.
 * @param condition on the instance `i`
 */
function pageOfTests(
  database: Database,
  condition: string,
  after: PlaceOfTest = { projectID: '', number: '0' },
): Promise<PlacedTest[]> {
  return rows<PlacedTest>(
    database,
    `SELECT p.id AS "projectID", i.workflow_id AS "workflowID", i.number::text, i.status = 'RUNNING' AS "isRunning"
     FROM projects p CROSS JOIN LATERAL (
       SELECT * FROM instances i
       WHERE i.project_id = p.id AND i.number > CASE WHEN p.id = $1 THEN $2::bigint ELSE 0 END AND i.parent_workflow_id IS NULL AND ${condition}
       ORDER BY i.number LIMIT ${MAX_TESTS_PER_PAGE}
     ) i WHERE p.id LIKE '%~tests' AND p.id >= $1 ORDER BY p.id, i.number LIMIT ${MAX_TESTS_PER_PAGE}`,
    [after.projectID, after.number],
  );
}

function cancel(database: Database, test: Test & { reason: string }): Promise<unknown> {
  return database.transaction((transaction) => cancelThroughRelay(transaction, test));
}

/** A test that fails to be ended does not stop the others. */
async function each(tests: readonly PlacedTest[], work: (test: PlacedTest) => Promise<unknown>): Promise<EndedTests> {
  const failures: unknown[] = [];
  for (const test of tests) await work(test).catch((error: unknown) => failures.push(error));
  return { last: tests.length === MAX_TESTS_PER_PAGE ? tests.at(-1) : undefined, failures };
}
