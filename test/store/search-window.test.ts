import { expect, test, vi } from 'vitest';
import { searchBatches } from '../../store/search/search.js';
import { searchWindow } from '../../store/search/window.js';
import { deploy, projectID, start, useStore } from './support/store.js';

const store = useStore();

test('the window waits for a start that took its number earlier and commits later', async () => {
  const { definitionID } = await deploy(store);
  const late = await store.pool.connect();
  await late.query('BEGIN');
  await late.query(
    `INSERT INTO instances (workflow_id, root_workflow_id, project_id, definition_id, variables) VALUES ('late', 'late', $1, $2, '{}')`,
    [projectID, definitionID],
  );
  await start(store, { definitionID });

  let looks = 0;
  const query = store.database.query.bind(store.database);
  const spy = vi.spyOn(store.database, 'query').mockImplementation((async (text: string, values: unknown[]) => {
    if (text.includes('pg_locks') && (looks += 1) === 3) await late.query('COMMIT');
    return query(text, values);
  }) as never);
  const newest = await searchWindow(store.database, projectID, definitionID);
  spy.mockRestore();
  const request = { names: [], below: newest + 1, size: 10, prefilter: undefined, wantsError: false };
  const batches = searchBatches(store.database, { projectID, definitionID }, async () => ({
    ...request,
    milliseconds: 10_000,
  }));
  const { value: read } = await batches.next();
  late.release();
  expect(looks).toBeGreaterThanOrEqual(3);
  expect(read).toMatchObject({ candidates: 2, isEnd: true });
});

test('a start that never ends does not hold up searches forever', async () => {
  const { definitionID } = await deploy(store);
  await start(store, { definitionID });
  const late = await store.pool.connect();
  await late.query('BEGIN');
  await late.query(`UPDATE instances SET captured_at = now() WHERE definition_id = $1`, [definitionID]);
  expect(await searchWindow(store.database, projectID, definitionID)).toBeGreaterThan(0);
  await late.query('ROLLBACK');
  late.release();
});

test('without instances there is no window', async () => {
  const { definitionID } = await deploy(store);
  expect(await searchWindow(store.database, projectID, definitionID)).toBe(0);
});
