/** Settings of processes in the store: exact under races, and after anything dies in the middle. */
import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { startInstance, type StartDetails } from '../../store/instances/start.js';
import { countNext } from '../../store/processes/older-instances.js';
import { beginQueued, dueGroups } from '../../store/processes/queue.js';
import { readViolations, violationsSince } from '../../store/processes/violations.js';
import { cancelInstance } from '../../store/instances/cancellation.js';
import { foldNext } from '../../store/statistics/fold.js';
import { rows, type Database } from '../../store/sql/database.js';
import { firstTurn } from '../../store/turns/project-turns.js';
import { deployControlled, set } from './support/controlled.js';
import { killedAt } from './support/killed.js';
import { began, commitStep, deploy, projectID, start, useStore } from './support/store.js';

const store = useStore();

const begin = async (definitionID: string, more: Partial<StartDetails> = {}) => {
  const workflowID = randomUUID();
  const started = await startInstance(store.database, { projectID, definitionID, workflowID, variables: {}, ...more });
  return {
    workflowID,
    code: started.kind === 'refused' ? started.code : undefined,
    ...('queued' in started && { queued: started.queued }),
  };
};
const end = (workflowID: string, database: Database = store.database) =>
  commitStep({ ...store, database } as typeof store, workflowID, 1, [
    ...began,
    { kind: 'ELEMENT_COMPLETED', element: 1 },
    { kind: 'INSTANCE_COMPLETED' },
  ]);
const beginDue = async () => {
  for (const process of await dueGroups(store.database, 100)) await beginQueued(store.database, process);
};
const countsOf = (processID: string) =>
  rows<{ running: number; queued: number }>(
    store.database,
    'SELECT running, queued FROM concurrency_groups WHERE process_id = $1 ORDER BY id',
    [processID],
  );
const begunOf = async (processID: string) =>
  (
    await rows<{ workflowID: string }>(
      store.database,
      `SELECT i.workflow_id AS "workflowID" FROM instances i JOIN definitions d ON d.id = i.definition_id
       WHERE d.process_id = $1 AND i.status = 'RUNNING' AND NOT i.queued ORDER BY i.number`,
      [processID],
    )
  ).map(({ workflowID }) => workflowID);

it.each(['RUNNING', 'EVER'] as const)('%s: exactly one of many starts with a business id is written', async (rule) => {
  const { definitionID } = await deployControlled(store, { uniqueBusinessID: rule });
  const answers = await Promise.all(Array.from({ length: 50 }, () => begin(definitionID, { businessID: 'A' })));
  const [winner, ...more] = answers.filter(({ code }) => code === undefined);
  expect(more).toEqual([]);
  expect(answers.filter(({ code }) => code === 'BUSINESS_ID_TAKEN')).toHaveLength(49);
  await end(winner!.workflowID);
  const again = await Promise.all(Array.from({ length: 20 }, () => begin(definitionID, { businessID: 'A' })));
  expect(again.filter(({ code }) => code === undefined)).toHaveLength(rule === 'RUNNING' ? 1 : 0);
});

it('starts do not wait while the instances of a process are read for a new rule', async () => {
  const processID = `process-${randomUUID()}`;
  const { definitionID } = await deploy(store, processID);
  await begin(definitionID, { businessID: 'old' });
  const reads = vi.spyOn(store.database, 'query').mockImplementationOnce(async (...given) => {
    reads.mockRestore();
    // As if this were the first page of many: a start in the meantime has its answer.
    expect((await begin(definitionID, { businessID: 'new' })).code).toBeUndefined();
    return store.database.query(...(given as Parameters<typeof store.database.query>));
  });
  await set(store, processID, { uniqueBusinessID: 'EVER' });
  expect((await begin(definitionID, { businessID: 'old' })).code).toBe('BUSINESS_ID_TAKEN');
  expect((await begin(definitionID, { businessID: 'new' })).code).toBe('BUSINESS_ID_TAKEN');
});

