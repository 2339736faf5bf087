/** Descendants follow a canceled, suspended, or migrated ancestor, in pages of a bounded size. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Fact } from '@perdure/engine/contract/facts.js';
import { endCanceled } from '../../activities/end-canceled.js';
import { requestCancellation } from '../../activities/request-cancellation.js';
import { followNextParents } from '../../store/descendants/follow-parents.js';
import { cancelInstance } from '../../store/instances/cancellation.js';
import { ensureProject } from '../../store/projects/projects.js';
import { resumeInstance, suspendInstance } from '../../store/suspension/suspension.js';
import { suspendDefinition } from '../../store/suspension/definitions.js';
import { createLogger } from '../../telemetry/logger.js';
import { descendants } from '../../worker/chores/descendants.js';
import { began, commitStep, deploy, projectID, start, useStore, valueOf } from './support/store.js';

const store = useStore();
const by = { projectID, actor: 'ada' };
/** Rows below the root that one transaction changes. */
const PAGE = 500;
const CALLED = 3;
const BELOW_EACH = 300;
const BELOW_ALL = CALLED * BELOW_EACH;

beforeEach(async () => {
  await store.database.query('TRUNCATE parents_to_follow');
});

/** Three called instances of a root, and below each of them 300 with a job. `last` is not on the first page. */
async function tree(project = projectID): Promise<{ root: string; called: string[]; last: string }> {
  const { definitionID } = await deploy(store, undefined, { project });
  const root = await start(store, { definitionID, project });
  await commitStep(store, root, 1, began);
  const add = (depth: number, count: number) =>
    store.database.query(
      `INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, parent_workflow_id, parent_wait, depth, ancestor_definitions, variables, step_count)
       SELECT p.workflow_id || '-' || n, p.project_id, p.definition_id, $1, p.workflow_id, n, $2, p.ancestor_definitions || p.definition_id, '{}', 1
       FROM instances p, generate_series(1, $3::int) n WHERE p.root_workflow_id = $1 AND p.depth = $2 - 1 ORDER BY p.workflow_id, n`,
      [root, depth, count],
    );
  await add(1, CALLED);
  await add(2, BELOW_EACH);
  await store.database.query(
    `INSERT INTO jobs (workflow_id, number, project_id, definition_path, element, node_id, task_type, retries, created_at, available_at)
     SELECT workflow_id, 3, project_id, ancestor_definitions || definition_id, 2, 'task', 'pack', 3, now(), now()
     FROM instances WHERE root_workflow_id = $1 AND depth = 2`,
    [root],
  );
  return {
    root,
    called: Array.from({ length: CALLED }, (_, n) => `${root}-${n + 1}`),
    last: `${root}-${CALLED}-${BELOW_EACH}`,
  };
}

const countBelow = (root: string, condition: string) =>
  valueOf<number>(
    store,
    `SELECT count(*)::int AS value FROM instances i WHERE root_workflow_id = $1 AND depth = 2 AND ${condition}`,
    [root],
  );

const marked = (root: string) => countBelow(root, 'canceling');
const withheld = (root: string) =>
  countBelow(root, 'EXISTS (SELECT FROM jobs j WHERE j.workflow_id = i.workflow_id AND j.withheld)');
/** Most rows below the root that one transaction was the last to change. */
const largestChange = (root: string) =>
  valueOf<number>(
    store,
    'SELECT max(count)::int AS value FROM (SELECT count(*) FROM instances WHERE root_workflow_id = $1 AND depth > 0 GROUP BY xmin::text) changes',
    [root],
  );
const queued = () => valueOf<number>(store, 'SELECT count(*)::int AS value FROM parents_to_follow');

/** One run of the chore of a worker. */
const follow = () =>
  descendants({ store: store.database, logger: createLogger('silent') }).run({
    until: Infinity,
    stopping: new AbortController().signal,
  });

const canceled = (called: readonly string[]): Fact[] =>
  called.map((workflowID, index) => ({ kind: 'CHILD_CANCELED', child: index + 1, workflowID }));

