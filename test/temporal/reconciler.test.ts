import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findDiverged } from '../../host/admin/resync/find-diverged.js';
import { startAgain } from '../../host/admin/resync/repair.js';
import { checkState } from '../../host/admin/verify/state-rules.js';
import { cancelInstance } from '../../store/instances/cancellation.js';
import { listFacts, stateAt } from '../../store/steps/replay.js';
import { createReconciler, type ReconcilerOptions } from '../../worker/reconciler/reconciler.js';
import { endEvent, processModel, serviceTask, startEvent } from '@perdure/testkit/models';
import { openTemporalHost, project, type TemporalHost } from './support/temporal-host.js';
import { eventually } from '../support/eventually.js';

let host: TemporalHost;
beforeAll(async () => {
  host = await openTemporalHost();
  await host.deploy(
    processModel(
      'caller',
      [
        startEvent('start'),
        '<bpmn:callActivity id="call"><bpmn:extensionElements><zeebe:calledElement processId="oneJob"/></bpmn:extensionElements></bpmn:callActivity>',
        endEvent('end'),
      ],
      ['a: start -> call', 'b: call -> end'],
    ),
  );
  await host.deploy(
    processModel(
      'oneJob',
      [startEvent('start'), serviceTask('work'), endEvent('end')],
      ['a: start -> work', 'b: work -> end'],
    ),
  );
});
beforeEach(() => host.store.query("DELETE FROM instances WHERE status = 'RUNNING'"));
afterAll(() => host.close());

const diverged: number[] = [];
beforeEach(() => void diverged.splice(0));
const options = () => ({
  store: host.store,
  client: host.client,
  taskQueue: host.taskQueue,
  logger: pino({ level: 'silent' }),
  onDiverged: (count: number) => void diverged.push(count),
});
/** One whole run of a chore. @returns the problem that it reports */
async function run(name: string, given: ReconcilerOptions): Promise<string | undefined> {
  const { chores, problem } = createReconciler(given);
  await chores.find((chore) => chore.name === name)!.run({ until: Infinity, stopping: new AbortController().signal });
  return problem();
}
const reconcile = (given: ReconcilerOptions) => run('missing_workflows', given);
const pass = () => reconcile(options());

/** A running instance, written long enough ago to be checked. */
async function running(): Promise<string> {
  const id = await host.start('oneJob');
  await host.wait(id, 'job', 'work');
  await host.store.query("UPDATE instances SET created_at = now() - interval '1 hour' WHERE workflow_id = $1", [id]);
  return id;
}

test('an instance that was terminated in Temporal fails with the reason, and its job is canceled', async () => {
  const terminated = await running();
  const untouched = await running();
  await host.handle(terminated).terminate('by hand');
  expect(await pass()).toBeUndefined();
  const row = await host.row(terminated);
  expect(row.status).toBe('FAILED');
  expect(row.failureReason).toMatch(/closed from outside: Temporal reports TERMINATED/);
  const { rows } = await host.store.query('SELECT status FROM jobs WHERE workflow_id = $1', [terminated]);
  expect(rows).toEqual([{ status: 'CANCELED' }]);
  expect((await host.row(untouched)).status).toBe('RUNNING');
});

test('an instance that was terminated in Temporal fails without requests for other instances', async () => {
  const terminated = await running();
  await running();
  await host.handle(terminated).terminate('by hand');
  let described = 0;
  const counting = describing((id) => {
    described += 1;
    return host.handle(id).describe();
  });
  const look = () => run('closed_workflows', { ...options(), client: counting });
  await eventually(
    'the list to have it',
    async () => (await look(), (await host.row(terminated)).status === 'FAILED' ? true : undefined),
  );
  expect(described, 'once to judge it, once while its row is locked').toBe(2);
});

test('a lost instance that cannot be ended does not keep others, and is ended by the next walk', async () => {
  const [stuck, other] = [await running(), await running()];
  for (const id of [stuck, other]) await host.handle(id).terminate('by hand');
  let asked = 0;
  const failing = describing(async (id) => {
    if (id === stuck) asked += 1;
    if (id === stuck && asked > 1) throw new Error('Temporal does not respond');
    return host.handle(id).describe();
  });
  await expect(reconcile({ ...options(), client: failing })).rejects.toThrow(
    '1 of 2 lost instances could not be ended; see the log',
  );
  expect([(await host.row(stuck)).status, (await host.row(other)).status]).toEqual(['RUNNING', 'FAILED']);
  expect(await pass()).toBeUndefined();
  expect((await host.row(stuck)).status).toBe('FAILED');
});

