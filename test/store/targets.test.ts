/** Duration targets: which apply to what, and that each miss is recorded once. */
import { expect, it } from 'vitest';
import type { Fact } from '@perdure/engine/contract/facts.js';
import { ROOT } from '@perdure/engine/state/state.js';
import { findInstance } from '../../store/instances/instances.js';
import { foldNext, rebuildStatistics } from '../../store/statistics/fold.js';
import { readTargetCounts } from '../../store/targets/counts.js';
import { targetsInForce } from '../../store/targets/in-force.js';
import { readTargets, replaceTargets } from '../../store/targets/targets.js';
import { TargetWatch } from '../../store/targets/watch.js';
import { rows } from '../../store/sql/database.js';
import { beginFeed, readAll } from './support/events.js';
import { began, commitStep, deploy, foldAll, jobCreated, projectID, start, useStore } from './support/store.js';

const store = useStore();
const MINUTE = 60_000;

async function process(processID: string, targets: { nodeID: string; durationMs: number }[]): Promise<string> {
  const { definitionID } = await deploy(store, processID);
  expect(await replaceTargets(store.database, projectID, processID, targets)).toBeDefined();
  return definitionID;
}

/** An instance whose start, and that of its job, lie in the past; the targets are older. */
async function runningFor(definitionID: string, milliseconds: number): Promise<string> {
  await store.database.query(
    "UPDATE targets SET since = since - interval '1 day' WHERE until IS NULL AND since > now() - interval '1 hour'",
  );
  const workflowID = await start(store, { definitionID });
  await store.database.query(
    "UPDATE instances SET created_at = now() - $2 * interval '1 millisecond' WHERE workflow_id = $1",
    [workflowID, milliseconds],
  );
  await commitStep(store, workflowID, 1, [...began, ...jobCreated()], {
    inputs: { now: Date.now() - milliseconds, lastCommand: 0 },
  });
  return workflowID;
}

async function end(workflowID: string, facts: Fact[], now = Date.now()): Promise<void> {
  await commitStep(store, workflowID, 2, facts, { inputs: { now, lastCommand: 0 } });
}

const completed: Fact[] = [
  { kind: 'JOB_COMPLETED', job: 3 },
  { kind: 'ELEMENT_COMPLETED', element: 2 },
  { kind: 'INSTANCE_COMPLETED' },
];

async function missesOf(workflowID: string): Promise<string[]> {
  const found = await rows<{ node: string }>(
    store.database,
    'SELECT node_id AS node FROM target_misses WHERE workflow_id = $1 ORDER BY element',
    [workflowID],
  );
  return found.map(({ node }) => node);
}

async function countsOf(processID: string): Promise<unknown[]> {
  const range = { since: Date.now() - 86_400_000, until: Date.now() + 3_600_000 };
  return readTargetCounts(store.database, { projectID, processID, range });
}

it('the store replaces the targets of a process, and has none of a process that does not exist', async () => {
  await process('replaced', [
    { nodeID: '', durationMs: 5 * MINUTE },
    { nodeID: 'task', durationMs: MINUTE },
  ]);
  await replaceTargets(store.database, projectID, 'replaced', [{ nodeID: 'task', durationMs: 2 * MINUTE }]);
  expect(await readTargets(store.database, projectID, 'replaced')).toEqual([
    { nodeID: 'task', durationMs: 2 * MINUTE },
  ]);
  expect(await replaceTargets(store.database, projectID, 'nothing', [])).toBeUndefined();
  expect(await readTargets(store.database, projectID, 'nothing')).toBeUndefined();
});

it('the store leaves one present target for a node when two people replace it at once', async () => {
  await process('raced', []);
  const durations = Array.from({ length: 10 }, (_, index) => (index + 1) * MINUTE);
  await Promise.all(
    durations.map((durationMs) => replaceTargets(store.database, projectID, 'raced', [{ nodeID: '', durationMs }])),
  );
  expect(await readTargets(store.database, projectID, 'raced')).toHaveLength(1);
});

it('a hundred changes at once, to durations that alternate, leave one target in force at every moment', async () => {
  await process('alternating', [{ nodeID: '', durationMs: MINUTE }]);
  const changes = Array.from({ length: 100 }, (_, index) => ((index % 2) + 1) * MINUTE);
  await Promise.all(
    changes.map((durationMs) => replaceTargets(store.database, projectID, 'alternating', [{ nodeID: '', durationMs }])),
  );
  const [{ gaps, present } = { gaps: -1, present: -1 }] = await rows<{ gaps: number; present: number }>(
    store.database,
    `SELECT count(*) FILTER (WHERE until IS DISTINCT FROM next)::integer AS gaps, count(*) FILTER (WHERE until IS NULL)::integer AS present
     FROM (SELECT until, lead(since) OVER (ORDER BY since) AS next FROM targets WHERE project_id = $1 AND process_id = 'alternating') t`,
    [projectID],
  );
  expect({ gaps, present }).toEqual({ gaps: 0, present: 1 });
});

it('for work that begins now no former target is read, however many there are', async () => {
  await process('often', []);
  for (let minutes = 1; minutes <= 30; minutes += 1)
    await replaceTargets(store.database, projectID, 'often', [{ nodeID: 'task', durationMs: minutes * MINUTE }]);
  const read = (since: number) => targetsInForce(store.database, projectID, ['often'], since);
  expect(await read(0)).toHaveLength(30);
  expect(await read(Date.now() + MINUTE)).toMatchObject([{ durationMs: 30 * MINUTE, until: Infinity }]);
});

