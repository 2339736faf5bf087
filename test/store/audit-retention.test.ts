/** How long audit entries are kept. */
import { expect, test } from 'vitest';
import { newWalk, removeOldEntries } from '../../store/audit/retention.js';
import { changeProjectSettings } from '../../store/projects/project-settings.js';
import { rows } from '../../store/sql/database.js';
import { deploy, projectID, start, useStore } from './support/store.js';

const store = useStore();

const DAY = 86_400_000;
const keepsByProject = { defaultMilliseconds: undefined, minimumMilliseconds: 0 };

async function projectWith(id: string, retentionDays: number | null): Promise<string> {
  await store.database.query('INSERT INTO projects (id, name, audit_retention_ms) VALUES ($1, $1, $2)', [
    id,
    retentionDays === null ? null : retentionDays * DAY,
  ]);
  return id;
}

async function setRetention(project: string, days: number | null): Promise<void> {
  await changeProjectSettings(store.database, project, { auditRetention: days === null ? null : days * DAY });
}

/** Also what was recorded before, as if the setting had never been another. */
async function keepForOneDay(project: string): Promise<void> {
  await setRetention(project, 1);
  await store.database.query('DELETE FROM audit_logs WHERE project_id = $1', [project]);
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
async function removeAll(defaultMilliseconds?: number, minimumMilliseconds = 0): Promise<number> {
  const walk = newWalk();
  let count = 0;
  for (;;) {
    const { removed, hasMore } = await removeOldEntries(
      store.database,
      { defaultMilliseconds, minimumMilliseconds },
      walk,
    );
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
  const next = async () => (await removeOldEntries(store.database, keepsByProject, walk)).removed;
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
  await keepForOneDay(projectID);
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
  await keepForOneDay(projectID);
  await entries(projectID, 3);
  await store.database.query(
    "UPDATE audit_entries SET definition_id = $2, operation = 'SuspendBpmnDefinition' WHERE project_id = $1",
    [projectID, definitionID],
  );
  await removeAll();
  expect(await agesLeft(projectID)).toEqual([3]);
});

test('no setting and no default removes an entry before the minimum of the host', async () => {
  const project = await projectWith('floor', 1);
  await entries(project, 100, 80, 2);
  await entries('floor-without-row', 100, 80);
  await removeAll(DAY, 90 * DAY);
  expect(await agesLeft(project)).toEqual([80, 2]);
  expect(await agesLeft('floor-without-row')).toEqual([80]);
});

test('a shorter setting removes nothing that was recorded before it, and its own entry neither', async () => {
  const project = await projectWith('shortened', 365);
  await entries(project, 400, 300, 50);
  await setRetention(project, 10);
  await store.database.query(
    "UPDATE audit_logs SET shortened_at = now() - interval '40 days' WHERE project_id = 'shortened'",
  );
  await entries(project, 30, 5);
  await removeAll();
  expect(await agesLeft(project)).toEqual([300, 50, 5]);
});

test('of several shorter settings, the longest one before them counts', async () => {
  const project = await projectWith('staircase', 1000);
  await entries(project, 1500, 900, 500);
  for (const days of [700, 10, 300, 20]) await setRetention(project, days);
  await removeAll();
  expect(await agesLeft(project)).toEqual([900, 500]);
});

test('entries that the default of the host kept are kept by it after a project sets a shorter time', async () => {
  const project = await projectWith('from-default', null);
  await entries(project, 500, 50);
  await setRetention(project, 10);
  await removeAll();
  expect(await agesLeft(project)).toEqual([500, 50]);
  await removeAll(100 * DAY);
  expect(await agesLeft(project)).toEqual([50]);
});

test('a longer setting is for all entries', async () => {
  const project = await projectWith('lengthened', 10);
  await entries(project, 50);
  await setRetention(project, 100);
  await removeAll();
  expect(await agesLeft(project)).toEqual([50]);
  expect(await rows(store.database, "SELECT 1 FROM audit_logs WHERE project_id = 'lengthened'", [])).toEqual([]);
});
