import { expect, test } from 'vitest';
import { historyRetention } from '../../worker/chores/history-retention.js';
import { began, commitStep, foldAll, projectID, start, useStore, valueOf } from '../store/support/store.js';
import { runAll } from './support/chores.js';

const store = useStore();

test('runs remove old history, report how much, and continue where an interrupted one has stopped', async () => {
  const ids = await Promise.all([start(store), start(store)]);
  for (const id of ids) await commitStep(store, id, 1, [...began, { kind: 'INSTANCE_COMPLETED' }]);
  await store.database.query(`UPDATE instances SET completed_at = now() - interval '2 days' WHERE project_id = $1`, [
    projectID,
  ]);
  await foldAll(store);
  // One that was taken away before its rows were deleted.
  await store.database.query(
    'WITH gone AS (DELETE FROM instances WHERE workflow_id = $1) INSERT INTO removed_instances (workflow_id) VALUES ($1)',
    [ids[0]],
  );
  const told: unknown[] = [];
  const chores = historyRetention({
    store: store.database,
    defaultMilliseconds: 86_400_000,
    audit: { defaultMilliseconds: undefined, minimumMilliseconds: 0 },
    onRemoved: (...removed: unknown[]) => void told.push(removed),
  });
  await runAll(chores);
  await runAll(chores);
  expect(told).toEqual([['instance', 1]]);
  for (const table of ['instances', 'steps', 'removed_instances']) {
    expect(
      await valueOf(store, `SELECT count(*)::int AS value FROM ${table} WHERE workflow_id = ANY ($1)`, [ids]),
      table,
    ).toBe(0);
  }
});

test('a run that is asked to stop does nothing more', async () => {
  const id = await start(store);
  await commitStep(store, id, 1, [...began, { kind: 'INSTANCE_COMPLETED' }]);
  await store.database.query(`UPDATE instances SET completed_at = now() - interval '2 days' WHERE workflow_id = $1`, [
    id,
  ]);
  const told: unknown[] = [];
  const turn = { until: Infinity, stopping: AbortSignal.abort() };
  for (const chore of historyRetention({
    store: store.database,
    defaultMilliseconds: 1,
    audit: { defaultMilliseconds: undefined, minimumMilliseconds: 0 },
    onRemoved: (kind) => void told.push(kind),
  }))
    await chore.run(turn);
  expect(told).toEqual([]);
});
