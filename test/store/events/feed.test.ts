/** The event feed: nothing missing, nothing twice, in order, whatever commits at once. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, test } from 'vitest';
import type { Fact } from '@perdure/engine/contract/facts.js';
import { readFeed, newestPosition, removeOldEvents, type StoredEvent } from '../../../store/events/feed.js';
import { assignPositions, hasFeeds, POSITIONS_LOCK } from '../../../store/events/positions.js';
import { eraseInstance } from '../../../store/retention/erase.js';
import { ensureProject } from '../../../store/projects/projects.js';
import { ensureTestProject, testProjectOf } from '../../../store/projects/tests.js';
import { claimUserTask, unclaimUserTask } from '../../../store/work/user-tasks/assignment.js';
import { began, commitStep, deploy, start, useStore, valueOf } from '../support/store.js';
import { assignAll, beginFeed, namesOf, readAll, readPart } from '../support/events.js';

const store = useStore();

async function projectWithFeed(): Promise<string> {
  const project = `p-${randomUUID()}`;
  await ensureProject(store.database, project);
  await beginFeed(store, project);
  return project;
}

const ended: Fact[] = [
  { kind: 'USER_TASK_COMPLETED', task: 3 },
  { kind: 'ELEMENT_COMPLETED', element: 1 },
  { kind: 'INSTANCE_COMPLETED' },
];

/** An instance with a task that is claimed, released, and completed. */
async function wholeInstance(project: string, definitionID: string): Promise<string> {
  const workflowID = await start(store, { project, definitionID });
  await commitStep(store, workflowID, 1, [...began, { kind: 'USER_TASK_CREATED', task: 3, element: 2, node: 'ask' }]);
  const key = { projectID: project, workflowID, number: 3 };
  await claimUserTask(store.database, key, 'ann');
  await unclaimUserTask(store.database, key, { actor: 'ann', byForce: false });
  await commitStep(store, workflowID, 2, ended);
  return workflowID;
}

const WHOLE = [
  'instance.started',
  'task.created',
  'task.assigned',
  'task.assigned',
  'task.completed',
  'instance.completed',
];

/** Follows the feed until it has so many events. */
async function followUntil(projectID: string, count: number): Promise<StoredEvent[]> {
  const seen: StoredEvent[] = [];
  for (let after = '0'; seen.length < count;) {
    const part = await readPart(store, { projectID, after, limit: 7 });
    seen.push(...part.events);
    after = part.next;
  }
  return seen;
}

test('followers see every event of concurrent writers once, those of an instance in their order', async () => {
  const project = await projectWithFeed();
  const { definitionID } = await deploy(store, undefined, { project });
  const count = 40;
  // A transaction that took its number first and commits last.
  const late = await store.pool.connect();
  await late.query('BEGIN');
  await late.query(
    `INSERT INTO events (project_id, type, subject, data) VALUES ($1, 'batch.completed', 'late', '{}')`,
    [project],
  );
  let writing = true;
  const assigning = Array.from({ length: 3 }, async () => {
    while (writing) await assignPositions(store.database);
  });
  const total = count * WHOLE.length + 2;
  const following = Array.from({ length: 2 }, () => followUntil(project, total));
  const workflowIDs = await Promise.all(Array.from({ length: count }, () => wholeInstance(project, definitionID)));
  await late.query('COMMIT');
  late.release();
  const [seen, again] = await Promise.all(following);
  writing = false;
  await Promise.all(assigning);

  expect(again).toEqual(seen);
  expect(new Set(seen!.map(({ position }) => position)).size).toBe(total);
  for (const workflowID of workflowIDs)
    expect(namesOf(seen!.filter(({ data }) => data['workflowID'] === workflowID))).toEqual(WHOLE);
  expect(seen!.filter(({ subject }) => subject === 'late')).toHaveLength(1);
  expect(await readAll(store, { projectID: project })).toEqual(seen);
});

