import { afterAll, beforeAll, expect, test } from 'vitest';
import { callActivity, catchEvent, on, sequenceModel, serviceTask } from '@perdure/testkit/models';
import { startTestHost, type TestHost } from './support/host.js';
import { deploy, jobOf, start, untilStatus } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const create = (role: 'editor' | 'admin' | 'executor', json: Record<string, unknown>, more = {}) =>
  host.call(role, 'POST', '/bpmn/batches', { json, ...more });

/** The batch once all of its items have outcomes. */
async function completed(batchID: string) {
  const look = () => host.call('viewer', 'GET', `/bpmn/batches/${batchID}`);
  return (await eventually(look, ({ body }) => body.completedAt !== undefined)).body;
}

async function itemsOf(batchID: string, query = '') {
  return (await host.call('viewer', 'GET', `/bpmn/batches/${batchID}/items${query}`)).body.data;
}

/** Instances that wait at a job, oldest first. */
async function waiting(id: string, count: number) {
  const definitionID = await deploy(host, sequenceModel(id, [serviceTask(`${id}-task`)]));
  const workflowIDs: string[] = [];
  for (let index = 0; index < count; index += 1) workflowIDs.push(await start(host, definitionID));
  await Promise.all(workflowIDs.map((workflowID) => jobOf(host, workflowID)));
  return { definitionID, workflowIDs };
}

const none = { pending: 0, applied: 0, failedAgain: 0, rejected: 0, skipped: 0, canceled: 0 };

test('a batch cancels all instances that match its filter, oldest first, in the name of its creator', async () => {
  const { definitionID, workflowIDs } = await waiting('canceled', 4);
  const filter = { definitionID, status: ['RUNNING'] };
  const accepted = await create('editor', { operation: 'CANCEL', filter, reason: 'a mistake' });
  expect(accepted).toMatchObject({ status: 202, body: { batchID: expect.any(String), total: 4 } });
  expect(await completed(accepted.body.batchID)).toEqual({
    batchID: accepted.body.batchID,
    operation: 'CANCEL',
    status: 'COMPLETED',
    createdBy: 'editor',
    createdAt: expect.any(String),
    completedAt: expect.any(String),
    reason: 'a mistake',
    itemsPerSecond: 50,
    filter,
    total: 4,
    counts: { ...none, applied: 4 },
  });
  expect(await itemsOf(accepted.body.batchID)).toEqual(
    workflowIDs.map((workflowID, index) => ({
      position: index + 1,
      workflowID,
      status: 'APPLIED',
      commandID: expect.any(String),
      processedAt: expect.any(String),
    })),
  );
  for (const workflowID of workflowIDs) await untilStatus(host, workflowID, 'CANCELED');
  const [first] = await itemsOf(accepted.body.batchID);
  const command = await host.call('viewer', 'GET', `/bpmn/instances/${first.workflowID}/commands/${first.commandID}`);
  expect(command.body).toMatchObject({ commandID: first.commandID, status: 'APPLIED' });
  const { rows } = await host.store.query('SELECT DISTINCT actor, reason FROM commands WHERE workflow_id = ANY($1)', [
    workflowIDs,
  ]);
  expect(rows).toEqual([{ actor: 'editor', reason: 'a mistake' }]);
});

test('a batch of an admin erases ended root instances, and refuses running and called ones', async () => {
  const { definitionID, workflowIDs } = await waiting('erased', 3);
  const [running, ...ended] = workflowIDs as [string, ...string[]];
  for (const workflowID of ended) {
    await host.call('editor', 'DELETE', `/bpmn/instances/${workflowID}`);
    await untilStatus(host, workflowID, 'CANCELED');
  }
  const calling = await deploy(host, sequenceModel('callingErased', [callActivity('call', 'erased')]));
  const parent = await start(host, calling);
  const children = () => host.call('viewer', 'GET', `/bpmn/instances/${parent}/children`);
  const [called] = (await eventually(children, ({ body }) => body.children.length === 1)).body.children;
  const json = { operation: 'DELETE', workflowIDs: [...workflowIDs, called.workflowID], reason: 'on request' };
  expect((await create('editor', json)).status).toBe(404);
  const { body } = await create('admin', json);
  expect(await completed(body.batchID)).toMatchObject({ counts: { ...none, applied: 2, rejected: 2 } });
  expect(await itemsOf(body.batchID)).toMatchObject([
    { workflowID: running, status: 'REJECTED', code: 'CONFLICT', message: expect.stringContaining('is RUNNING') },
    ...ended.map((workflowID) => ({ workflowID, status: 'APPLIED' })),
    { status: 'REJECTED', code: 'CONFLICT', message: expect.stringContaining('was called by another instance') },
  ]);
  for (const workflowID of ended)
    expect((await host.call('admin', 'GET', `/bpmn/instances/${workflowID}`)).status).toBe(404);
  const left = (await host.call('viewer', 'GET', `/bpmn/instances?definitionID=${definitionID}&root=true`)).body.data;
  expect(left).toMatchObject([{ workflowID: running }]);
  const again = (await create('admin', { operation: 'DELETE', workflowIDs: ended })).body;
  expect(await completed(again.batchID)).toMatchObject({ counts: { ...none, skipped: 2 } });
  const entries = (await host.call('admin', 'GET', `/audit?batchID=${body.batchID}&operation=EraseBpmnInstance`)).body;
  expect(entries.data).toHaveLength(2);
  expect(entries.data[0]).toMatchObject({ actor: 'admin', via: 'BATCH', outcome: 'APPLIED', reason: 'on request' });
});

