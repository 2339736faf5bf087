/** One item that the database refuses for good does not stop the others. */
import { beforeAll, expect, test } from 'vitest';
import { findBatch, listBatchItems } from '../../store/batches/batches.js';
import { createBatch } from '../../store/batches/create.js';
import { runTurn, takeTurns } from '../../store/batches/turns.js';
import { channelsToMatch, matchChannel } from '../../store/messages/matching.js';
import { publish } from '../../store/messages/messages.js';
import { began, commitStep, projectID, start, useStore } from './support/store.js';

const store = useStore();

beforeAll(async () => {
  await store.database.query(`
    CREATE TABLE refused (workflow_id text);
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF EXISTS (SELECT FROM refused r WHERE r.workflow_id = NEW.workflow_id) THEN
        RAISE EXCEPTION 'refused on purpose' USING ERRCODE = '54000';
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON commands FOR EACH ROW EXECUTE FUNCTION refuse()`);
});

async function refuse(workflowID: string): Promise<void> {
  await store.database.query('INSERT INTO refused VALUES ($1)', [workflowID]);
}

test('an item of a batch that cannot be stored is rejected with the reason, and the others are begun', async () => {
  const workflowIDs = [await start(store), await start(store), await start(store)];
  await refuse(workflowIDs[1]!);
  const accepted = await createBatch(store.database, {
    projectID,
    operation: 'CANCEL',
    targets: { kind: 'instances', workflowIDs },
    input: {},
    createdBy: 'eda',
    itemsPerSecond: 500,
  });
  if (accepted.kind !== 'created') throw new Error('not created');
  const { batchID } = accepted;
  const key = { projectID, batchID };
  await expect
    .poll(async () => {
      for (const turn of await takeTurns(store.database, 5)) await runTurn(store.database, turn);
      const { data } = await listBatchItems(store.database, batchID, {}, { page: 1, pageSize: 10 });
      return data.map(({ workflowID, status }) => [workflowIDs.indexOf(workflowID), status]).sort();
    })
    .toContainEqual([1, 'REJECTED']);
  expect(await findBatch(store.database, key.projectID, key.batchID)).toMatchObject({ status: 'RUNNING' });
  const { data } = await listBatchItems(store.database, batchID, {}, { page: 1, pageSize: 10 });
  expect(data.find(({ status }) => status === 'REJECTED')).toMatchObject({
    message: 'The database cannot store the operation: refused on purpose (SQLSTATE 54000)',
  });
});

test('a channel whose match cannot be stored moves after the other channels', async () => {
  const workflowID = await start(store);
  await refuse(workflowID);
  await commitStep(store, workflowID, 1, [
    ...began,
    { kind: 'SUBSCRIPTION_OPENED', subscription: 2, element: 1, node: 'catch', type: 'message', name: 'poisoned' },
  ]);
  await publish(store.database, {
    projectID,
    type: 'message',
    name: 'poisoned',
    variables: {},
    publishedBy: 'eda',
    ttl: 60_000,
  });
  const [poisoned] = await channelsToMatch(store.database, 1);
  await expect(matchChannel(store.database, poisoned!, true)).rejects.toThrow('refused on purpose');
  expect(await channelsToMatch(store.database, 1)).toEqual([]);
});