function calls(workflowID: string, processID: string): Fact[] {
  return [
    { kind: 'ELEMENT_ACTIVATED', element: 2, node: 'call', scope: 1 },
    {
      kind: 'CHILD_CALLED',
      child: 3,
      element: 2,
      node: 'call',
      workflowID,
      processID,
      binding: { kind: 'latest' },
      variables: {},
      caughtErrors: [],
      depth: 3,
    },
  ];
}

describe('a cancel of a tree', () => {
  it.each<[string, (tree: { root: string; called: string[] }) => Promise<unknown>]>([
    ['an interruption of its calls', ({ root, called }) => commitStep(store, root, 2, canceled(called))],
    ['a request', ({ root }) => cancelInstance(store.database, { workflowID: root, projectID, awaited: false })],
    ['Temporal', ({ root }) => requestCancellation(store.database, { workflowID: root, projectID })],
  ])('by %s changes a page of the rows below, and a worker the others', async (_, cancel) => {
    const made = await tree();
    await cancel(made);
    expect(await marked(made.root)).toBeGreaterThanOrEqual(PAGE - CALLED);
    expect(await marked(made.root)).toBeLessThanOrEqual(PAGE);
    expect(await withheld(made.root)).toBe(await marked(made.root));
    expect(await follow()).toBe('done');
    expect([await marked(made.root), await withheld(made.root), await queued()]).toEqual([BELOW_ALL, BELOW_ALL, 0]);
    expect(await largestChange(made.root)).toBeLessThanOrEqual(CALLED + PAGE);
  });

  it('ends the root without its workflow before a worker has marked the others', async () => {
    const { root } = await tree();
    await requestCancellation(store.database, { workflowID: root, projectID });
    expect(await endCanceled(store.database, { projectID, workflowID: root, requested: true })).toBe(true);
    expect(await marked(root)).toBeLessThan(BELOW_ALL);
    await follow();
    expect(await marked(root)).toBe(BELOW_ALL);
  });

  it('lets no descendant move or call before a worker has marked it', async () => {
    const { root, last } = await tree();
    const processID = `called-${randomUUID()}`;
    await deploy(store, processID);
    await cancelInstance(store.database, { workflowID: root, projectID, awaited: false });
    expect(await valueOf(store, 'SELECT canceling AS value FROM instances WHERE workflow_id = $1', [last])).toBe(false);
    expect(await commitStep(store, last, 2, [])).toEqual({ kind: 'paused' });
    expect(await commitStep(store, last, 2, calls(`${last}-called`, processID))).toEqual({ kind: 'paused' });
    expect(await commitStep(store, last, 2, [{ kind: 'INSTANCE_CANCELED' }])).toEqual({ kind: 'accepted' });
  });

  it('is finished by another process if one dies within a page', async () => {
    const { root } = await tree();
    await cancelInstance(store.database, { workflowID: root, projectID, awaited: false });
    const before = await marked(root);
    const dying = {
      transaction: <T>(work: (transaction: never) => Promise<T>) =>
        store.database.transaction(async (transaction) => {
          await work(transaction as never);
          throw new Error('gone');
        }),
    };
    await expect(followNextParents(dying as never, projectID)).rejects.toThrow('gone');
    expect([await marked(root), (await queued()) > 0]).toEqual([before, true]);
    await Promise.all([follow(), follow()]);
    expect([await marked(root), await queued()]).toEqual([BELOW_ALL, 0]);
  });

  it('does not wait for a larger one of another project', async () => {
    await ensureProject(store.database, 'calm');
    const busy = [await tree(), await tree()];
    const calm = await tree('calm');
    for (const { root } of busy) await cancelInstance(store.database, { workflowID: root, projectID, awaited: false });
    await cancelInstance(store.database, { workflowID: calm.root, projectID: 'calm', awaited: false });
    const stopping = new AbortController();
    let pages = 0;
    const stopsAfterTwo = {
      query: (...query: Parameters<typeof store.database.query>) => store.database.query(...query),
      transaction: (...work: Parameters<typeof store.database.transaction>) => {
        pages += 1;
        if (pages === 2) stopping.abort();
        return store.database.transaction(...work);
      },
    };
    await descendants({ store: stopsAfterTwo as never, logger: createLogger('silent') }).run({
      until: Infinity,
      stopping: stopping.signal,
    });
    expect(await marked(calm.root)).toBe(BELOW_ALL);
    expect((await marked(busy[0]!.root)) + (await marked(busy[1]!.root))).toBeLessThan(2 * BELOW_ALL);
  });
});