test('many instances terminated at once can be restarted for an hour and fail after it', async () => {
  const lost = [];
  for (let index = 0; index < 7; index += 1) lost.push(await running());
  for (const id of lost) await host.handle(id).terminate();
  expect(await pass()).toMatch(
    /^7 running instances have a workflow that was closed from outside, for example .*\. Because there are this many, the host waits an hour/,
  );
  for (const id of lost) expect((await host.row(id)).status).toBe('RUNNING');

  const { diverged: found } = await findDiverged({
    store: host.store,
    client: host.client,
    taskQueue: host.taskQueue,
    settleMilliseconds: 0,
  });
  // Other tests have left workflows behind whose rows are gone.
  expect(
    found
      .filter(({ hasRows }) => hasRows)
      .map(({ workflowID }) => workflowID)
      .toSorted(),
  ).toEqual(lost.toSorted());
  const [again, ...rest] = lost;
  expect(await startAgain(host.store, host.instances, again!)).toBe('restarted at step 1');
  const hourAgo = describing(async (id) => {
    const description = await host.handle(id).describe();
    return {
      ...description,
      closeTime: description.closeTime && new Date(description.closeTime.getTime() - 3_700_000),
    };
  });
  expect(await reconcile({ ...options(), client: hourAgo })).toBeUndefined();
  await host.completeJob(again!, 'work');
  expect((await host.ended(again!)).status).toBe('COMPLETED');
  for (const id of rest) expect((await host.row(id)).status).toBe('FAILED');
});

test('many terminated instances stay running while Temporal lacks the newest instances', async () => {
  const lost = [];
  for (let index = 0; index < 6; index += 1) lost.push(await running());
  const newest: string[] = [];
  for (let index = 0; index < 7; index += 1) newest.push(await running());
  for (const id of lost) await host.handle(id).terminate();
  const older = describing(async (id) => {
    if (newest.includes(id)) throw new WorkflowNotFoundError('unknown', id, undefined);
    return { ...(await host.handle(id).describe()), closeTime: new Date(0) };
  });
  await reconcile({ ...options(), client: older });
  expect(diverged).toEqual([7]);
  for (const id of [...lost, ...newest]) expect((await host.row(id)).status).toBe('RUNNING');
});

test('an instance without a workflow is reported and does not stop the repair of others', async () => {
  const [gone, terminated] = [await running(), await running()];
  await host.handle(terminated).terminate('by hand');
  await forget(gone);
  expect(await pass()).toMatch(
    new RegExp(`^1 of 2 running instances have no open workflow in Temporal: ${gone}\\. They are left unchanged`),
  );
  expect(diverged).toEqual([1]);
  expect((await host.row(gone)).status).toBe('RUNNING');
  expect((await host.row(terminated)).status).toBe('FAILED');
});

test('cancel ends an instance without a workflow, and the instances it called', async () => {
  const parent = await host.start('caller');
  const call = await host.wait(parent, 'child', 'call');
  const child = call.kind === 'child' ? call.workflowID : '';
  await host.wait(child, 'job', 'work');
  await host.write(parent, { kind: 'SET_VARIABLES', variables: { before: true } });
  await forget(parent);
  await forget(child);
  const canceled = await cancelInstance(host.store, {
    workflowID: parent,
    projectID: project,
    awaited: true,
    reason: 'not needed',
  });
  if (canceled.kind !== 'submitted') throw new Error(canceled.message);
  expect(await host.outcome(parent, canceled.command.number)).toMatchObject({ status: 'APPLIED' });
  for (const id of [parent, child]) {
    expect((await host.ended(id)).status).toBe('CANCELED');
    const { state, last } = await stateAt(host.store, id);
    expect(state).toMatchObject({ status: 'CANCELED', waits: {}, elements: {} });
    expect((await listFacts(host.store, id, { page: 1, pageSize: 100 }, ({ at }) => at)).data).toHaveLength(last);
    expect(await checkState(host.store, id)).toEqual([]);
  }
  const { rows } = await host.store.query("SELECT 1 FROM commands WHERE workflow_id = ANY($1) AND status = 'PENDING'", [
    [parent, child],
  ]);
  expect(rows).toEqual([]);
});

test('an instance terminated in Temporal while a cancel is pending is canceled', async () => {
  const id = await running();
  await host.handle(id).terminate();
  await host.write(id, { kind: 'CANCEL_INSTANCE' });
  await host.store.query("UPDATE commands SET deliver_at = 'infinity' WHERE workflow_id = $1", [id]);
  expect(await pass()).toBeUndefined();
  expect((await host.row(id)).status).toBe('CANCELED');
});

test('a running instance whose workflow has completed is reported and not failed', async () => {
  const id = await running();
  const before = await host.row(id);
  await host.completeJob(id, 'work');
  await host.handle(id).result();
  await host.store.query("UPDATE instances SET status = 'RUNNING', completed_at = NULL WHERE workflow_id = $1", [id]);
  expect(await pass()).toMatch(/^1 of 1 running instances have no open workflow in Temporal/);
  expect((await host.row(id)).status).toBe(before.status);
});

