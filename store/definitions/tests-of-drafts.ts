/** Ends tests of drafts that are still running, and erases those whose draft was deleted. */
import { eraseInstance } from '../retention/erase.js';
import { cancelInstance, cancelInstanceIn } from '../instances/cancellation.js';
import { testProjectOf } from '../projects/tests.js';
import { rows, type Database, type Transaction } from '../sql/database.js';

/** The most tests that are canceled or erased at once. */
const MAX_TESTS_PER_STATEMENT = 200;

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
  for (const one of running)
    await cancelInstanceIn(transaction, { ...one, reason: 'The draft was deleted', awaited: false });
}

/** Erases ended tests whose draft was deleted. Retention deletes all others a day after their end. */
export async function eraseTestsOfDeletedDrafts(database: Database): Promise<void> {
  const ended = await rows<Test>(
    database,
    `SELECT i.project_id AS "projectID", i.workflow_id AS "workflowID" FROM resources r
       JOIN definitions d ON d.resource_id = r.id JOIN instances i ON i.definition_id = d.id
     WHERE r.project_id LIKE '%~tests' AND i.parent_workflow_id IS NULL AND i.status <> 'RUNNING'
       AND NOT EXISTS (SELECT FROM resources draft WHERE draft.id = r.tested_draft) LIMIT ${MAX_TESTS_PER_STATEMENT}`,
    [],
  );
  await each(ended, (test) => eraseInstance(database, test));
}

/** Cancels tests that have run for a week. */
export async function cancelForgottenTests(database: Database): Promise<void> {
  const forgotten = await rows<Test>(
    database,
    `SELECT i.project_id AS "projectID", i.workflow_id AS "workflowID" FROM projects p JOIN instances i ON i.project_id = p.id
     WHERE p.id LIKE '%~tests' AND i.parent_workflow_id IS NULL AND i.status = 'RUNNING' AND NOT i.canceling
       AND i.created_at < now() - interval '7 days' LIMIT ${MAX_TESTS_PER_STATEMENT}`,
    [],
  );
  await each(forgotten, (one) =>
    cancelInstance(database, { ...one, reason: 'The test has run for 7 days', awaited: false }),
  );
}

/** A test that fails to be ended does not stop the others. @throws the last failure, after all of them */
async function each(tests: readonly Test[], work: (test: Test) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const test of tests) await work(test).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures.at(-1);
}
