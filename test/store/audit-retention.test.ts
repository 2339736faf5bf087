/** How long audit entries are kept. */
import { expect, test } from 'vitest';
import { removeOldEntries } from '../../store/audit/retention.js';
import { ensureProject } from '../../store/projects/projects.js';
import { rows } from '../../store/sql/database.js';
import { useStore } from './support/store.js';

const store = useStore();

const DAY = 86_400_000;

async function projectWith(id: string, retentionDays: number | null): Promise<string> {
  await ensureProject(store.database, id);
  await store.database.query('UPDATE projects SET audit_retention_ms = $2 WHERE id = $1', [
    id,
    retentionDays === null ? null : retentionDays * DAY,
  ]);
  return id;
}

/** Writes entries that are so many days old. */
async function entries(project: string, ...days: number[]): Promise<void> {
  await store.database.query(
    `INSERT INTO audit_entries (project_id, recorded_at, actor, actor_type, via, operation, outcome)
     SELECT $1, now() - make_interval(days => age), 'ann', 'PERSON', 'REST', 'StartBpmnInstance', 'APPLIED' FROM unnest($2::int[]) age`,
    [project, days],
  );
}

async function removeAll(defaultMilliseconds?: number): Promise<void> {
  while ((await removeOldEntries(store.database, defaultMilliseconds)) > 0);
}

async function agesLeft(project: string): Promise<number[]> {
  const found = await rows<{ age: number }>(
    store.database,
    'SELECT extract(day FROM now() - recorded_at)::int AS age FROM audit_entries WHERE project_id = $1 ORDER BY id',
    [project],
  );
  return found.map(({ age }) => age);
}

test('the setting of a project overrides the default of the host', async () => {
  const short = await projectWith('short', 10);
  const long = await projectWith('long', 1000);
  const unset = await projectWith('unset', null);
  for (const project of [short, long, unset]) await entries(project, 500, 50, 5);
  await removeAll(100 * DAY);
  expect(await agesLeft(short)).toEqual([5]);
  expect(await agesLeft(long)).toEqual([500, 50, 5]);
  expect(await agesLeft(unset)).toEqual([50, 5]);
});

test('the default of the host is for projects without a row, too', async () => {
  await entries('only-in-tokens', 500, 5);
  await removeAll(100 * DAY);
  expect(await agesLeft('only-in-tokens')).toEqual([5]);
});

test('nothing is removed where neither says how long', async () => {
  const kept = await projectWith('kept', null);
  await entries(kept, 36_000, 5);
  await removeAll();
  expect(await agesLeft(kept)).toEqual([36_000, 5]);
});

test('a round removes at most 5,000, and the next one continues', async () => {
  const many = await projectWith('many', 1);
  await entries(many, ...Array<number>(5001).fill(2));
  expect(await removeOldEntries(store.database, undefined)).toBe(5000);
  expect(await removeOldEntries(store.database, undefined)).toBe(1);
  expect(await removeOldEntries(store.database, undefined)).toBe(0);
});

test('two hosts at once remove each entry once', async () => {
  const both = await projectWith('both', 1);
  await entries(both, ...Array<number>(3000).fill(2));
  const counts = await Promise.all([
    removeOldEntries(store.database, undefined),
    removeOldEntries(store.database, undefined),
  ]);
  expect(counts[0]! + counts[1]!).toBe(3000);
  expect(await agesLeft(both)).toEqual([]);
});