test('an instance whose id belonged to a closed workflow before a restore runs from its beginning', async () => {
  const id = await running();
  await host.completeJob(id, 'work');
  await host.handle(id).result();
  await forgetWhatItDid(id);
  await host.completeJob(id, 'work');
  expect((await host.ended(id)).status).toBe('COMPLETED');
});

test('an instance whose id belongs to an open workflow from before a restore is found by resync and runs from its beginning', async () => {
  const id = await running();
  await host.store.query('UPDATE instances SET created_at = now() WHERE workflow_id = $1', [id]);
  await forgetWhatItDid(id);
  const { diverged: found } = await findDiverged({
    store: host.store,
    client: host.client,
    taskQueue: host.taskQueue,
    settleMilliseconds: 0,
  });
  expect(found.filter(({ workflowID }) => workflowID === id)).toMatchObject([
    { found: expect.stringContaining('the later steps are lost in Postgres') },
  ]);
  expect(await startAgain(host.store, host.instances, id)).toBe('its start is sent again');
  await host.completeJob(id, 'work');
  expect((await host.ended(id)).status).toBe('COMPLETED');
});

/** An instance as its start has left it, with the start still to be sent. */
async function forgetWhatItDid(id: string): Promise<void> {
  for (const table of ['steps', 'far_steps', 'jobs', 'commands'])
    await host.store.query(`DELETE FROM ${table} WHERE workflow_id = $1`, [id]);
  await host.store.query(
    "UPDATE instances SET status = 'RUNNING', completed_at = NULL, step_count = 0, fact_count = 0, entry_count = 0, command_count = 0 WHERE workflow_id = $1",
    [id],
  );
  await host.store.query(
    "INSERT INTO instance_starts (workflow_id, project_id, input, deliver_at) SELECT workflow_id, project_id, '{}', now() FROM instances WHERE workflow_id = $1",
    [id],
  );
}

/** The responses of a Temporal that is older than the instance. */
async function forget(workflowID: string): Promise<void> {
  await host.client.workflowService.deleteWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: workflowID },
  });
  await eventually('the workflow to be gone', () =>
    host
      .handle(workflowID)
      .describe()
      .then(
        () => undefined,
        () => true,
      ),
  );
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
  expect(
    await eventually('the end', async () => ((await host.row(id)).status === 'COMPLETED' ? true : undefined)),
  ).toBe(true);
});

test('instances that end while they are checked are not missed', async () => {
  const ids: string[] = [];
  for (let index = 0; index < 6; index += 1) ids.push(await running());
  const slow = endingBeforeAnswer();
  const problem = await reconcile({
    store: host.store,
    client: slow,
    taskQueue: host.taskQueue,
    logger: pino({ level: 'silent' }),
  });
  expect(problem).toBeUndefined();
  for (const id of ids) expect((await host.row(id)).status).toBe('COMPLETED');
});

/** The real client, but every instance has ended by the time its workflow is described. */
function endingBeforeAnswer(): Client {
  return describing(async (id) => {
    await host.completeJob(id, 'work');
    await host.handle(id).result();
    return host.handle(id).describe();
  });
}

/** The real client with another answer about each workflow. */
function describing(describe: (id: string) => Promise<unknown>): Client {
  const { workflow } = host.client;
  return {
    workflow: { list: workflow.list.bind(workflow), getHandle: (id: string) => ({ describe: () => describe(id) }) },
  } as unknown as Client;
}

test('a workflow that comes back after its instance has failed ends, and nothing is written', async () => {
  const id = await running();
  // A reset goes to a task that was completed; the step commit that has just been seen is written within it.
  await eventually('its first task', async () =>
    (await host.events(id)).includes('TaskCompleted') ? true : undefined,
  );
  await host.handle(id).terminate('by hand');
  await pass();
  const { rows: before } = await host.store.query('SELECT number FROM steps WHERE workflow_id = $1', [id]);
  const { events } = await host.handle(id).fetchHistory();
  const lastTask = events!.findLast(
    ({ workflowTaskCompletedEventAttributes }) => workflowTaskCompletedEventAttributes,
  )!;
  const { runId } = await host.client.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: id },
    workflowTaskFinishEventId: lastTask.eventId!,
    reason: 'restored by hand',
    requestId: id,
  });
  // An event that reaches the instance is a step, and a step is committed.
  await host.instances.signal(id, { kind: 'SET_VARIABLES', variables: { late: true }, number: 1 });
  await host.client.workflow.getHandle(id, runId).result();
  expect(await host.row(id)).toMatchObject({ status: 'FAILED', failureReason: expect.stringContaining('TERMINATED') });
  expect((await host.store.query('SELECT number FROM steps WHERE workflow_id = $1', [id])).rows).toEqual(before);
});
