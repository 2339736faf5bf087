import { expect, it } from 'vitest';
import { redactInstance } from '../../store/redaction/redact.js';
import {
  loadPayload,
  removePayloadsOf,
  runsWithPayloads,
  STORED_BY_START,
  storedByResync,
  storePayload,
} from '../../store/steps/stored-payloads.js';
import { projectID, start, useStore, valueOf } from './support/store.js';

const store = useStore();
const content = (text: string) => Buffer.from(text);
const count = (workflowID: string) =>
  valueOf<number>(store, 'SELECT count(*)::int AS value FROM stored_payloads WHERE workflow_id = $1', [workflowID]);
const keep = async (workflowID: string, storedBy: string, text: string) =>
  (await storePayload(store.database, { workflowID, storedBy }, content(text)))!;

it('a value comes back as it was stored, however often that was', async () => {
  const workflowID = await start(store);
  const [one, other] = await Promise.all([keep(workflowID, 'run', '\0x'), keep(workflowID, 'run', '\0x')]);
  expect(one).toEqual(other);
  expect(await loadPayload(store.database, one)).toEqual(content('\0x'));
  expect(await count(workflowID)).toBe(1);
});

it('a value that is missing or was changed is not taken for what was stored', async () => {
  const workflowID = await start(store);
  const address = await keep(workflowID, 'run', 'right');
  await store.database.query("UPDATE stored_payloads SET payload = 'wrong' WHERE workflow_id = $1", [workflowID]);
  await expect(loadPayload(store.database, address)).rejects.toThrow(/is corrupt: its digest is/);
  await expect(loadPayload(store.database, { ...address, workflowID: 'missing' })).rejects.toThrow(
    /has no value .* of workflow missing/,
  );
});

it('a value that two runs have stored is there until the second of them is over', async () => {
  const workflowID = await start(store);
  const first = await keep(workflowID, 'run-1', 'the same');
  const second = await keep(workflowID, 'run-2', 'the same');
  expect(second).toEqual(first);
  await removePayloadsOf(store.database, workflowID, ['run-1']);
  expect(await loadPayload(store.database, first)).toEqual(content('the same'));
  await removePayloadsOf(store.database, workflowID, ['run-1', 'run-2']);
  await expect(loadPayload(store.database, first)).rejects.toThrow(/has no value/);
});

it('only what the named runs of an instance have stored is removed, however much it is', async () => {
  const [workflowID, other] = [await start(store), await start(store)];
  for (let index = 0; index < 120; index += 1) await keep(workflowID, 'ended', `value ${index}`);
  for (const storedBy of [STORED_BY_START, storedByResync('1'), 'running']) await keep(workflowID, storedBy, 'x');
  await keep(other, 'ended', 'x');
  await removePayloadsOf(store.database, workflowID, ['unknown', 'ended']);
  expect([await count(workflowID), await count(other)]).toEqual([3, 1]);
});

it('the runs that a resync replaces are those that have stored values, not its own kind or the start', async () => {
  const workflowID = await start(store);
  for (const storedBy of ['run-1', 'run-2', STORED_BY_START, storedByResync('1')])
    await keep(workflowID, storedBy, 'x');
  expect((await runsWithPayloads(store.database, workflowID)).toSorted()).toEqual(['run-1', 'run-2']);
});

it('nothing is stored for an instance that does not exist, because nothing would delete it', async () => {
  expect(await storePayload(store.database, { workflowID: 'unknown', storedBy: 'run' }, content('x'))).toBeUndefined();
  expect(await count('unknown')).toBe(0);
});

it('nothing is stored for an instance whose variables were redacted', async () => {
  const workflowID = await start(store);
  await store.database.query("UPDATE instances SET status = 'COMPLETED', completed_at = now() WHERE workflow_id = $1", [
    workflowID,
  ]);
  await keep(workflowID, 'run', 'before');
  await redactInstance(store.database, { projectID, workflowID, variables: ['iban'] });
  expect(await storePayload(store.database, { workflowID, storedBy: 'run' }, content('after'))).toBeUndefined();
  expect(await count(workflowID)).toBe(0);
});

it('a value that comes while its instance is being erased does not stay behind', async () => {
  const workflowID = await start(store);
  let storing: Promise<unknown> | undefined;
  await store.database.transaction(async (transaction) => {
    await transaction.query('DELETE FROM instances WHERE workflow_id = $1', [workflowID]);
    storing = storePayload(store.database, { workflowID, storedBy: 'run' }, content('late'));
  });
  expect(await storing).toBeUndefined();
  expect(await count(workflowID)).toBe(0);
});