it('a start with a taken id that comes while the instances are read keeps the rule from being set', async () => {
  const processID = `process-${randomUUID()}`;
  const { definitionID } = await deploy(store, processID);
  for (const businessID of ['a', 'b']) await begin(definitionID, { businessID });
  const process = { projectID, processID };
  const read = await readViolations(store.database, process, 'EVER');
  expect(read.businessIDs).toEqual([]);
  await begin(definitionID, { businessID: 'b' });
  const found = await store.database.transaction((transaction) => violationsSince(transaction, process, 'EVER', read));
  expect(found).toEqual(['b']);
  await expect(set(store, processID, { uniqueBusinessID: 'EVER' })).rejects.toThrow('several instances');
});

it('of thousands of instances, violations are found page by page, oldest first', async () => {
  const processID = `process-${randomUUID()}`;
  const { definitionID } = await deploy(store, processID);
  const insert = (prefix: string, ids: string) =>
    store.database.query(
      `INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, business_id, status, variables)
       SELECT $3 || n, $1, $2, $3 || n, ${ids}, 'COMPLETED', '{}' FROM generate_series(1, 6000) n`,
      [projectID, definitionID, prefix],
    );
  await insert(`${processID}-a-`, "'id-' || n");
  expect((await readViolations(store.database, { projectID, processID }, 'EVER')).businessIDs).toEqual([]);
  await insert(`${processID}-b-`, "CASE WHEN n % 1000 = 0 THEN 'id-' || n END");
  const ever = await readViolations(store.database, { projectID, processID }, 'EVER');
  expect(ever.businessIDs).toEqual(['id-1000', 'id-2000', 'id-3000', 'id-4000', 'id-5000']);
  expect((await readViolations(store.database, { projectID, processID }, 'RUNNING')).businessIDs).toEqual([]);
});

it('a rule that is turned on between starts lets none through that violates it', async () => {
  const processID = `process-${randomUUID()}`;
  const { definitionID } = await deploy(store, processID);
  const starts = Array.from({ length: 20 }, (_, n) => begin(definitionID, { businessID: `id-${n % 20}` }));
  const [answers] = await Promise.all([Promise.all(starts), set(store, processID, { uniqueBusinessID: 'EVER' })]);
  expect(answers.every(({ code }) => code === undefined)).toBe(true);
  const second = await Promise.all(
    Array.from({ length: 20 }, (_, n) => begin(definitionID, { businessID: `id-${n}` })),
  );
  expect(new Set(second.map(({ code }) => code))).toEqual(new Set(['BUSINESS_ID_TAKEN']));
});

it('never more instances of a key have begun than there are places, whatever starts and ends at once', async () => {
  const { definitionID, processID } = await deployControlled(store, { concurrentInstances: 3 });
  let open = 0;
  const started = await Promise.all(Array.from({ length: 30 }, () => begin(definitionID)));
  expect(started.filter(({ queued }) => queued === false)).toHaveLength(3);
  for (let round = 0; round < 10; round += 1) {
    const begun = await begunOf(processID);
    expect(begun.length).toBeLessThanOrEqual(3);
    open = begun.length;
    await Promise.all([...begun.map((workflowID) => end(workflowID)), beginDue(), beginDue()]);
    await beginDue();
  }
  expect(open).toBe(3);
  expect(await begunOf(processID)).toEqual([]);
  expect(await countsOf(processID)).toEqual([]);
});

it('the oldest queued instance begins first, and one whose row is locked holds back the younger ones', async () => {
  const { definitionID, processID } = await deployControlled(store, { concurrentInstances: 1 });
  const [first, second, third] = [await begin(definitionID), await begin(definitionID), await begin(definitionID)];
  await end(first.workflowID);
  await store.database.transaction(async (transaction) => {
    await transaction.query('SELECT FROM instances WHERE workflow_id = $1 FOR UPDATE', [second.workflowID]);
    await beginDue();
    expect(await begunOf(processID)).toEqual([]);
  });
  await new Promise((resolve) => setTimeout(resolve, 60));
  await beginDue();
  expect(await begunOf(processID)).toEqual([second.workflowID]);
  expect(third.queued).toBe(true);
});