test('targets that ended before their turn or never existed are skipped', async () => {
  const { workflowIDs } = await waiting('ended', 2);
  await host.call('editor', 'DELETE', `/bpmn/instances/${workflowIDs[0]}`);
  const { body } = await create('editor', {
    operation: 'SET_VARIABLES',
    workflowIDs: ['nothing', ...workflowIDs],
    variables: { set: true },
  });
  expect(await completed(body.batchID)).toMatchObject({ names: ['set'], counts: { ...none, applied: 1, skipped: 2 } });
  expect(await itemsOf(body.batchID)).toMatchObject([
    { workflowID: workflowIDs[0], status: 'SKIPPED', code: 'INSTANCE_ENDED' },
    { workflowID: workflowIDs[1], status: 'APPLIED' },
    { workflowID: 'nothing', status: 'SKIPPED', code: 'NOT_FOUND' },
  ]);
  expect(await itemsOf(body.batchID, '?status=APPLIED,REJECTED')).toHaveLength(1);
  const stream = async (batchID: string) =>
    host.api.request('GET', `/projects/p1/bpmn/batches/${batchID}/items`, {
      headers: { accept: 'application/x-ndjson' },
      token: await host.token('viewer'),
    });
  const lines = (await (await stream(body.batchID)).text()).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(await itemsOf(body.batchID));
  expect((await stream('00000000-0000-4000-8000-000000000000')).status).toBe(404);
  const { body: instance } = await host.call('viewer', 'GET', `/bpmn/instances/${workflowIDs[1]}`);
  expect(instance.variables).toEqual({ set: true });
});

test('a resolve counts as done only if the activity did not fail again', async () => {
  const definitionID = await deploy(host, sequenceModel('again', [serviceTask('again-task', { retries: '=retries' })]));
  const [fixed, broken] = [await start(host, definitionID), await start(host, definitionID)];
  const open = async () => (await host.call('viewer', 'GET', `/bpmn/incidents?definitionID=${definitionID}`)).body.data;
  await eventually(open, (incidents) => incidents.length === 2);
  await host.call('editor', 'PUT', `/bpmn/instances/${fixed}/variables`, { json: { variables: { retries: 3 } } });
  const before = (await open()).find(({ workflowID }: { workflowID: string }) => workflowID === broken);
  const { body } = await create('editor', { operation: 'RESOLVE', incidentFilter: { definitionID } });
  expect(await completed(body.batchID)).toMatchObject({ total: 2, counts: { ...none, applied: 1, failedAgain: 1 } });
  const [again] = await itemsOf(body.batchID, '?status=FAILED_AGAIN');
  const after = (await open()).find(
    ({ workflowID, resolvedAt }: Record<string, string>) => workflowID === broken && resolvedAt === undefined,
  );
  expect(again).toMatchObject({ workflowID: broken, incidentID: after.incidentID });
  expect(after.previousIncidentID).toBe(before.incidentID);
  const repeated = await create('editor', { operation: 'RESOLVE', incidentIDs: [before.incidentID, `${fixed}:77`] });
  await completed(repeated.body.batchID);
  expect(await itemsOf(repeated.body.batchID)).toMatchObject([
    { incidentID: before.incidentID, status: 'SKIPPED', code: 'CONFLICT' },
    { incidentID: `${fixed}:77`, status: 'SKIPPED', code: 'NOT_FOUND' },
  ]);
});

