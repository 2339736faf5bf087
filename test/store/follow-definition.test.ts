/** Locks of a migration: called instances follow the definition of their caller. */
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { deploy, projectID, start, useStore, valueOf } from './support/store.js';

const store = useStore();

/** Called instances whose rows are in the opposite order of their ids. */
async function callTwo(root: string, definitionID: string): Promise<[string, string]> {
  const ids = [`${root}-1`, `${root}-2`] as [string, string];
  for (const workflowID of ids.toReversed())
    await store.database.query(
      `INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, parent_workflow_id, depth, ancestor_definitions, variables)
       VALUES ($1, $2, $3, $4, $4, 1, ARRAY[$3::uuid], '{}')`,
      [workflowID, projectID, definitionID, root],
    );
  return ids;
}

test('a migration locks called instances in the order of other transactions, so that neither ends in a deadlock', async () => {
  const [one, other] = [await deploy(store), await deploy(store)];
  const root = await start(store, { definitionID: one.definitionID });
  const [first, second] = await callTwo(root, one.definitionID);
  const lock = 'SELECT FROM instances WHERE workflow_id = $1 FOR UPDATE';
  const isWaiting = () =>
    valueOf<boolean>(
      store,
      "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock') AS value",
    );
  const migrated = await store.database.transaction(async (transaction) => {
    await transaction.query(lock, [first]);
    const migrating = store.database.query('UPDATE instances SET definition_id = $2 WHERE workflow_id = $1', [
      root,
      other.definitionID,
    ]);
    await eventually(isWaiting, (waits) => waits);
    await transaction.query(lock, [second]);
    return { migrating };
  });
  await migrated.migrating;
  expect(
    await valueOf<string>(
      store,
      'SELECT ancestor_definitions[1]::text AS value FROM instances WHERE workflow_id = $1',
      [second],
    ),
  ).toBe(other.definitionID);
});