test('the feed agrees with the facts of the instances', async () => {
  const project = await projectWithFeed();
  const { definitionID } = await deploy(store, undefined, { project });
  await Promise.all(Array.from({ length: 10 }, () => wholeInstance(project, definitionID)));
  const events = await readAll(store, { projectID: project });
  const counted = (types: string[]) => events.filter(({ type }) => types.includes(type)).length;
  const facts = await valueOf<number>(
    store,
    `SELECT count(*)::int AS value FROM steps s JOIN instances i USING (workflow_id) CROSS JOIN json_array_elements(s.facts) f
     WHERE i.project_id = $1 AND f ->> 'kind' IN ('USER_TASK_CREATED', 'USER_TASK_COMPLETED', 'INSTANCE_COMPLETED')`,
    [project],
  );
  expect(counted(['task.created', 'task.completed', 'instance.completed'])).toBe(facts);
});

test('a process that dies while it assigns positions leaves the events to the next one', async () => {
  const project = await projectWithFeed();
  await start(store, { project });
  const dying = new pg.Client({ connectionString: store.databaseUrl });
  dying.on('error', () => undefined);
  await dying.connect();
  await dying.query('BEGIN');
  const { rows } = await dying.query<{ pid: number }>('SELECT pg_backend_pid() AS pid, pg_advisory_xact_lock($1)', [
    POSITIONS_LOCK,
  ]);
  await dying.query(`UPDATE events SET position = nextval('event_positions') WHERE position IS NULL`);
  expect(await assignPositions(store.database)).toEqual({ projectIDs: [], isFull: false });
  expect((await readPart(store, { projectID: project })).events).toEqual([]);
  await store.database.query('SELECT pg_terminate_backend($1, 10000)', [rows[0]!.pid]);
  expect(namesOf(await readAll(store, { projectID: project }))).toEqual(['definition.deployed', 'instance.started']);
});

test('a change that is rolled back leaves no event', async () => {
  const project = await projectWithFeed();
  const workflowID = await start(store, { project });
  const created: Fact = { kind: 'USER_TASK_CREATED', task: 3, element: 2, node: 'ask' };
  await commitStep(store, workflowID, 1, [...began, created]);
  await expect(commitStep(store, workflowID, 2, [created])).rejects.toThrow();
  expect(namesOf(await readAll(store, { projectID: project })).filter((type) => type === 'task.created')).toHaveLength(
    1,
  );
});

test('a project without a feed gets no event and has none to read', async () => {
  const project = `p-${randomUUID()}`;
  await ensureProject(store.database, project);
  const { definitionID } = await deploy(store, undefined, { project });
  await wholeInstance(project, definitionID);
  expect(await valueOf(store, 'SELECT count(*)::int AS value FROM events WHERE project_id = $1', [project])).toBe(0);
  expect(await readFeed(store.database, { projectID: project, after: '0', limit: 1 })).toBeUndefined();
  expect(await newestPosition(store.database, project)).toBeUndefined();
});

test('tests of drafts make no events', async () => {
  const project = await projectWithFeed();
  await ensureTestProject(store.database, project);
  await start(store, { project: testProjectOf(project) });
  expect(await readAll(store, { projectID: project })).toEqual([]);
});

test('filters leave out other types and processes, and the next position passes over them', async () => {
  const project = await projectWithFeed();
  const first = await deploy(store, 'first', { project });
  const second = await deploy(store, 'second', { project });
  await start(store, { project, definitionID: first.definitionID });
  await start(store, { project, definitionID: second.definitionID });
  const ofSecond = await readAll(store, { projectID: project, processID: 'second' });
  expect(namesOf(ofSecond)).toEqual(['definition.deployed', 'instance.started']);
  const started = await readAll(store, { projectID: project, types: ['instance.started', 'batch.completed'] });
  expect(namesOf(started)).toEqual(['instance.started', 'instance.started']);
  const none = await readPart(store, { projectID: project, types: ['target.missed'] });
  expect(none).toMatchObject({ events: [], hasMore: false, next: await newestPosition(store.database, project) });
});

