import { expect, it } from 'vitest';
import {
  loadPayload,
  removeOrphanedPayloads,
  removePayloadsBefore,
  storePayload,
} from '../../store/steps/stored-payloads.js';
import { start, useStore, valueOf } from './support/store.js';

const store = useStore();
const content = (text: string) => Buffer.from(text);
const count = (workflowID: string) =>
  valueOf<number>(store, 'SELECT count(*)::int AS value FROM stored_payloads WHERE workflow_id = $1', [workflowID]);
const age = (workflowID: string) =>
  store.pool.query("UPDATE stored_payloads SET stored_at = now() - interval '31 days' WHERE workflow_id = $1", [
    workflowID,
  ]);

it('a value comes back as it was stored, however often that was', async () => {
  const [one, other] = await Promise.all([
    storePayload(store.pool, 'one', content('\0x')),
    storePayload(store.pool, 'one', content('\0x')),
  ]);
  expect(one).toEqual(other);
  expect(await loadPayload(store.pool, one)).toEqual(content('\0x'));
  expect(await count('one')).toBe(1);
});

it('a value that is missing or was changed is not taken for what was stored', async () => {
  const address = await storePayload(store.pool, 'changed', content('right'));
  await store.pool.query("UPDATE stored_payloads SET payload = 'wrong' WHERE workflow_id = 'changed'");
  await expect(loadPayload(store.pool, address)).rejects.toThrow(/is corrupt: its digest is/);
  await expect(loadPayload(store.pool, { ...address, workflowID: 'missing' })).rejects.toThrow(
    /has no value .* of workflow missing/,
  );
});

it('what only earlier runs needed is removed, and what was stored again since is not', async () => {
  await storePayload(store.pool, 'rotating', content('old'));
  await storePayload(store.pool, 'rotating', content('again'));
  await age('rotating');
  const again = await storePayload(store.pool, 'rotating', content('again'));
  await removePayloadsBefore(store.pool, 'rotating', new Date(Date.now() - 3_600_000));
  expect(await count('rotating')).toBe(1);
  expect(await loadPayload(store.pool, again)).toEqual(content('again'));
});

it('what belongs to no instance goes by its age, and what belongs to one stays as long as that', async () => {
  const workflowID = await start(store);
  for (const id of [workflowID, 'orphan', 'young']) await storePayload(store.pool, id, content('x'));
  for (const id of [workflowID, 'orphan']) await age(id);
  while ((await removeOrphanedPayloads(store.pool)) > 0);
  expect([await count(workflowID), await count('orphan'), await count('young')]).toEqual([1, 0, 1]);
});
