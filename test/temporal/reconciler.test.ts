import type { Client } from '@temporalio/client';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findAdrift } from '../../scripts/realign/find-adrift.js';
import { startAgain } from '../../scripts/realign/repair.js';
import { reconcile } from '../../worker/reconciler.js';
import { processModel, serviceTask } from '../hosts/model.js';
import { eventually, openTemporalHost, type TemporalHost } from './support/temporal-host.js';

let host: TemporalHost;
beforeAll(async () => {
  host = await openTemporalHost();
  await host.deploy(processModel('oneJob', `<bpmn:startEvent id="start"/>${serviceTask('work')}<bpmn:endEvent id="end"/>`, 'a: start -> work\nb: work -> end'));
});
beforeEach(() => host.store.query("DELETE FROM instances WHERE status = 'RUNNING'"));
afterAll(() => host.close());

const adrift: number[] = [];
beforeEach(() => void adrift.splice(0));
const pass = () =>
  reconcile({ store: host.store, client: host.client, logger: pino({ level: 'silent' }), intervalMilliseconds: 0, onAdrift: (count) => adrift.push(count) }, new AbortController().signal);

/** A running instance, written long enough ago to be looked at. */
async function running(): Promise<string> {
  const id = await host.start('oneJob');
  await host.wait(id, 'job', 'work');
  await host.store.query("UPDATE instances SET created_at = now() - interval '1 hour' WHERE workflow_id = $1", [id]);
  return id;
}

test('an instance that was terminated in Temporal fails with the reason, and its job is gone', async () => {
  const terminated = await running();
  const untouched = await running();
  await host.handle(terminated).terminate('by hand');
  expect(await pass()).toBeUndefined();
  const row = await host.row(terminated);
  expect(row.status).toBe('FAILED');
  expect(row.failureReason).toMatch(/ended from outside: Temporal says TERMINATED/);
  const { rows } = await host.store.query('SELECT status FROM jobs WHERE workflow_id = $1', [terminated]);
  expect(rows).toEqual([{ status: 'CANCELED' }]);
  expect((await host.row(untouched)).status).toBe('RUNNING');
});

test('nothing is failed when too many would be at once', async () => {
  const lost = [];
  for (let index = 0; index < 6; index += 1) lost.push(await running());
  for (const id of lost) await host.handle(id).terminate();
  expect(await pass()).toMatch(/^6 of 6 running instances were ended from outside in Temporal, which is too many/);
  for (const id of lost) expect((await host.row(id)).status).toBe('RUNNING');

  const { adrift: found } = await findAdrift({ store: host.store, client: host.client, taskQueue: host.taskQueue, settleMilliseconds: 0 });
  // Other tests have left workflows behind whose rows are gone.
  expect(found.filter(({ hasRows }) => hasRows).map(({ workflowID }) => workflowID).toSorted()).toEqual(lost.toSorted());
  for (const id of lost) expect(await startAgain(host.store, host.instances, id)).toBe('started again at park 1');
  expect(await pass()).toBeUndefined();
  for (const id of lost) await host.completeJob(id, 'work');
  for (const id of lost) expect((await host.ended(id)).status).toBe('COMPLETED');
});

test('an instance whose workflow is gone is not failed but told of, and neither is any other then', async () => {
  const [gone, terminated] = [await running(), await running()];
  await host.handle(terminated).terminate('by hand');
  await forget(gone);
  expect(await pass()).toMatch(/^1 of 2 running instances have no workflow in Temporal, or one that has completed: Postgres and Temporal are not of the same moment/);
  expect(adrift).toEqual([1]);
  for (const id of [gone, terminated]) expect((await host.row(id)).status).toBe('RUNNING');
});

test('an instance that runs by rows older than the end of its workflow is not failed but told of', async () => {
  const id = await running();
  const before = await host.row(id);
  await host.completeJob(id, 'work');
  await host.handle(id).result();
  await host.store.query("UPDATE instances SET status = 'RUNNING', completed_at = NULL WHERE workflow_id = $1", [id]);
  expect(await pass()).toMatch(/^1 of 1 running instances have no workflow in Temporal, or one that has completed/);
  expect((await host.row(id)).status).toBe(before.status);
});

/** What a Temporal knows that is older than the instance. */
async function forget(workflowID: string): Promise<void> {
  await host.client.workflowService.deleteWorkflowExecution({ namespace: 'default', workflowExecution: { workflowId: workflowID } });
  await eventually('the workflow to be gone', () => host.handle(workflowID).describe().then(() => undefined, () => true));
}

test('an instance that Temporal had taken and does not know is started again', async () => {
  const id = await host.start('oneJob', {}, { send: false });
  await host.store.query("UPDATE instance_starts SET deliver_at = 'infinity' WHERE workflow_id = $1", [id]);
  await host.store.query("UPDATE instances SET created_at = now() - interval '1 hour' WHERE workflow_id = $1", [id]);
  expect(await pass()).toBeUndefined();
  await host.wait(id, 'job', 'work');
  expect((await host.row(id)).status).toBe('RUNNING');
});

test('an instance that runs is left alone', async () => {
  const id = await running();
  expect(await pass()).toBeUndefined();
  await host.completeJob(id, 'work');
  expect((await eventually('the end', async () => ((await host.row(id)).status === 'COMPLETED' ? true : undefined)))).toBe(true);
});

test('instances that end while they are looked at are not missed', async () => {
  const ids: string[] = [];
  for (let index = 0; index < 6; index += 1) ids.push(await running());
  const slow = endingBeforeAnswer();
  const problem = await reconcile({ store: host.store, client: slow, logger: pino({ level: 'silent' }), intervalMilliseconds: 0 }, new AbortController().signal);
  expect(problem).toBeUndefined();
  for (const id of ids) expect((await host.row(id)).status).toBe('COMPLETED');
});

/** The real client, but every instance has come to its end by the time its workflow is described. */
function endingBeforeAnswer(): Client {
  return {
    workflow: {
      getHandle: (id: string) => ({
        async describe() {
          await host.completeJob(id, 'work');
          await host.handle(id).result();
          return host.handle(id).describe();
        },
      }),
    },
  } as unknown as Client;
}

test('a workflow that comes back after its instance has failed is told and ends, and nothing is written', async () => {
  const id = await running();
  // A reset goes to a task that was completed; the park that has just been seen is written within it.
  await eventually('its first task', async () => ((await host.events(id)).includes('TaskCompleted') ? true : undefined));
  await host.handle(id).terminate('by hand');
  await pass();
  const { rows: before } = await host.store.query('SELECT number FROM parks WHERE workflow_id = $1', [id]);
  const { events } = await host.handle(id).fetchHistory();
  const lastTask = events!.findLast(({ workflowTaskCompletedEventAttributes }) => workflowTaskCompletedEventAttributes)!;
  const { runId } = await host.client.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: id },
    workflowTaskFinishEventId: lastTask.eventId!,
    reason: 'restored by hand',
    requestId: id,
  });
  // What reaches it is a step, and a step is a park.
  await host.instances.signal(id, { kind: 'SET_VARIABLES', variables: { late: true }, number: 1 });
  await host.client.workflow.getHandle(id, runId).result();
  expect(await host.row(id)).toMatchObject({ status: 'FAILED', failureReason: expect.stringContaining('TERMINATED') });
  expect((await host.store.query('SELECT number FROM parks WHERE workflow_id = $1', [id])).rows).toEqual(before);
});