test('a batch fires all timers of a node, and skips instances that have none there', async () => {
  const definitionID = await deploy(
    host,
    sequenceModel('timed', [catchEvent('rest', on.timer('PT1H')), serviceTask('timed-task')]),
  );
  const first = await start(host, definitionID);
  const second = await start(host, definitionID);
  await Promise.all([first, second].map((workflowID) => timerOf(workflowID)));
  const { body: alone } = await create('editor', { operation: 'FIRE_TIMERS', workflowIDs: [first], nodeID: 'rest' });
  expect(await completed(alone.batchID)).toMatchObject({ nodeID: 'rest', counts: { ...none, applied: 1 } });
  await jobOf(host, first);
  const filter = { definitionID };
  const { body: both } = await create('editor', { operation: 'FIRE_TIMERS', filter, nodeID: 'rest', reason: 'now' });
  expect(await completed(both.batchID)).toMatchObject({ counts: { ...none, applied: 1, skipped: 1 } });
  expect(await itemsOf(both.batchID)).toMatchObject([
    { workflowID: first, status: 'SKIPPED', code: 'NOT_FOUND', message: 'Node rest has no open timer' },
    { workflowID: second, status: 'APPLIED' },
  ]);
  await jobOf(host, second);
  const { body } = await host.call('viewer', 'GET', `/bpmn/instances/${second}/timeline`);
  expect(body.data).toContainEqual(
    expect.objectContaining({ kind: 'FIRE_TIMER', nodeIDs: ['rest'], reason: 'now', outcome: 'APPLIED' }),
  );
  expect((await create('editor', { operation: 'FIRE_TIMERS', workflowIDs: [first] })).status).toBe(400);
});

/** Until the timer of the instance is open. */
async function timerOf(workflowID: string): Promise<void> {
  const look = () => host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/waits`);
  await eventually(look, ({ body }) => body.data.some(({ kind }: { kind: string }) => kind === 'timer'));
}

test('suspending and resuming work on what is not suspended or resumed already', async () => {
  const { workflowIDs } = await waiting('suspended', 2);
  await host.call('admin', 'POST', `/bpmn/instances/${workflowIDs[0]}/suspend`);
  const suspend = await create('admin', { operation: 'SUSPEND', workflowIDs });
  expect(await completed(suspend.body.batchID)).toMatchObject({ counts: { ...none, applied: 1, skipped: 1 } });
  expect(await itemsOf(suspend.body.batchID)).toMatchObject([{ status: 'SKIPPED' }, { status: 'APPLIED' }]);
  const set = await create('editor', { operation: 'SET_VARIABLES', workflowIDs, variables: { paused: true } });
  expect(await completed(set.body.batchID)).toMatchObject({ counts: { ...none, applied: 2 } });
  const resume = await create('admin', { operation: 'RESUME', workflowIDs });
  expect(await completed(resume.body.batchID)).toMatchObject({ counts: { ...none, applied: 2 } });
  for (const workflowID of workflowIDs) {
    const { body } = await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}`);
    expect(body).toMatchObject({ variables: { paused: true } });
    expect(body).not.toHaveProperty('instanceSuspension');
  }
});

test('a modification and a migration report every issue', async () => {
  const { workflowIDs } = await waiting('moved', 2);
  const modify = await create('admin', {
    operation: 'MODIFY',
    workflowIDs,
    instructions: [{ type: 'START_BEFORE_NODE', nodeID: 'nowhere', variables: { secret: 1 } }],
  });
  expect(await completed(modify.body.batchID)).toMatchObject({
    instructions: [{ type: 'START_BEFORE_NODE', nodeID: 'nowhere', names: ['secret'] }],
    counts: { ...none, rejected: 2 },
  });
  expect(await itemsOf(modify.body.batchID)).toMatchObject([
    { status: 'REJECTED', code: 'BAD_REQUEST', issues: [expect.any(String)] },
    { status: 'REJECTED' },
  ]);
  const migrate = await create('editor', { operation: 'MIGRATE', workflowIDs, migration: { targetVersion: 2 } });
  await completed(migrate.body.batchID);
  expect(await itemsOf(migrate.body.batchID)).toMatchObject([
    { status: 'REJECTED', code: 'BAD_REQUEST', message: 'Process moved has no version 2' },
    { status: 'REJECTED' },
  ]);
});

test('a paused batch begins nothing, and a canceled one never will', async () => {
  const { definitionID, workflowIDs } = await waiting('stopped', 6);
  const { body } = await create('editor', {
    operation: 'CANCEL',
    filter: { definitionID },
    itemsPerSecond: 1,
  });
  const control = (verb: string) => host.call('editor', 'POST', `/bpmn/batches/${body.batchID}/${verb}`);
  const look = async () => (await host.call('viewer', 'GET', `/bpmn/batches/${body.batchID}`)).body;
  const begun = async () => {
    const { rows } = await host.store.query<{ count: number }>(
      'SELECT count(*)::int FROM batch_items WHERE batch_id = $1 AND begun_at IS NOT NULL',
      [body.batchID],
    );
    return rows[0]!.count;
  };
  await eventually(look, ({ counts }) => counts.applied > 0);
  expect((await control('pause')).status).toBe(204);
  expect((await control('pause')).status).toBe(204);
  const paused = await begun();
  expect(paused).toBeLessThan(6);
  // Another batch is carried out in the meantime, so the runner had its turns.
  const other = await create('editor', { operation: 'CANCEL', workflowIDs: ['nothing'] });
  await completed(other.body.batchID);
  expect(await look()).toMatchObject({ status: 'PAUSED', total: 6 });
  expect(await begun()).toBe(paused);
  expect((await control('resume')).status).toBe(204);
  await eventually(begun, (now) => now > paused);
  expect((await control('cancel')).status).toBe(204);
  expect((await control('cancel')).status).toBe(204);
  const atCancel = await begun();
  const done = await completed(body.batchID);
  expect(await begun()).toBe(atCancel);
  expect(done).toMatchObject({ status: 'CANCELED', counts: { ...none, applied: atCancel, canceled: 6 - atCancel } });
  expect((await control('pause')).status).toBe(409);
  expect((await control('resume')).status).toBe(409);
  const last = await host.call('viewer', 'GET', `/bpmn/instances/${workflowIDs[5]}`);
  expect(last.body.status).toBe('RUNNING');
});

