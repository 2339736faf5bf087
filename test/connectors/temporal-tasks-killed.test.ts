/** Connectors that die around a task on Temporal: there is exactly one execution, and its result arrives. */
import { NativeConnection, Worker } from '@temporalio/worker';
import { Client } from '@temporalio/client';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
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
let release: () => void;
let isReleased: Promise<void>;

const activities = {
  async charge({ order }: { order: string }) {
    done.set(order, (done.get(order) ?? 0) + 1);
    await isReleased;
    return { paid: true };
  },
};

let connection: NativeConnection;
let worker: Worker;
let ended: Promise<void>;
let processes: Processes;
let connector: Connector;
let host: HostProcess;
beforeAll(async () => {
  quietRuntime();
  connection = await NativeConnection.connect({ address: await temporalAddress() });
  worker = await Worker.create({ connection, taskQueue: queue, activities });
  ended = worker.run();
  processes = await startProcesses(
    'https://none.example.com',
    {},
    {
      TEMPORAL_TASKS_ALLOW: JSON.stringify({ demo: { taskQueues: [queue] } }),
    },
  );
  [host, connector] = await Promise.all([processes.startHost(), processes.startConnector()]);
});
afterAll(async () => {
  await processes?.close();
  worker?.shutdown();
  await ended;
  await connection?.close();
});

let order: string;
let tests = 0;
beforeEach(() => {
  order = `order-${(tests += 1)}`;
  isReleased = new Promise((resolve) => (release = resolve));
});

const charge = () =>
  processes.begin(
    sequenceModel(`charge${tests}`, [
      serviceTask('call', {
        type: 'temporal:activity',
        retries: 5,
        inputs: { order: `="${order}"` },
        headers: { activity: 'charge', taskQueue: queue },
      }),
    ]),
  );

async function kill(): Promise<void> {
  connector.child.kill('SIGKILL');
  await connector.exited;
}

/** Skips the lease of the one that died. */
async function replace(): Promise<void> {
  await processes.store.query("UPDATE jobs SET available_at = now(), lock_expires_at = now() WHERE status = 'PENDING'");
  connector = await processes.startConnector();
}

const begun = () => eventually('the work', () => (done.has(order) ? true : undefined));

/** The result is there, from one execution that did the work once. */
async function expectOnce(workflowID: string): Promise<void> {
  release();
  expect(await processes.untilCompleted(workflowID)).toMatchObject({ paid: true });
  expect(done.get(order)).toBe(1);
  const left = async () => (await processes.store.query('SELECT 1 FROM temporal_executions')).rows.length;
  await eventually(left, (count) => count === 0);
}

/** Statements that do this to the table wait until the test ends its transaction. */
async function withWaiting(event: string, test: () => Promise<void>): Promise<void> {
  await processes.store.query(
    `CREATE OR REPLACE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NEW; END $$`,
  );
  await processes.store.query(
    `CREATE TRIGGER wait_for_test BEFORE ${event} ON temporal_executions FOR EACH ROW EXECUTE FUNCTION wait_for_test()`,
  );
  await processes.store.transaction(async (holder) => {
    await holder.query('SELECT pg_advisory_xact_lock(4711)');
    await test();
  });
  await processes.store.query('DROP TRIGGER wait_for_test ON temporal_executions');
}

const untilWaiting = () =>
  eventually('the statement that waits', async () => {
    const { rowCount } = await processes.store.query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return rowCount ? true : undefined;
  });

it('a connector that dies before the start is recorded leaves nothing behind', async () => {
  let workflowID = '';
  await withWaiting('INSERT', async () => {
    workflowID = await charge();
    await untilWaiting();
    await kill();
  });
  await replace();
  await expectOnce(workflowID);
});

it('a connector that dies between the start and its record leaves an execution that the next one finds', async () => {
  let workflowID = '';
  await withWaiting('UPDATE OF run_id', async () => {
    workflowID = await charge();
    await untilWaiting();
    await begun().catch(() => undefined);
    await kill();
  });
  await replace();
  await expectOnce(workflowID);
});

it('a connector that dies while the work is done is replaced by one that hears of its end', async () => {
  const workflowID = await charge();
  await begun();
  await kill();
  await replace();
  await expectOnce(workflowID);
});

it('a connector that dies with the result is replaced by one that reports it', async () => {
  const workflowID = await charge();
  await begun();
  await processes.store.transaction(async (holder) => {
    await holder.query('SELECT 1 FROM jobs WHERE workflow_id = $1 FOR UPDATE', [workflowID]);
    release();
    await untilWaiting();
    await kill();
  });
  await replace();
  await expectOnce(workflowID);
});

it('a job that is canceled while no connector lives cancels its execution once one does', async () => {
  const workflowID = await charge();
  await begun();
  const { data } = await processes.call('viewer', 'GET', `/bpmn/instances/${workflowID}/external-jobs`);
  await kill();
  await processes.call('editor', 'DELETE', `/bpmn/instances/${workflowID}`);
  connector = await processes.startConnector();
  const runner = new Client({ connection }).workflow.getHandle(`perdure-task:${data[0].executionKey}`);
  await eventually(
    async () => (await runner.describe()).status.name,
    (status) => status !== 'RUNNING',
  );
  release();
  expect(host.child.exitCode).toBeNull();
});