it('the end of an instance that waited for the lock of the counting still frees its place', async () => {
  const processID = `process-${randomUUID()}`;
  const { definitionID } = await deploy(store, processID);
  const workflowID = await start(store, { definitionID });
  const others = await Promise.all(Array.from({ length: 20 }, () => start(store, { definitionID })));
  const ending = [workflowID, ...others].map((id) => end(id));
  await Promise.all([set(store, processID, { concurrentInstances: 5 }), ...ending]);
  await vi.waitFor(async () => {
    await countNext(store.database, firstTurn());
    expect(await rows(store.database, 'SELECT FROM counting_processes', [])).toEqual([]);
  });
  expect(await countsOf(processID)).toEqual([]);
  expect((await begin(definitionID)).queued).toBe(false);
});

it('a queued instance that is canceled frees its rank, and the counts agree', async () => {
  const { definitionID, processID } = await deployControlled(store, { concurrentInstances: 1, maxQueued: 1 });
  await begin(definitionID);
  const queued = await begin(definitionID);
  expect((await begin(definitionID)).code).toBe('LIMIT_REACHED');
  const canceled = await cancelInstance(store.database, { projectID, workflowID: queued.workflowID, awaited: false });
  expect(canceled).toMatchObject({ kind: 'submitted', isNew: false });
  expect(await countsOf(processID)).toEqual([{ running: 1, queued: 0 }]);
  expect((await begin(definitionID)).queued).toBe(true);
});

it('a queued instance counts as started in the statistics before its first step, once, at its acceptance', async () => {
  const { definitionID, processID } = await deployControlled(store, { concurrentInstances: 1 });
  const first = await begin(definitionID);
  const second = await begin(definitionID);
  const started = async () => {
    while ((await foldNext(store.database)).hasMore);
    const [sum] = await rows<{ started: number }>(
      store.database,
      `SELECT sum(started)::integer AS started FROM statistics WHERE process_id = $1 AND node_id = '' AND unit = 'day'`,
      [processID],
    );
    return sum!.started;
  };
  expect(await started()).toBe(1);
  await end(first.workflowID);
  await beginDue();
  expect(await begunOf(processID)).toEqual([second.workflowID]);
  await end(second.workflowID);
  expect(await started()).toBe(2);
});

it('a start of a process without settings reads and writes nothing of settings', async () => {
  const { definitionID } = await deploy(store);
  const sent: string[] = [];
  const counting = {
    query: (statement: { text: string }, ...rest: []) => {
      sent.push(statement.text ?? String(statement));
      return store.database.query(statement, ...rest);
    },
    transaction: store.database.transaction.bind(store.database),
    announce: store.database.announce.bind(store.database),
  };
  await startInstance(counting as never, { projectID, definitionID, workflowID: randomUUID(), variables: {} });
  expect(sent).toHaveLength(1);
  expect(sent[0]).not.toMatch(/process_settings|concurrency_groups|business_id_holders/);
});

it('a process that is killed while it begins an instance, or ends one, leaves it to the next, once', async () => {
  const { definitionID, processID } = await deployControlled(store, { concurrentInstances: 1 });
  const [first, second, third] = [await begin(definitionID), await begin(definitionID), await begin(definitionID)];
  await killedAt(store, ['SELECT FROM concurrency_groups FOR UPDATE'], (database) => end(first.workflowID, database));
  expect(await begunOf(processID)).toEqual([first.workflowID]);
  expect(await dueGroups(store.database, 100)).toEqual([]);
  await end(first.workflowID);
  const startOf = 'SELECT FROM instance_starts WHERE workflow_id = $1 FOR UPDATE';
  const [due] = await dueGroups(store.database, 100);
  await killedAt(store, [startOf, [second.workflowID]], (database) => beginQueued(database, due!));
  expect(await begunOf(processID)).toEqual([]);
  await Promise.all([beginDue(), beginDue()]);
  expect(await begunOf(processID)).toEqual([second.workflowID]);
  expect(await countsOf(processID)).toEqual([{ running: 1, queued: 1 }]);
  await end(second.workflowID);
  await beginDue();
  expect(await begunOf(processID)).toEqual([third.workflowID]);
});
