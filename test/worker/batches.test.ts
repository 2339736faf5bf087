/** Batches that are slow, next to those of other projects. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startChores, type RunningChores } from '../../background/driver.js';
import { findBatch } from '../../store/batches/batches.js';
import { createBatch, type BatchRequest } from '../../store/batches/create.js';
import { runTurn, takeTurns } from '../../store/batches/turns.js';
import { lockWithAncestors } from '../../store/instances/locks.js';
import type { Transaction } from '../../store/sql/database.js';
import { lockFold } from '../../store/statistics/fold-instances.js';
import { batchRunner } from '../../worker/chores/batches.js';
import { silent } from '../support/host-services.js';
import { began, commitStep, deploy, start, useStore, valueOf } from '../store/support/store.js';

const store = useStore();
let chores: RunningChores | undefined;
const holds: (() => Promise<void>)[] = [];
// A batch of an earlier test would have the first turn.
beforeEach(() => store.database.query('DELETE FROM batches'));
afterEach(async () => {
  vi.restoreAllMocks();
  for (const letGo of holds.splice(0)) await letGo();
  await chores?.stop();
  chores = undefined;
});

const run = () => {
  chores = startChores({ chores: [batchRunner({ store: store.database, logger: silent })], logger: silent });
};

interface Accepted {
  batchID: string;
  projectID: string;
  workflowIDs: string[];
}

async function accept(operation: BatchRequest['operation'], count: number): Promise<Accepted> {
  const projectID = `project-${randomUUID()}`;
  const { definitionID } = await deploy(store, undefined, { project: projectID });
  const workflowIDs: string[] = [];
  while (workflowIDs.length < count) workflowIDs.push(await start(store, { project: projectID, definitionID }));
  if (operation === 'DELETE')
    for (const id of workflowIDs) await commitStep(store, id, 1, [...began, { kind: 'INSTANCE_COMPLETED' }]);
  const targets = { kind: 'instances' as const, workflowIDs };
  const request = { projectID, operation, targets, input: {}, createdBy: 'eda', itemsPerSecond: 500 };
  const accepted = await createBatch(store.database, request);
  if (accepted.kind !== 'created') throw new Error(`${accepted.total} targets`);
  await store.database.query("UPDATE batches SET paced_until = now() - interval '1 second' WHERE id = $1", [
    accepted.batchID,
  ]);
  return { batchID: accepted.batchID, projectID, workflowIDs };
}

const statusOf = async ({ projectID, batchID }: Accepted) =>
  (await findBatch(store.database, projectID, batchID))!.status;
const untilCompleted = (batch: Accepted) =>
  vi.waitFor(async () => expect(await statusOf(batch)).toBe('COMPLETED'), { timeout: 8_000, interval: 50 });
const begun = ({ batchID }: Accepted) =>
  valueOf<number>(
    store,
    'SELECT count(*)::int AS value FROM batch_items WHERE batch_id = $1 AND begun_at IS NOT NULL',
    [batchID],
  );

const isInTurn = ({ batchID }: Accepted) =>
  valueOf<boolean>(store, 'SELECT lease IS NOT NULL AS value FROM batches WHERE id = $1', [batchID]);

/** Something outside holds what `lock` locks, until the result is called or the test ends. */
async function hold(lock: (transaction: Transaction) => Promise<unknown>): Promise<() => Promise<void>> {
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  let ended!: Promise<void>;
  await new Promise<void>((resolve, reject) => {
    ended = store.database.transaction(async (transaction) => {
      await lock(transaction);
      resolve();
      await released;
    });
    ended.catch(reject);
  });
  const letGo = async () => {
    release();
    await ended;
  };
  holds.push(letGo);
  return letGo;
}

it('a batch of another project continues while a turn waits for a locked instance', async () => {
  const slow = await accept('RESUME', 1);
  const release = await hold((transaction) => lockWithAncestors(transaction, slow.workflowIDs[0]!));
  run();
  await vi.waitFor(async () => expect(await isInTurn(slow)).toBe(true));
  const other = await accept('RESUME', 60);
  await untilCompleted(other);
  expect(await statusOf(slow)).toBe('RUNNING');
  await release();
  await untilCompleted(slow);
}, 30_000);

it('a stop waits for the turns in progress', async () => {
  const slow = await accept('RESUME', 1);
  const release = await hold((transaction) => lockWithAncestors(transaction, slow.workflowIDs[0]!));
  run();
  await vi.waitFor(async () => expect(await isInTurn(slow)).toBe(true));
  const stopped = chores!.stop();
  await release();
  await stopped;
  expect(await begun(slow)).toBe(1);
});

it('an erasure whose statistics wait for the fold of another process is tried again later', async () => {
  const erase = await accept('DELETE', 3);
  const release = await hold(lockFold);
  const [turn] = await takeTurns(store.database, 1);
  await runTurn(store.database, turn!);
  expect(turn!.batchID).toBe(erase.batchID);
  expect(await begun(erase)).toBe(0);
  await release();
  run();
  await untilCompleted(erase);
  const left = 'SELECT count(*)::int AS value FROM instances WHERE workflow_id = ANY ($1)';
  expect(await valueOf<number>(store, left, [erase.workflowIDs])).toBe(0);
});

it('a turn that has taken its time leaves the other items to the next one', async () => {
  const batch = await accept('RESUME', 20);
  const [turn] = await takeTurns(store.database, 1);
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 1_500));
  await runTurn(store.database, turn!);
  vi.restoreAllMocks();
  expect(turn!.batchID).toBe(batch.batchID);
  expect(await begun(batch)).toBe(5);
  run();
  await untilCompleted(batch);
});