describe('a suspension of a tree', () => {
  it('changes a page of the rows below, lets none of the others move, and a worker marks them', async () => {
    const { root, last } = await tree();
    await suspendInstance(store.database, { ...by, workflowID: root });
    expect(await countBelow(root, 'ancestor_suspended')).toBeLessThanOrEqual(PAGE);
    expect(await commitStep(store, last, 2, [])).toMatchObject({ kind: 'paused', refusal: expect.any(String) });
    await follow();
    expect([await countBelow(root, 'ancestor_suspended'), await withheld(root)]).toEqual([BELOW_ALL, BELOW_ALL]);
    expect(await largestChange(root)).toBeLessThanOrEqual(PAGE);
  });

  it('ends for all below when it ends, also for rows that do not follow yet', async () => {
    const { root, last } = await tree();
    await suspendInstance(store.database, { ...by, workflowID: root });
    await follow();
    await resumeInstance(store.database, { ...by, workflowID: root });
    expect(await countBelow(root, 'ancestor_suspended')).toBeGreaterThan(0);
    expect(await commitStep(store, last, 2, [])).toEqual({ kind: 'accepted' });
    await follow();
    expect([await countBelow(root, 'ancestor_suspended'), await withheld(root), await queued()]).toEqual([0, 0, 0]);
  });

  it('that ends before a worker has marked all leaves no mark', async () => {
    const { root } = await tree();
    await suspendInstance(store.database, { ...by, workflowID: root });
    await resumeInstance(store.database, { ...by, workflowID: root });
    await follow();
    expect([await countBelow(root, 'ancestor_suspended'), await withheld(root), await queued()]).toEqual([0, 0, 0]);
  });
});

describe('a migration of a tree', () => {
  const onPath = (root: string, definitionID: string) =>
    countBelow(
      root,
      `ancestor_definitions[1] = '${definitionID}' AND EXISTS (SELECT FROM jobs j WHERE j.workflow_id = i.workflow_id AND j.definition_path[1] = '${definitionID}')`,
    );
  const migrate = (root: string, definitionID: string) =>
    store.database.query('UPDATE instances SET definition_id = $2 WHERE workflow_id = $1', [root, definitionID]);

  it('changes a page of the rows below, and a worker the others, with what they call in between', async () => {
    const { root, last } = await tree();
    const processID = `called-${randomUUID()}`;
    await deploy(store, processID);
    const { definitionID } = await deploy(store);
    await migrate(root, definitionID);
    const atOnce = await onPath(root, definitionID);
    expect([atOnce > 0, atOnce <= PAGE]).toEqual([true, true]);
    expect(await commitStep(store, last, 2, calls(`${last}-called`, processID))).toEqual({ kind: 'accepted' });
    await follow();
    expect([await onPath(root, definitionID), await queued()]).toEqual([BELOW_ALL, 0]);
    expect(await largestChange(root)).toBeLessThanOrEqual(PAGE);
    expect(
      await valueOf(store, 'SELECT ancestor_definitions[1]::text AS value FROM instances WHERE workflow_id = $1', [
        `${last}-called`,
      ]),
    ).toBe(definitionID);
  });

  it('to a suspended definition lets nothing below move, and one away from it everything', async () => {
    const { root, last } = await tree();
    const [suspended, other] = [await deploy(store), await deploy(store)];
    await suspendDefinition(store.database, { ...by, definitionID: suspended.definitionID });
    await migrate(root, suspended.definitionID);
    expect(await commitStep(store, last, 2, [])).toMatchObject({ kind: 'paused', refusal: expect.any(String) });
    await follow();
    await migrate(root, other.definitionID);
    expect(await commitStep(store, last, 2, [])).toEqual({ kind: 'accepted' });
  });
});