test('events that are older than the retention are removed, and positions before them expire', async () => {
  const project = await projectWithFeed();
  await start(store, { project });
  const [deployed, started] = await readAll(store, { projectID: project });
  await store.database.query(
    `UPDATE events SET recorded_at = now() - interval '2 hours' WHERE project_id = $1 AND position = $2`,
    [project, deployed!.position],
  );
  const read = (after: string) => readFeed(store.database, { projectID: project, after, limit: 10 });
  const before = String(BigInt(deployed!.position) - 1n);
  expect(await read(before)).toMatchObject({ kind: 'part', next: started!.position });
  await removeOldEvents(store.database);
  expect(await read(before)).toEqual({ kind: 'expired', oldest: deployed!.position });
  expect(await read(deployed!.position)).toMatchObject({ kind: 'part', events: [started] });
  expect(await read('0')).toMatchObject({ kind: 'part', events: [started] });
});

test('a position that no event has yet, as after a restore of an older backup, has expired', async () => {
  const project = await projectWithFeed();
  await start(store, { project });
  await assignAll(store);
  expect(await readFeed(store.database, { projectID: project, after: '900000000000000000', limit: 1 })).toMatchObject({
    kind: 'expired',
  });
});

test('ending a feed removes its events, and a new one begins after them', async () => {
  const project = await projectWithFeed();
  await start(store, { project });
  const [, started] = await readAll(store, { projectID: project });
  await beginFeed(store, project, null);
  expect(await readFeed(store.database, { projectID: project, after: '0', limit: 1 })).toBeUndefined();
  await beginFeed(store, project);
  expect(await readAll(store, { projectID: project })).toEqual([]);
  expect(await readFeed(store.database, { projectID: project, after: started!.position, limit: 1 })).toMatchObject({
    kind: 'expired',
  });
  // Events of the old feed are still stored, and a reader that begins now misses nothing of the new one.
  const from = await newestPosition(store.database, project);
  expect(await readPart(store, { projectID: project, after: from! })).toMatchObject({ events: [] });
  while (((await removeOldEvents(store.database)) ?? 1) > 0);
  expect(await valueOf(store, 'SELECT count(*)::int AS value FROM events WHERE project_id = $1', [project])).toBe(0);
  await start(store, { project });
  expect(namesOf(await readAll(store, { projectID: project }))).toContain('instance.started');
  expect((await readPart(store, { projectID: project, after: from! })).events).not.toEqual([]);
  await beginFeed(store, project, null);
  while (((await removeOldEvents(store.database)) ?? 1) > 0);
  expect(await valueOf(store, 'SELECT count(*)::int AS value FROM events WHERE project_id = $1', [project])).toBe(0);
});

test('events of an erased instance go with it', async () => {
  const project = await projectWithFeed();
  const { definitionID } = await deploy(store, undefined, { project });
  const [erased, kept] = [await wholeInstance(project, definitionID), await wholeInstance(project, definitionID)];
  await assignAll(store);
  await eraseInstance(store.database, { projectID: project, workflowID: erased });
  const left = await readAll(store, { projectID: project });
  expect(new Set(left.map(({ data }) => data['workflowID']))).toEqual(new Set([undefined, kept]));
});

test('there is work only as long as a project has a feed or events wait for a position', async () => {
  await store.database.query('UPDATE projects SET event_retention_ms = NULL');
  await assignAll(store);
  expect(await hasFeeds(store.database)).toBe(false);
  const project = await projectWithFeed();
  expect(await hasFeeds(store.database)).toBe(true);
  await start(store, { project });
  await beginFeed(store, project, null);
  expect(await hasFeeds(store.database)).toBe(true);
  await assignAll(store);
  expect(await hasFeeds(store.database)).toBe(false);
});
