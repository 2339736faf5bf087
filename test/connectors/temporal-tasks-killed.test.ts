/** A connector that dies around tasks on Temporal: each has exactly one execution, and its result arrives. */
import { NativeConnection, Worker } from '@temporalio/worker';
import { Client } from '@temporalio/client';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { sequenceModel, serviceTask } from '@perdure/testkit/models';
import { eventually } from '../support/eventually.js';
import type { HostProcess } from '../support/hosts/host-process.js';
import { temporalAddress, uniqueName } from '../support/infrastructure.js';
import { quietRuntime } from '../support/quiet-runtime.js';
import { startProcesses, type Connector, type Processes } from './support/processes.js';

vi.setConfig({ testTimeout: 180_000 });

const queue = uniqueName('payments');
/** How often the work of each order was done. */
const done = new Map<string, number>();
/** By order, what lets its work end. */
const gates = new Map<string, { isOpen: Promise<void>; open(): void }>();
function gateOf(order: string) {
  if (!gates.has(order)) {
    let open = (): void => undefined;
    const isOpen = new Promise<void>((resolve) => (open = resolve));
    gates.set(order, { isOpen, open });
  }
  return gates.get(order)!;
}

const activities = {
  async charge({ order }: { order: string }) {
    done.set(order, (done.get(order) ?? 0) + 1);
    await gateOf(order).isOpen;
    return { paid: true };
  },
};

let connection: NativeConnection;
let worker: Worker;
let ended: Promise<void>;
let processes: Processes;
let connector: Connector;
let host: HostProcess;
/** Instances by their orders. */
const instances = new Map<string, string>();
let canceledKey: string;

beforeAll(async () => {
  quietRuntime();
  connection = await NativeConnection.connect({ address: await temporalAddress() });
  worker = await Worker.create({ connection, taskQueue: queue, activities });
  ended = worker.run();
  const allowed = JSON.stringify({ demo: { taskQueues: [queue] } });
  processes = await startProcesses('https://none.example.com', {}, { TEMPORAL_TASKS_ALLOW: allowed });
  [host, connector] = await Promise.all([processes.startHost(), processes.startConnector()]);
  await killAtEveryPoint();
});
afterAll(async () => {
  await processes?.close();
  gateOf('canceled').open();
  worker?.shutdown();
  await ended;
  await connection?.close();
});

async function charge(order: string): Promise<string> {
  const task = serviceTask('call', {
    type: 'temporal:activity',
    retries: 5,
    inputs: { order: `="${order}"` },
    headers: { activity: 'charge', taskQueue: queue },
  });
  const workflowID = await processes.begin(sequenceModel(order, [task]));
  instances.set(order, workflowID);
  return workflowID;
}

const begun = (order: string) => eventually('the work', () => done.has(order) || undefined);

/** Statements that do this to executions wait for the lock, if the test holds it. */
async function lockAround(event: string, lock: number): Promise<void> {
  await processes.store.query(
    `CREATE OR REPLACE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(TG_ARGV[0]::bigint); RETURN NEW; END $$`,
  );
  await processes.store.query(
    `CREATE TRIGGER wait_for_test_${lock} BEFORE ${event} ON temporal_executions FOR EACH ROW EXECUTE FUNCTION wait_for_test('${lock}')`,
  );
}

const whileHolding = (lock: string, work: () => Promise<void>) =>
  processes.store.transaction(async (holder) => {
    await holder.query(lock);
    await work();
  });

const untilWaiting = (kind: 'advisory' | 'transactionid', count: number) =>
  eventually(`${count} statements that wait`, async () => {
    const { rowCount } = await processes.store.query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = $1",
      [kind],
    );
    return rowCount! >= count || undefined;
  });

/** Five tasks are at five points when the only connector dies. */
async function killAtEveryPoint(): Promise<void> {
  const [RECORD, START] = [4711, 4712];
  await lockAround('UPDATE OF run_id', RECORD);
  await lockAround('INSERT', START);
  const [reporting, canceled] = [await charge('reporting'), await charge('canceled'), await charge('working')];
  await Promise.all(['reporting', 'canceled', 'working'].map(begun));
  const jobs = await processes.call('viewer', 'GET', `/bpmn/instances/${canceled}/external-jobs`);
  canceledKey = jobs.data[0].executionKey;
  await whileHolding(`SELECT 1 FROM jobs WHERE workflow_id = '${reporting}' FOR UPDATE`, async () => {
    gateOf('reporting').open();
    await untilWaiting('transactionid', 1);
    await whileHolding(`SELECT pg_advisory_xact_lock(${RECORD})`, async () => {
      await charge('unrecorded');
      await untilWaiting('advisory', 1);
      await begun('unrecorded');
      await whileHolding(`SELECT pg_advisory_xact_lock(${START})`, async () => {
        await charge('unstarted');
        await untilWaiting('advisory', 2);
        await processes.kill(connector);
      });
    });
  });
  await processes.call('editor', 'DELETE', `/bpmn/instances/${canceled}`);
  await processes.skipLeases();
  connector = await processes.startConnector();
  for (const order of ['working', 'unrecorded', 'unstarted']) gateOf(order).open();
}

/** The result is there, from one execution that did the work once. */
async function expectOnce(order: string): Promise<void> {
  const workflowID = instances.get(order)!;
  expect(await processes.untilCompleted(workflowID)).toMatchObject({ paid: true });
  expect(done.get(order)).toBe(1);
  const left = () => processes.store.query('SELECT 1 FROM temporal_executions WHERE workflow_id = $1', [workflowID]);
  await eventually(left, ({ rowCount }) => rowCount === 0);
}

it('a connector that dies before the start is recorded leaves nothing behind', () => expectOnce('unstarted'));

it('a connector that dies between the start and its record leaves an execution that the next one finds', () =>
  expectOnce('unrecorded'));

it('a connector that dies while the work is done is replaced by one that hears of its end', () =>
  expectOnce('working'));

it('a connector that dies with the result is replaced by one that reports it', () => expectOnce('reporting'));

it('a job that is canceled while no connector lives cancels its execution once one does', async () => {
  const runner = new Client({ connection }).workflow.getHandle(`perdure-task:${canceledKey}`);
  await eventually(
    async () => (await runner.describe()).status.name,
    (status) => status !== 'RUNNING',
  );
  expect(host.child.exitCode).toBeNull();
});
