/** How long audit entries are kept. */
import { expect, test } from 'vitest';
import { newWalk, removeOldEntries } from '../../store/audit/retention.js';
import { ensureProject } from '../../store/projects/projects.js';
import { rows } from '../../store/sql/database.js';
import { deploy, projectID, start, useStore } from './support/store.js';

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

/** A whole walk. @returns how many were removed */
async function removeAll(defaultMilliseconds?: number): Promise<number> {
  const walk = newWalk();
  let count = 0;
  for (;;) {
    const { removed, hasMore } = await removeOldEntries(store.database, defaultMilliseconds, walk);
    count += removed;
    if (!hasMore) return count;
  }
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

test('a call removes at most 1,000 entries of one project, and the walk returns to it after the others', async () => {
  const [many, other] = [await projectWith('many-a', 1), await projectWith('many-b', 1)];
  await entries(many, ...Array<number>(1001).fill(2));
  await entries(other, 2);
  const walk = { ...newWalk(), after: 'many' };
  const next = async () => (await removeOldEntries(store.database, undefined, walk)).removed;
  expect(await next()).toBe(1000);
  expect(await next()).toBe(1);
  expect(await agesLeft(other)).toEqual([]);
  await removeAll();
  expect(await agesLeft(many)).toEqual([]);
});

test('two hosts at once remove each entry once', async () => {
  const both = await projectWith('both', 1);
  await entries(both, ...Array<number>(3000).fill(2));
  const counts = await Promise.all([removeAll(), removeAll()]);
  expect(counts[0]! + counts[1]!).toBe(3000);
  expect(await agesLeft(both)).toEqual([]);
});

test('an entry that names an instance is kept as long as the instance, and is removed after it', async () => {
  const workflowID = await start(store);
  await store.database.query('UPDATE projects SET audit_retention_ms = $2 WHERE id = $1', [projectID, DAY]);
  await entries(projectID, 3);
  await store.database.query('UPDATE audit_entries SET workflow_id = $2 WHERE project_id = $1', [
    projectID,
    workflowID,
  ]);
  await entries(projectID, 2);
  await removeAll();
  expect(await agesLeft(projectID)).toEqual([3]);
  await store.database.query('DELETE FROM instances WHERE workflow_id = $1', [workflowID]);
  await removeAll();
  expect(await agesLeft(projectID)).toEqual([]);
});

test('an entry that suspends a definition is kept as long as the definition: timelines of its instances have it', async () => {
  const { definitionID } = await deploy(store);
  await store.database.query('UPDATE projects SET audit_retention_ms = $2 WHERE id = $1', [projectID, DAY]);
  await entries(projectID, 3);
  await store.database.query(
    "UPDATE audit_entries SET definition_id = $2, operation = 'SuspendBpmnDefinition' WHERE project_id = $1",
    [projectID, definitionID],
  );
  await removeAll();
  expect(await agesLeft(projectID)).toEqual([3]);
});
