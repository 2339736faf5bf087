import { expect, test } from 'vitest';
import { findBatch, listBatchItems, type Batch } from '../../store/batches/batches.js';
import { cancelBatch, pauseBatch, resumeBatch } from '../../store/batches/control.js';
import { createBatch, MAX_TARGETS, previewTargets, type Targets } from '../../store/batches/create.js';
import { MAX_BEGUN, runTurn, takeTurns } from '../../store/batches/turns.js';
import { instanceConditions } from '../../store/instances/filters.js';
import { removeOldBatch } from '../../store/retention/retention.js';
import { StoreClient } from '../../store/sql/store-client.js';
import { deploy, projectID, start, useStore } from './support/store.js';
import { openDatabase } from '../support/database.js';

const store = useStore();

/** `BATCH_TARGETS=10000 npx vitest run test/store/batches.test.ts` is the run of the issue. */
const TARGETS = Number(process.env.BATCH_TARGETS ?? 150);
const TEST_MS = 120_000 + TARGETS * 60;

async function instancesOf(count: number): Promise<{ definitionID: string; workflowIDs: string[] }> {
  const { definitionID } = await deploy(store);
  const workflowIDs: string[] = [];
  while (workflowIDs.length < count) {
    const group = Array.from({ length: Math.min(20, count - workflowIDs.length) }, () =>
      start(store, { definitionID }),
    );
    workflowIDs.push(...(await Promise.all(group)));
  }
  return { definitionID, workflowIDs };
}

async function accept(targets: Targets): Promise<string> {
  const accepted = await createBatch(store.database, {
    projectID,
    operation: 'CANCEL',
    targets,
    input: {},
    createdBy: 'eda',
    itemsPerSecond: 500,
  });
  if (accepted.kind !== 'created') throw new Error(`${accepted.total} targets`);
  return accepted.batchID;
}

const running = (definitionID: string): Targets => ({
  kind: 'instances',
  matching: instanceConditions(projectID, { definitionID, status: ['RUNNING'] }),
});

const batch = async (batchID: string): Promise<Batch> => (await findBatch(store.database, projectID, batchID))!;