it('work that began under a target is counted after all targets of its process are removed', async () => {
  const definitionID = await process('removed', [{ nodeID: 'task', durationMs: 5 * MINUTE }]);
  const workflowID = await runningFor(definitionID, MINUTE);
  await foldAll(store);
  await replaceTargets(store.database, projectID, 'removed', []);
  await end(workflowID, completed);
  await foldAll(store);
  expect(await countsOf('removed')).toEqual([{ nodeID: 'task', durationMs: 5 * MINUTE, met: 1, missed: 0 }]);
});

it('the event feed has each miss once', async () => {
  await beginFeed(store, projectID);
  const definitionID = await process('told', [
    { nodeID: '', durationMs: 10 * MINUTE },
    { nodeID: 'task', durationMs: 5 * MINUTE },
  ]);
  const late = await runningFor(definitionID, 20 * MINUTE);
  await foldAll(store);
  await end(late, completed);
  await foldAll(store);
  await rebuildStatistics(store.database);
  await foldAll(store);
  const misses = (await readAll(store, { projectID })).filter(({ type }) => type === 'target.missed');
  expect(misses).toMatchObject([
    { subject: late, data: { workflowID: late, nodeID: 'task', duration: 'PT300S' } },
    { subject: late, data: { workflowID: late, processId: 'told', duration: 'PT600S' } },
  ]);
  await beginFeed(store, projectID, null);
});

it('the store records each miss of a target once, of open and of late work', async () => {
  const definitionID = await process('missed', [
    { nodeID: '', durationMs: 10 * MINUTE },
    { nodeID: 'task', durationMs: 5 * MINUTE },
  ]);
  const [inTime, late, open] = [
    await runningFor(definitionID, 3 * MINUTE),
    await runningFor(definitionID, 20 * MINUTE),
    await runningFor(definitionID, 7 * MINUTE),
  ];
  await end(inTime, completed);
  await end(late, completed);
  await foldAll(store);
  expect(await missesOf(inTime)).toEqual([]);
  expect(await missesOf(late)).toEqual(['', 'task']);
  expect(await missesOf(open)).toEqual(['task']);
  expect((await foldNext(store.database)).missed).toBe(0);
  await end(open, completed);
  await foldAll(store);
  expect(await missesOf(open)).toEqual(['task']);
  const counts = [
    { nodeID: '', durationMs: 10 * MINUTE, met: 2, missed: 1 },
    { nodeID: 'task', durationMs: 5 * MINUTE, met: 1, missed: 2 },
  ];
  expect(await countsOf('missed')).toEqual(counts);
  await rebuildStatistics(store.database);
  await foldAll(store);
  expect(await countsOf('missed')).toEqual(counts);
  expect(
    await rows(store.database, 'SELECT FROM target_dues WHERE workflow_id = ANY ($1)', [[inTime, late, open]]),
  ).toEqual([]);
});

it('the end of an instance costs its own open targets only, however many instances end in one turn', async () => {
  const instances = Array.from({ length: 300 }, (_, index) => `ended-${index}`);
  let reads = 0;
  const open = instances.flatMap((workflowID) =>
    [1, 2, 3].map((element) => ({
      get workflowID() {
        reads += 1;
        return workflowID;
      },
      element,
      dueAt: Infinity,
      durationMs: MINUTE,
      missed: false,
    })),
  );
  const removed: unknown[][] = [];
  const query = async (text: string, values: unknown[]) => {
    if (text.startsWith('DELETE FROM target_dues')) removed.push(values);
    return { rows: text.includes('FROM target_dues WHERE') ? open : [], rowCount: 0 };
  };
  const ended = instances.map((workflowID) => ({
    counter: 'completed' as const,
    definitionID: 'd',
    element: ROOT,
    nodeID: '',
    at: 1,
    times: 1 as const,
    instance: { workflowID, countsFrom: new Date(0) },
  }));
  const versions = new Map([['d', { projectID, processID: 'many', version: 1 }]]);
  await new TargetWatch(versions).follow({ query } as never, ended);
  expect(removed).toEqual([[instances.flatMap((id) => [id, id, id]), instances.flatMap(() => [1, 2, 3])]]);
  expect(reads).toBeLessThan(10 * open.length);
});

it('an instance shows whether it exceeds the target that applied when it began', async () => {
  const definitionID = await process('told', [{ nodeID: '', durationMs: 5 * MINUTE }]);
  const isOver = async (workflowID: string) => (await findInstance(store.database, projectID, workflowID))!.overTarget;
  const [over, under] = [await runningFor(definitionID, 6 * MINUTE), await runningFor(definitionID, 4 * MINUTE)];
  expect([await isOver(over), await isOver(under)]).toEqual([true, false]);
  await replaceTargets(store.database, projectID, 'told', [{ nodeID: '', durationMs: MINUTE }]);
  expect([await isOver(over), await isOver(under)]).toEqual([true, false]);
  await replaceTargets(store.database, projectID, 'told', []);
  expect([await isOver(over), await isOver(under)]).toEqual([true, false]);
});

it('the store follows a node through a migration that renames it', async () => {
  const definitionID = await process('moved', [{ nodeID: 'task', durationMs: 5 * MINUTE }]);
  const next = await deploy(store, 'moved');
  const workflowID = await runningFor(definitionID, 4 * MINUTE);
  const target = { definitionID: next.definitionID, version: 2, graphSha256: 'x' };
  await end(workflowID, [{ kind: 'INSTANCE_MIGRATED', target, nodes: [['task', 'job']], flows: [] }]);
  await foldAll(store);
  await store.database.query("UPDATE target_dues SET due_at = now() - interval '1 hour' WHERE workflow_id = $1", [
    workflowID,
  ]);
  await foldAll(store);
  expect(await missesOf(workflowID)).toEqual(['job']);
});
