import { beforeEach, expect, test } from 'vitest';
import { readBacklog } from '../../store/backlog.js';
import { FIND_LOCK, findUnfolded, foldNext } from '../../store/statistics/fold.js';
import { began, commitStep, start, useStore, valueOf } from './support/store.js';

const store = useStore();

beforeEach(async () => {
  await store.database.query("UPDATE statistics_progress SET checked_through = '', checked_at = 'epoch'");
  await store.database.query('TRUNCATE steps_to_fold');
});

/** Instances whose steps have lost their hints. */
async function unhinted(count: number): Promise<string[]> {
  const ids = [];
  for (let made = 0; made < count; made += 1) {
    const workflowID = await start(store);
    await commitStep(store, workflowID, 1, began);
    ids.push(workflowID);
  }
  await store.database.query('TRUNCATE steps_to_fold');
  return ids.toSorted();
}

const hinted = () =>
  valueOf<string[]>(
    store,
    `SELECT coalesce(array_agg(workflow_id ORDER BY workflow_id), '{}') AS value FROM steps_to_fold`,
  );

test('unfolded steps are found page by page, and a process that starts continues the walk', async () => {
  const ids = await unhinted(5);
  expect(await findUnfolded(store.database, 2)).toBe('more');
  expect(await hinted()).toEqual(ids.slice(0, 2));
  expect(await findUnfolded(store.database, 2)).toBe('more');
  expect(await hinted()).toEqual(ids.slice(0, 4));
  expect(await findUnfolded(store.database, 2)).toBe('done');
  expect(await hinted()).toEqual(ids);
  while ((await foldNext(store.database)).hasMore);
});

test('a walk over all instances rests before the next one, and finds nothing that is folded', async () => {
  await unhinted(1);
  expect(await findUnfolded(store.database)).toBe('done');
  while ((await foldNext(store.database)).hasMore);
  await unhinted(1);
  expect(await findUnfolded(store.database)).toBe('done');
  expect(await hinted()).toEqual([]);
  await store.database.query("UPDATE statistics_progress SET checked_at = now() - interval '7 hours'");
  expect(await findUnfolded(store.database)).toBe('done');
  expect(await hinted()).toHaveLength(1);
});

test('one process at a time looks for unfolded steps, and the fold does not wait for it', async () => {
  const [workflowID] = await unhinted(1);
  await store.database.transaction(async (looking) => {
    await looking.query('SELECT pg_advisory_xact_lock($1)', [FIND_LOCK]);
    expect(await findUnfolded(store.database)).toBe('busy');
    await store.database.query('INSERT INTO steps_to_fold VALUES ($1)', [workflowID]);
    expect(await foldNext(store.database)).toMatchObject({ steps: 1, isBusy: false });
  });
  expect(await findUnfolded(store.database)).toBe('done');
});

test('an instance whose steps are gone keeps no other one from being folded', async () => {
  const [lacking] = await unhinted(1);
  await store.database.query('DELETE FROM steps WHERE workflow_id = $1', [lacking]);
  const [other] = await unhinted(1);
  const walk = async () => {
    await store.database.query("UPDATE statistics_progress SET checked_at = 'epoch'");
    expect(await findUnfolded(store.database)).toBe('done');
  };
  await walk();
  expect(await hinted()).toEqual(expect.arrayContaining([lacking, other]));
  expect(await foldNext(store.database)).toMatchObject({ hasMore: false });
  await walk();
  expect(await hinted()).toEqual([]);
});

test('the first fold of existing histories is late from its beginning', async () => {
  await store.database.query("UPDATE statistics_progress SET as_of = 'epoch', begun_at = now() - interval '1 hour'");
  expect((await readBacklog(store.database)).statisticsAgeSeconds).toBe(0);
  await store.database.query("INSERT INTO steps_to_fold VALUES ('any')");
  expect((await readBacklog(store.database)).statisticsAgeSeconds).toBeGreaterThan(3_500);
});