/** A runner with its own connections, which can be cut at any moment. */
function startRunner(name: string) {
  const pool = openDatabase(store.databaseUrl, { application_name: name, max: 6, Client: StoreClient });
  let stopped = false;
  const loop = async () => {
    while (!stopped) {
      try {
        for (const turn of await takeTurns(pool, 2)) await runTurn(pool, turn);
      } catch {
        // As the worker's runner, it tries again.
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const ended = loop();
  return {
    /** Nothing it has sent and not committed stays; it never ends its turn. */
    async kill() {
      stopped = true;
      await store.database.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [
        name,
      ]);
      await ended;
      await pool.end();
      // Its turn would be due in 15 seconds.
      await store.database.query('UPDATE batches SET due_at = now() WHERE completed_at IS NULL AND lease IS NOT NULL');
    },
  };
}

/** Plays the instances: they apply each command. */
function startAnswering() {
  let stopped = false;
  const loop = async () => {
    while (!stopped) {
      await store.database.query("UPDATE commands SET status = 'APPLIED', applied_at = now() WHERE status = 'PENDING'");
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const ended = loop();
  return {
    async stop() {
      stopped = true;
      await ended;
    },
  };
}

/** Reads the batch until `isThere`; its counts add up at every read, and at most 50 items are begun. */
async function watch(batchID: string, isThere: (found: Batch) => boolean): Promise<Batch> {
  for (;;) {
    const found = await batch(batchID);
    expect(Object.values(found.counts).reduce((sum, count) => sum + count, 0)).toBe(found.total);
    expect(await begun(batchID)).toBeLessThanOrEqual(MAX_BEGUN);
    if (isThere(found)) return found;
  }
}

async function begun(batchID: string): Promise<number> {
  const { rows } = await store.database.query<{ count: number }>(
    "SELECT count(*)::int FROM batch_items WHERE batch_id = $1 AND status = 'PENDING' AND begun_at IS NOT NULL",
    [batchID],
  );
  return rows[0]!.count;
}

test(
  'each target is asked once, however often runners are killed, and the counts add up at every read',
  async () => {
    const { definitionID, workflowIDs } = await instancesOf(TARGETS);
    const batchID = await accept(running(definitionID));
    const answering = startAnswering();
    let runners = [startRunner('runner-0'), startRunner('runner-1')];
    const kills = 6;
    for (let kill = 1; kill <= kills; kill += 1) {
      await watch(batchID, ({ counts }) => counts.PENDING <= TARGETS - (TARGETS * kill) / (kills + 1));
      const [first, second] = runners;
      await first!.kill();
      runners = [second!, startRunner(`runner-${kill + 1}`)];
    }
    const done = await watch(batchID, ({ completedAt }) => completedAt !== null);
    await Promise.all(runners.map((runner) => runner.kill()));
    await answering.stop();
    expect(done).toMatchObject({ status: 'COMPLETED', total: TARGETS, counts: { APPLIED: TARGETS } });
    const { rows } = await store.database.query(
      'SELECT count(*)::int AS commands, count(DISTINCT workflow_id)::int AS asked, count(DISTINCT id)::int AS ids FROM commands WHERE workflow_id = ANY($1)',
      [workflowIDs],
    );
    expect(rows).toEqual([{ commands: TARGETS, asked: TARGETS, ids: TARGETS }]);
  },
  TEST_MS,
);

test('nothing is begun once a cancel is written, and what was begun is finished', async () => {
  const { definitionID } = await instancesOf(200);
  const batchID = await accept(running(definitionID));
  const runner = startRunner('canceled');
  await watch(batchID, ({ counts }) => counts.PENDING === 200 && counts.CANCELED === 0);
  while ((await begun(batchID)) === 0);
  expect(await cancelBatch(store.database, { projectID, batchID })).toEqual({ kind: 'done' });
  const open = await begun(batchID);
  const { counts } = await batch(batchID);
  expect(counts).toMatchObject({ PENDING: open, CANCELED: 200 - open });
  const answering = startAnswering();
  const done = await watch(batchID, ({ completedAt }) => completedAt !== null);
  await Promise.all([runner.kill(), answering.stop()]);
  expect(done).toMatchObject({ status: 'CANCELED', counts: { PENDING: 0, APPLIED: open, CANCELED: 200 - open } });
});

test('a runner that has lost its turn begins nothing', async () => {
  const { definitionID } = await instancesOf(3);
  const batchID = await accept(running(definitionID));
  await store.database.query("UPDATE batches SET paced_until = now() - interval '1 second' WHERE id = $1", [batchID]);
  const [late] = await takeTurns(store.database, 1);
  await store.database.query('UPDATE batches SET due_at = now() WHERE id = $1', [batchID]);
  const [next] = await takeTurns(store.database, 1);
  await runTurn(store.database, late!);
  expect(await begun(batchID)).toBe(0);
  await runTurn(store.database, next!);
  expect(await begun(batchID)).toBe(3);
});

test('the rate bounds what is begun, however many turns there are', async () => {
  const { definitionID } = await instancesOf(5);
  const batchID = await accept(running(definitionID));
  await store.database.query('UPDATE batches SET items_per_second = 1, paced_until = now() WHERE id = $1', [batchID]);
  const turnOf = async () => {
    await store.database.query('UPDATE batches SET due_at = now() WHERE id = $1', [batchID]);
    for (const turn of await takeTurns(store.database, 10))
      if (turn.batchID === batchID) await runTurn(store.database, turn);
  };
  // An hour without turns saves the time of one item.
  await store.database.query("UPDATE batches SET paced_until = now() - interval '1 hour' WHERE id = $1", [batchID]);
  await turnOf();
  expect(await begun(batchID)).toBe(1);
});

test('targets are frozen when the batch is accepted, and those that were named come oldest first', async () => {
  const { definitionID, workflowIDs } = await instancesOf(3);
  const { rows } = await store.database.query<{ id: string }>(
    'SELECT workflow_id AS id FROM instances WHERE definition_id = $1 ORDER BY number',
    [definitionID],
  );
  const oldest = rows.map(({ id }) => id);
  const batchID = await accept(running(definitionID));
  await start(store, { definitionID });
  const named = await accept({ kind: 'instances', workflowIDs: ['nothing', ...workflowIDs, workflowIDs[0]!] });
  const idsOf = async (id: string) =>
    (await listBatchItems(store.database, id, {}, { page: 1, pageSize: 10 })).data.map(({ workflowID }) => workflowID);
  expect(await idsOf(batchID)).toEqual(oldest);
  expect(await idsOf(named)).toEqual([...oldest, 'nothing']);
});

test('a batch over too many targets is refused with their number, and writes nothing', async () => {
  const { definitionID } = await deploy(store, 'crowded', { project: 'crowd' });
  const workflowID = await start(store, { definitionID, project: 'crowd' });
  await store.database.query(
    `INSERT INTO instances (workflow_id, project_id, definition_id, variables, root_workflow_id)
     SELECT workflow_id || '-' || n, project_id, definition_id, variables, root_workflow_id || '-' || n FROM instances, generate_series(1, $2) AS n WHERE workflow_id = $1`,
    [workflowID, MAX_TARGETS + 1],
  );
  const targets: Targets = { kind: 'instances', matching: instanceConditions('crowd', { definitionID }) };
  const request = { operation: 'CANCEL', targets, input: {}, createdBy: 'eda', itemsPerSecond: 50 } as const;
  const total = MAX_TARGETS + 2;
  expect(await createBatch(store.database, { ...request, projectID: 'crowd' })).toEqual({ kind: 'tooMany', total });
  expect(await previewTargets(store.database, 'crowd', targets)).toMatchObject({ total });
  await store.database.query(
    `DELETE FROM instances WHERE project_id = 'crowd' AND workflow_id LIKE '%-1' OR workflow_id LIKE '%-2'`,
  );
  const { rows } = await store.database.query("SELECT count(*)::int FROM batches WHERE project_id = 'crowd'");
  expect(rows).toEqual([{ count: 0 }]);
}, 120_000);

test('completed batches go with history retention, and drop the values of variables when they complete', async () => {
  const batchID = await accept({ kind: 'instances', workflowIDs: ['nothing'] });
  await store.database.query(
    'UPDATE batches SET input = \'{"variables": {"secret": 1}}\', paced_until = now() - interval \'1 second\' WHERE id = $1',
    [batchID],
  );
  const runner = startRunner('retained');
  await watch(batchID, ({ completedAt }) => completedAt !== null);
  await runner.kill();
  const { rows } = await store.database.query('SELECT input FROM batches WHERE id = $1', [batchID]);
  expect(rows).toEqual([{ input: null }]);
  await store.database.query("UPDATE batches SET completed_at = now() - interval '2 hours' WHERE id = $1", [batchID]);
  expect((await removeOldBatch(store.database, 10_800_000)).removed).toBe(0);
  expect((await removeOldBatch(store.database, 3_600_000)).removed).toBe(1);
  expect(await findBatch(store.database, projectID, batchID)).toBeUndefined();
});

test('pausing and resuming are refused once a batch has ended', async () => {
  const batchID = await accept({ kind: 'instances', workflowIDs: ['nothing'] });
  expect(await pauseBatch(store.database, { projectID, batchID })).toEqual({ kind: 'done' });
  expect(await resumeBatch(store.database, { projectID, batchID })).toEqual({ kind: 'done' });
  expect(await cancelBatch(store.database, { projectID, batchID })).toEqual({ kind: 'done' });
  expect(await pauseBatch(store.database, { projectID, batchID })).toMatchObject({ code: 'CONFLICT' });
  expect(await resumeBatch(store.database, { projectID: 'other', batchID })).toMatchObject({ code: 'NOT_FOUND' });
});
