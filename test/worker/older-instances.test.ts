/** Counting the instances that ran before their process had a limit: bounded, by turns, once, and resumed after a restart. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it, vi } from 'vitest';
import { countNext } from '../../store/processes/older-instances.js';
import { beginQueued, dueGroups } from '../../store/processes/queue.js';
import { DEFAULT_SETTINGS, replaceSettings } from '../../store/processes/settings.js';
import { startInstance } from '../../store/instances/start.js';
import { firstTurn } from '../../store/turns/project-turns.js';
import { createLogger } from '../../telemetry/logger.js';
import { olderInstances } from '../../worker/chores/older-instances.js';
import { outboxRelay } from '../../worker/outbox-relay.js';
import { deploy, start, useStore, valueOf } from '../store/support/store.js';

const store = useStore();
const never = new AbortController().signal;
const PAGE = 200;
/** More than a request counts. */
const MANY = 5_000;

interface Deployed {
  projectID: string;
  processID: string;
  definitionID: string;
}

/** A process with instances that run already. */
async function running(count: number, projectID: string = randomUUID()): Promise<Deployed> {
  const processID = `process-${randomUUID()}`;
  const { definitionID } = await deploy(store, processID, { project: projectID });
  await insert(definitionID, projectID, count);
  return { projectID, processID, definitionID };
}

const insert = (definitionID: string, projectID: string, count: number) =>
  store.database.query(
    `INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, variables)
     SELECT id, $2, $1, id, '{}' FROM (SELECT gen_random_uuid()::text AS id FROM generate_series(1, $3)) ids`,
    [definitionID, projectID, count],
  );

async function limit({ projectID, processID }: Deployed, concurrentInstances: number | null): Promise<void> {
  const settings = { ...DEFAULT_SETTINGS, concurrencyKeyTree: null, concurrentInstances };
  expect(await replaceSettings(store.database, { projectID, processID, settings })).toMatchObject({ kind: 'replaced' });
}

/** As if nothing were counted yet. */
async function uncounted(count: number, projectID?: string): Promise<Deployed> {
  const deployed = await running(0, projectID);
  await limit(deployed, MANY);
  await insert(deployed.definitionID, deployed.projectID, count);
  await store.database.query('INSERT INTO counting_processes (project_id, process_id) VALUES ($1, $2)', [
    deployed.projectID,
    deployed.processID,
  ]);
  return deployed;
}

const countedOf = ({ definitionID }: Deployed) =>
  valueOf<number>(
    store,
    'SELECT count(*)::int AS value FROM instances WHERE definition_id = $1 AND concurrency_group IS NOT NULL',
    [definitionID],
  );
const placesOf = ({ processID }: Deployed) =>
  valueOf<number>(
    store,
    'SELECT coalesce(sum(running), 0)::int AS value FROM concurrency_groups WHERE process_id = $1',
    [processID],
  );
const isCounting = ({ processID }: Deployed) =>
  valueOf<boolean>(store, 'SELECT EXISTS (SELECT FROM counting_processes WHERE process_id = $1) AS value', [processID]);
const isQueued = (workflowID: string) =>
  valueOf<boolean>(store, 'SELECT queued AS value FROM instances WHERE workflow_id = $1', [workflowID]);
const begin = async ({ projectID, definitionID }: Deployed) => {
  const workflowID = randomUUID();
  const started = await startInstance(store.database, { projectID, definitionID, workflowID, variables: {} });
  expect(started.kind).toBe('started');
  return workflowID;
};
const beginDue = async () => {
  for (const process of await dueGroups(store.database, 100)) await beginQueued(store.database, process);
};
const run = (until = Infinity, stopping = never) => olderInstances({ store: store.database }).run({ until, stopping });
/** Runs until all is counted. */
const countAll = () =>
  vi.waitFor(async () => {
    expect(await run()).toBe('done');
    expect(await valueOf<number>(store, 'SELECT count(*)::int AS value FROM counting_processes')).toBe(0);
  }, 20_000);

beforeEach(() => store.database.query('DELETE FROM counting_processes'));

it('a request that limits a process counts some of its instances, and the chore counts the others', async () => {
  const process = await running(MANY);
  await limit(process, MANY + 1);
  expect(await isCounting(process)).toBe(true);
  expect(await countedOf(process)).toBe(10 * PAGE);
  const [first, second] = [await begin(process), await begin(process)];
  await beginDue();
  expect([await isQueued(first), await isQueued(second)]).toEqual([true, true]);
  await countAll();
  await beginDue();
  expect([await isQueued(first), await isQueued(second)]).toEqual([false, true]);
  expect(await placesOf(process)).toBe(MANY + 1);
});

it('the limit is in force at the end of the request if few instances run', async () => {
  const process = await running(PAGE + 1);
  await limit(process, PAGE + 2);
  expect(await isCounting(process)).toBe(false);
  expect([await isQueued(await begin(process)), await isQueued(await begin(process))]).toEqual([false, true]);
});

it('a queued instance of another project begins before any page is counted', async () => {
  const big = await uncounted(MANY);
  const other = await running(0);
  await limit(other, 1);
  const [, queued] = [await begin(other), await begin(other)];
  await limit(other, 2);
  const relay = outboxRelay({
    store: store.database,
    notifications: {} as never,
    instances: {} as never,
    logger: createLogger('silent'),
  });
  await relay.find(({ name }) => name === 'queued_instances')!.run({ until: Infinity, stopping: never });
  expect(await isQueued(queued)).toBe(false);
  expect(await countedOf(big)).toBe(0);
});