test('a dry run tells the targets and writes nothing', async () => {
  const { definitionID, workflowIDs } = await waiting('asked', 3);
  const count = async () => (await host.call('viewer', 'GET', '/bpmn/batches')).body.pagination.total;
  const before = await count();
  const asked = await create('editor', { operation: 'CANCEL', filter: { definitionID }, dryRun: true });
  expect(asked).toMatchObject({ status: 200, body: { total: 3, workflowIDs } });
  const incidents = await create('editor', { operation: 'RESOLVE', incidentFilter: { definitionID }, dryRun: true });
  expect(incidents).toMatchObject({ status: 200, body: { total: 0, incidentIDs: [] } });
  expect(await count()).toBe(before);
});

test('a repeated key names the same batch', async () => {
  const headers = { 'idempotency-key': 'batch-1' };
  const request = { operation: 'CANCEL', workflowIDs: ['nothing'] };
  const first = await create('editor', request, { headers });
  expect((await create('editor', request, { headers })).body).toEqual(first.body);
  expect(await create('editor', { ...request, reason: 'another' }, { headers })).toMatchObject({
    status: 409,
    body: { code: 'IDEMPOTENCY_KEY_REUSED' },
  });
});

test('wrong requests are refused before the rights of their operation', async () => {
  const refused = [
    { operation: 'CANCEL' },
    { operation: 'CANCEL', filter: {} },
    { operation: 'CANCEL', filter: { status: ['RUNNING'] }, workflowIDs: ['x'] },
    { operation: 'CANCEL', incidentIDs: ['x:1'] },
    { operation: 'CANCEL', workflowIDs: ['x'], variables: {} },
    { operation: 'RESOLVE', incidentIDs: ['x'] },
    { operation: 'RESOLVE', incidentFilter: { status: 'resolved' } },
    { operation: 'SET_VARIABLES', workflowIDs: ['x'] },
    { operation: 'SUSPEND', filter: { predicate: 'true' } },
    { operation: 'MODIFY', workflowIDs: ['x'], instructions: [{ type: 'CANCEL_TOKEN', nodeID: 'a', scopeID: '2' }] },
    { operation: 'CANCEL', workflowIDs: ['x'], itemsPerSecond: 501 },
  ];
  for (const json of refused) expect(await create('editor', json), JSON.stringify(json)).toMatchObject({ status: 400 });
  for (const operation of ['SUSPEND', 'RESUME'])
    expect(await create('editor', { operation, workflowIDs: ['x'] })).toMatchObject({ status: 404 });
  expect(await create('executor', { operation: 'CANCEL', workflowIDs: ['x'] })).toMatchObject({ status: 404 });
});

test('a batch of an operation for admins is controlled by admins', async () => {
  const { body } = await create('admin', { operation: 'SUSPEND', workflowIDs: ['nothing'] });
  const unknown = '00000000-0000-4000-8000-000000000000';
  const asEditor = await host.call('editor', 'POST', `/bpmn/batches/${body.batchID}/cancel`);
  const ofNothing = await host.call('editor', 'POST', `/bpmn/batches/${unknown}/cancel`);
  expect(asEditor).toMatchObject({ status: 404 });
  expect({ ...asEditor.body, requestID: '', instance: '' }).toEqual({ ...ofNothing.body, requestID: '', instance: '' });
  expect((await host.call('viewer', 'GET', `/bpmn/batches/${body.batchID}`)).status).toBe(200);
});

test('two batches over the same instances let each item decide', async () => {
  const { definitionID } = await waiting('twice', 5);
  const both = await Promise.all([1, 2].map(() => create('editor', { operation: 'CANCEL', filter: { definitionID } })));
  const done = await Promise.all(both.map(({ body }) => completed(body.batchID)));
  expect(done.reduce((sum, { counts }) => sum + counts.applied, 0)).toBe(5);
  expect(done.reduce((sum, { counts }) => sum + counts.skipped, 0)).toBe(5);
});