it('a run counts a page of one process, then of one of the next project, until its share is used up', async () => {
  const [big, other] = [await uncounted(MANY, 'a'), await uncounted(MANY, 'b')];
  const turn = firstTurn();
  for (const counted of [
    [PAGE, 0],
    [PAGE, PAGE],
  ]) {
    await countNext(store.database, turn);
    expect([await countedOf(big), await countedOf(other)]).toEqual(counted);
  }
  expect(await run(performance.now() + 1)).toBe('more');
  expect((await countedOf(big)) + (await countedOf(other))).toBe(3 * PAGE);
});

it('processes of one project are counted by turns', async () => {
  const processes = [await uncounted(MANY, 'shop'), await uncounted(MANY, 'shop')];
  for (let calls = 0; calls < 2; calls += 1) await countNext(store.database, firstTurn());
  expect(await Promise.all(processes.map(countedOf))).toEqual([PAGE, PAGE]);
});

it('a worker that stops does so after a page, and the next one continues there', async () => {
  const process = await uncounted(3 * PAGE);
  const stopping = new AbortController();
  const counts = vi.spyOn(store.database, 'transaction').mockImplementationOnce((...given) => {
    counts.mockRestore();
    stopping.abort();
    return store.database.transaction(...given);
  });
  expect(await run(Infinity, stopping.signal)).toBe('more');
  expect(await countedOf(process)).toBe(PAGE);
  const position = () =>
    valueOf<number>(store, 'SELECT counted_through::int AS value FROM counting_processes WHERE process_id = $1', [
      process.processID,
    ]);
  const last = await valueOf<number>(
    store,
    'SELECT max(number)::int AS value FROM instances WHERE definition_id = $1 AND concurrency_group IS NOT NULL',
    [process.definitionID],
  );
  expect(await position()).toBe(last);
  await countAll();
  expect(await placesOf(process)).toBe(3 * PAGE);
});

it('a process that one worker counts is left alone by the others', async () => {
  const [taken, other] = [await uncounted(PAGE, 'shop'), await uncounted(PAGE, 'shop')];
  await store.database.transaction(async (transaction) => {
    await transaction.query('SELECT FROM counting_processes WHERE process_id = $1 FOR UPDATE', [taken.processID]);
    expect(await run()).toBe('done');
    expect([await countedOf(taken), await countedOf(other)]).toEqual([0, PAGE]);
  });
});

it('of many workers that count at once, each instance is counted by one', async () => {
  const process = await uncounted(10 * PAGE + 7);
  await Promise.all([countAll(), countAll(), countAll()]);
  expect(await placesOf(process)).toBe(10 * PAGE + 7);
});

it('instances of all versions are counted, also one that has migrated to another version', async () => {
  const process = await uncounted(2 * PAGE);
  const { definitionID: newer } = await deploy(store, process.processID, { project: process.projectID });
  await insert(newer, process.projectID, PAGE);
  await countNext(store.database, firstTurn());
  await store.database.query(
    `UPDATE instances SET definition_id = CASE WHEN definition_id = $1 THEN $2 ELSE $1 END
     WHERE definition_id IN ($1, $2) AND number % 2 = 0`,
    [process.definitionID, newer],
  );
  await countAll();
  expect(await placesOf(process)).toBe(3 * PAGE);
});

it('called instances are not counted', async () => {
  const process = await uncounted(PAGE);
  await store.database.query(
    'UPDATE instances SET parent_workflow_id = $2 WHERE definition_id = $1 AND number % 2 = 0',
    [process.definitionID, await start(store)],
  );
  await countAll();
  expect(await placesOf(process)).toBe(PAGE / 2);
});

it('while an instance is locked, others are counted, and nothing begins', async () => {
  const process = await uncounted(2 * PAGE);
  const queued = await begin(process);
  await store.database.transaction(async (transaction) => {
    await transaction.query(
      'SELECT FROM instances WHERE definition_id = $1 ORDER BY number LIMIT 1 FOR NO KEY UPDATE',
      [process.definitionID],
    );
    expect(await run()).toBe('done');
    expect(await placesOf(process)).toBe(PAGE - 1);
    await beginDue();
    expect(await isQueued(queued)).toBe(true);
  });
  await countAll();
  await beginDue();
  expect(await isQueued(queued)).toBe(false);
  expect(await placesOf(process)).toBe(2 * PAGE + 1);
});

it('a limit that is lifted and set again during the count includes the instances started in between', async () => {
  const process = await running(MANY);
  await limit(process, MANY);
  await limit(process, null);
  expect(await isCounting(process)).toBe(false);
  for (let starts = 0; starts < 3; starts += 1) expect(await isQueued(await begin(process))).toBe(false);
  await limit(process, MANY);
  await countAll();
  expect(await placesOf(process)).toBe(MANY + 3);
  expect(await isQueued(await begin(process))).toBe(true);
});

it('another limit does not begin the count again', async () => {
  const process = await running(MANY);
  await limit(process, MANY);
  const counted = await countedOf(process);
  await limit(process, MANY + 1);
  expect(await countedOf(process)).toBe(2 * counted);
});

it('a process whose instances cannot be counted is reported, and delays no other of its project', async () => {
  const [failing, other] = [await uncounted(PAGE, 'shop'), await uncounted(PAGE, 'shop')];
  await store.database.query(
    `CREATE FUNCTION refuse_count() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not counted'; END $$;
     CREATE TRIGGER refuse_count BEFORE UPDATE ON instances
       FOR EACH ROW WHEN (OLD.definition_id = '${failing.definitionID}') EXECUTE FUNCTION refuse_count()`,
  );
  await expect(run()).rejects.toThrow('not counted');
  expect(await run()).toBe('done');
  expect([await countedOf(failing), await countedOf(other)]).toEqual([0, PAGE]);
  await store.database.query('DROP TRIGGER refuse_count ON instances');
});
