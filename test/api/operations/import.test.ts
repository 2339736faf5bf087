/** Importing running instances. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  boundaryEvent,
  callActivity,
  catchEvent,
  endEvent,
  multiInstance,
  on,
  parallelGateway,
  processModel,
  root,
  scriptTask,
  sequenceModel,
  serviceTask,
  startEvent,
  subProcess,
  userTask,
} from '@perdure/testkit/models';
import { startTestHost, type TestHost } from './support/host.js';
import { deploy, jobOf, start, takeJob, untilStatus } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
  await deploy(host, sequenceModel('approval', [userTask('approve'), serviceTask('book')]));
});
afterAll(() => host.close());

const newSource = () => ({ system: 'old', id: randomUUID() });
const send = (json: object, role: 'viewer' | 'executor' | 'editor' | 'admin' = 'admin') =>
  host.call(role, 'POST', '/bpmn/instances/import', { json: { variables: {}, ...json } });
const get = async (path: string) => (await host.call('admin', 'GET', `/bpmn/${path}`)).body;

async function imported(json: object): Promise<string> {
  const { status, body } = await send({ source: newSource(), ...json });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.workflowID;
}

const waits = async (workflowID: string) =>
  (await get(`instances/${workflowID}/waits`)).data
    .map(({ kind, nodeID }: { kind: string; nodeID: string }) => `${kind} ${nodeID}`)
    .toSorted();
const completeTask = async (workflowID: string) => {
  const look = () => host.call('executor', 'GET', `/bpmn/instances/${workflowID}/user-tasks`);
  const { executionKey } = (await eventually(look, ({ body }) => body.data.length === 1)).body.data[0];
  const path = `/bpmn/user-tasks/${executionKey}/complete`;
  expect((await host.call('executor', 'POST', path, { json: { variables: { approved: true } } })).status).toBeLessThan(
    300,
  );
};
const completeJob = async (type: string, variables = {}) => {
  const { executionKey, workflowID } = await takeJob(host, type);
  const json = { workflowID, clientID: 'worker-1', variables };
  expect((await host.call('executor', 'POST', `/bpmn/external-jobs/${executionKey}/complete`, { json })).status).toBe(
    200,
  );
};

describe('an import', () => {
  it('makes an instance that lists, searches and its own reads show at the 201, and that ends as any other', async () => {
    const source = newSource();
    const createdAt = '2026-01-05T08:00:00.000Z';
    const task = {
      assignee: 'ann',
      candidateGroups: ['clerks'],
      dueDate: '2030-01-01T00:00:00Z',
      priority: 80,
      createdAt,
    };
    const comments = [{ tokenIndex: 0, text: 'ask Ben', author: 'demo', createdAt }];
    const given = {
      processId: 'approval',
      businessId: 'order-5',
      createdAt,
      startedBy: 'demo',
      variables: { total: 7 },
    };
    const { status, body } = await send({ source, ...given, tokens: [{ nodeID: 'approve', task }], comments });
    expect([status, body.warnings]).toEqual([201, []]);
    const { workflowID } = body;
    const importedFrom = { ...source, startedBy: 'demo' };
    expect(await get(`instances/${workflowID}`)).toMatchObject({
      importedFrom,
      createdAt,
      businessId: 'order-5',
      startedBy: 'admin',
      variables: { total: 7 },
      activeScopes: [{ activeNodes: { approve: 1 } }],
    });
    for (const query of [`importedFromID=${source.id}`, `importedFrom=old&businessId=order-5`])
      expect((await get(`instances?${query}`)).data).toMatchObject([{ workflowID, importedFrom }]);
    const searched = await host.call('viewer', 'POST', '/bpmn/search', {
      json: { processId: 'approval', expression: 'total = 7 and businessId = "order-5"' },
    });
    if (searched.status === 200) expect(JSON.stringify(searched.body)).toContain(workflowID);
    expect((await get(`instances/${workflowID}/history`)).data).toMatchObject([
      { nodeID: 'approve', status: 'Started' },
    ]);
    expect((await get(`instances/${workflowID}/timeline`)).data).toMatchObject([{ kind: 'IMPORT', actor: 'admin' }]);
    const [open] = (await host.call('executor', 'GET', `/bpmn/instances/${workflowID}/user-tasks`)).body.data;
    expect(open).toMatchObject({ assignee: 'ann', candidateGroups: ['clerks'], priority: 80, createdAt });
    const told = await host.call('executor', 'GET', `/bpmn/user-tasks/${open.executionKey}/comments`);
    expect(told.body.data).toMatchObject([{ text: 'ask Ben', importedAuthor: 'demo', createdAt }]);
    expect(told.body.data[0].author).toBeUndefined();
    await completeTask(workflowID);
    await completeJob('book', { paid: true });
    expect(await untilStatus(host, workflowID, 'COMPLETED')).toMatchObject({ variables: { total: 7, paid: true } });
  });

  it('of one source, fifty times at once, makes one instance', async () => {
    const json = { source: newSource(), processId: 'approval', tokens: [{ nodeID: 'approve' }] };
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(json)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(49);
    expect(new Set(answers.map(({ body }) => body.workflowID)).size).toBe(1);
    // Whatever the body says.
    expect(await send({ ...json, tokens: [{ nodeID: 'none' }] })).toMatchObject({
      status: 200,
      body: { workflowID: answers[0]!.body.workflowID },
    });
  });

  it('of an erased instance can be repeated', async () => {
    const json = { source: newSource(), processId: 'approval', tokens: [{ nodeID: 'approve' }] };
    const { workflowID } = (await send(json)).body;
    await host.call('editor', 'DELETE', `/bpmn/instances/${workflowID}?reason=wrong`);
    await untilStatus(host, workflowID, 'CANCELED');
    expect((await host.call('admin', 'DELETE', `/bpmn/instances/${workflowID}/history`)).status).toBe(204);
    const again = await eventually(
      () => send(json),
      ({ status }) => status === 201,
    );
    expect(again.body.workflowID).not.toBe(workflowID);
  });

  it('is for admins', async () => {
    const json = { source: newSource(), processId: 'approval', tokens: [{ nodeID: 'approve' }] };
    for (const role of ['viewer', 'executor', 'editor'] as const) expect((await send(json, role)).status).toBe(404);
  });

  it('that is a dry run writes nothing and finds the same', async () => {
    const json = { source: newSource(), processId: 'approval', tokens: [{ nodeID: 'approve' }] };
    expect(await send({ ...json, dryRun: true })).toMatchObject({ status: 200, body: { warnings: [] } });
    expect((await get(`instances?importedFromID=${json.source.id}`)).data).toEqual([]);
    const wrong = { ...json, tokens: [{ nodeID: 'none' }, { nodeID: 'approve', retries: 2 }] };
    for (const dryRun of [true, false])
      expect(await send({ ...wrong, dryRun })).toMatchObject({
        status: 400,
        body: {
          details: {
            issues: [{ path: 'tokens[0].nodeID', tokenIndex: 0, nodeID: 'none' }, { path: 'tokens[1].retries' }],
          },
        },
      });
  });

  it('is refused while the version is suspended, and names a version that the project has', async () => {
    const definitionID = await deploy(host, sequenceModel('still', [userTask('t')]));
    await host.call('admin', 'POST', `/bpmn/definitions/${definitionID}/suspend`, { json: {} });
    const json = { source: newSource(), definitionID, tokens: [{ nodeID: 't' }] };
    expect(await send(json)).toMatchObject({ status: 409, body: { code: 'DEFINITION_SUSPENDED' } });
    expect((await send({ ...json, definitionID: randomUUID() })).status).toBe(404);
    expect((await send({ ...json, processId: 'still' })).status).toBe(400);
    expect((await send({ ...json, createdAt: '2100-01-01T00:00:00Z' })).status).toBeGreaterThanOrEqual(400);
  });

  it('holds a unique business id, and counts where instances are limited without being refused', async () => {
    await deploy(host, sequenceModel('limited', [userTask('t')]));
    const settings = { uniqueBusinessId: 'RUNNING', concurrentInstances: 1, whenFull: 'REFUSE' };
    const put = await host.call('admin', 'PUT', '/bpmn/processes/limited/settings', {
      json: { ...settings, reason: 'r' },
    });
    expect(put.status).toBe(200);
    const one = { processId: 'limited', tokens: [{ nodeID: 't' }] };
    const first = await imported({ ...one, businessId: 'a' });
    expect(await send({ ...one, source: newSource(), businessId: 'a' })).toMatchObject({
      status: 409,
      body: { code: 'BUSINESS_ID_TAKEN', details: { workflowID: first } },
    });
    await imported({ ...one, businessId: 'b' });
    const refused = await host.call('executor', 'POST', '/bpmn/instances', { json: { processId: 'limited' } });
    expect(refused).toMatchObject({ status: 409, body: { code: 'LIMIT_REACHED' } });
  });
});

describe('an imported instance', () => {
  it('has the same waits as the original, and both end with the same variables', async () => {
    const branches = ['task', 'job', 'message', 'signal', 'hold', 'ready'];
    const xml = processModel(
      'twins',
      [
        startEvent('start'),
        parallelGateway('fork'),
        userTask('task'),
        serviceTask('job', { type: 'twin-job' }),
        catchEvent('message', on.message('twin-message')),
        catchEvent('signal', on.signal('twin-signal')),
        catchEvent('hold', on.timer('PT1S')),
        catchEvent('ready', on.condition('=stock > 3')),
        parallelGateway('join'),
        endEvent('end'),
      ],
      [
        'a: start -> fork',
        ...branches.flatMap((id) => [`f_${id}: fork -> ${id}`, `t_${id}: ${id} -> join`]),
        'z: join -> end',
      ],
      [root.message('twin-message', '=order'), root.signal('twin-signal')],
    );
    const definitionID = await deploy(host, xml);
    const original = await start(host, definitionID, { variables: { order: 'x', stock: 1 } });
    await eventually(
      () => waits(original),
      (found) => found.includes('userTask task'),
    );
    const tokens = branches.map((nodeID) => ({ nodeID, ...(nodeID === 'hold' && { dueAt: '2020-01-01T00:00:00Z' }) }));
    const twin = await imported({ definitionID, tokens, variables: { order: 'y', stock: 1 } });
    for (const [workflowID, order] of [
      [original, 'x'],
      [twin, 'y'],
    ] as const) {
      await eventually(
        () => waits(workflowID),
        (found) => !found.includes('timer hold'),
      );
      await completeTask(workflowID);
      await completeJob('twin-job');
      const message = { messageName: 'twin-message', correlationKeys: order, variables: { paid: 1 } };
      expect((await host.call('executor', 'POST', '/bpmn/messages', { json: message })).status).toBeLessThan(300);
      const json = { variables: { stock: 9 }, reason: 'delivered' };
      await host.call('editor', 'PUT', `/bpmn/instances/${workflowID}/variables`, { json });
    }
    await host.call('executor', 'POST', '/bpmn/signals', { json: { signalName: 'twin-signal' } });
    const [one, other] = await Promise.all([
      untilStatus(host, original, 'COMPLETED'),
      untilStatus(host, twin, 'COMPLETED'),
    ]);
    expect(other.variables).toEqual({ ...one.variables, order: 'y' });
  });

  it('has the instances that it calls, and gets their results', async () => {
    await deploy(host, sequenceModel('called', [serviceTask('inside')]));
    await deploy(host, sequenceModel('caller', [callActivity('call', 'called')]));
    const below = { source: newSource(), processId: 'called', variables: { x: 1 }, tokens: [{ nodeID: 'inside' }] };
    const tokens = [{ nodeID: 'call' }];
    const workflowID = await imported({ processId: 'caller', tokens, called: [{ tokenIndex: 0, instance: below }] });
    const [child] = (await get(`instances/${workflowID}/children`)).children;
    expect(child).toMatchObject({ parentWorkflowID: workflowID, importedFrom: below.source });
    const counted = 'SELECT descendants_at_most AS count FROM instances WHERE workflow_id = $1';
    expect((await host.store.query(counted, [workflowID])).rows).toEqual([{ count: 1 }]);
    await completeJob('inside', { y: 2 });
    expect(await untilStatus(host, workflowID, 'COMPLETED')).toMatchObject({ variables: { x: 1, y: 2 } });
    const wrong = { ...below, source: newSource(), tokens: [{ nodeID: 'none' }] };
    const source = newSource();
    expect(
      await send({ source, processId: 'caller', tokens, called: [{ tokenIndex: 0, instance: wrong }] }),
    ).toMatchObject({
      status: 400,
      body: { details: { issues: [{ path: 'called[0].instance.tokens[0].nodeID' }] } },
    });
    expect((await get(`instances?importedFromID=${source.id}`)).data).toEqual([]);
  });

  it('can be suspended, resumed, changed, modified, migrated and canceled', async () => {
    const first = await deploy(host, sequenceModel('steered', [userTask('one'), userTask('two')]));
    const second = await deploy(host, sequenceModel('steered', [userTask('one'), userTask('two'), userTask('three')]));
    const workflowID = await imported({ definitionID: first, tokens: [{ nodeID: 'one' }] });
    const path = `/bpmn/instances/${workflowID}`;
    const ask = async (role: 'editor' | 'admin', method: string, rest: string, json?: object) => {
      const { status, body } = await host.call(role, method, `${path}${rest}`, json ? { json } : {});
      expect(status, `${rest}: ${JSON.stringify(body)}`).toBeLessThan(300);
    };
    await ask('admin', 'POST', '/suspend', { reason: 'r' });
    await ask('admin', 'POST', '/resume', { reason: 'r' });
    await ask('editor', 'PUT', '/variables', { variables: { a: 1 }, reason: 'r' });
    const instructions = [
      { type: 'START_BEFORE_NODE', nodeID: 'two' },
      { type: 'CANCEL_TOKEN', nodeID: 'one' },
    ];
    await ask('admin', 'POST', '/modify', { instructions, reason: 'r' });
    expect(await waits(workflowID)).toEqual(['userTask two']);
    await ask('admin', 'POST', '/migrate', { targetVersion: 2, reason: 'r' });
    expect((await get(`instances/${workflowID}`)).definitionID).toBe(second);
    await ask('editor', 'DELETE', '?reason=r');
    await untilStatus(host, workflowID, 'CANCELED');
  });

  it('begins once a worker runs, though everything stops between the 201 and then', async () => {
    const definitionID = await deploy(
      host,
      sequenceModel('later', [scriptTask('double', '=n * 2', 'n'), userTask('t')]),
    );
    await host.stopWorker();
    const workflowID = await imported({ definitionID, variables: { n: 4 }, tokens: [{ nodeID: 'double' }] });
    expect(await waits(workflowID)).toEqual(['begin double']);
    await host.startWorker();
    await eventually(
      () => waits(workflowID),
      (found) => found.includes('userTask t'),
    );
    expect((await get(`instances/${workflowID}`)).variables).toEqual({ n: 8 });
  });

  it('gets a command that was sent before its workflow could be signaled as soon as it begins', async () => {
    const { store } = host;
    const later = "now() + interval '1 hour'";
    await store.query(
      `CREATE FUNCTION hold_start() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.deliver_at := ${later}; RETURN NEW; END $$`,
    );
    await store.query(
      'CREATE TRIGGER hold_start BEFORE INSERT ON instance_starts FOR EACH ROW EXECUTE FUNCTION hold_start()',
    );
    const workflowID = await imported({ processId: 'approval', tokens: [{ nodeID: 'approve' }] });
    await store.query('DROP TRIGGER hold_start ON instance_starts');
    const json = { variables: { early: true }, reason: 'r' };
    const headers = { Prefer: 'wait=0' };
    const set = await host.call('editor', 'PUT', `/bpmn/instances/${workflowID}/variables`, { json, headers });
    expect(set.status).toBe(202);
    // Longer than anyone waits: only the start of the workflow makes the command due.
    await store.query(`UPDATE commands SET deliver_at = ${later} WHERE workflow_id = $1`, [workflowID]);
    await store.query('UPDATE instance_starts SET deliver_at = now() WHERE workflow_id = $1', [workflowID]);
    const read = () => get(`instances/${workflowID}`);
    await eventually(read, ({ variables }) => variables.early === true);
  });

  it('is taken back only while nothing has happened to it and to the instances that it calls', async () => {
    await deploy(host, sequenceModel('called', [serviceTask('inside')]));
    await deploy(host, sequenceModel('caller', [callActivity('call', 'called')]));
    const takeBack = (workflowID: string) =>
      host.call('editor', 'DELETE', `/bpmn/instances/${workflowID}?onlyAsImported=true&reason=wrong`);
    const importCaller = () => {
      const instance = { source: newSource(), processId: 'called', variables: {}, tokens: [{ nodeID: 'inside' }] };
      return imported({ processId: 'caller', tokens: [{ nodeID: 'call' }], called: [{ tokenIndex: 0, instance }] });
    };
    const untouched = await importCaller();
    expect((await takeBack(untouched)).status).toBeLessThan(300);
    await untilStatus(host, untouched, 'CANCELED');
    expect(await takeBack(untouched)).toMatchObject({ status: 409, body: { code: 'INSTANCE_ENDED' } });
    const moved = await importCaller();
    const [child] = (await get(`instances/${moved}/children`)).children;
    const json = { variables: { seen: true }, reason: 'r' };
    await host.call('editor', 'PUT', `/bpmn/instances/${child.workflowID}/variables`, { json });
    expect(await takeBack(moved)).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    expect(await get(`instances/${moved}`)).toMatchObject({ status: 'RUNNING' });
    const started = await start(host, await deploy(host, sequenceModel('native', [userTask('t')])));
    expect((await takeBack(started)).status).toBe(412);
    expect((await takeBack(randomUUID())).status).toBe(404);
  });

  it('is taken back if its only steps checked loops, joins, and conditions', async () => {
    const xml = processModel(
      'checked',
      [
        startEvent('start'),
        parallelGateway('fork'),
        userTask('many', { loop: multiInstance('=list') }),
        boundaryEvent('sold', 'many', on.condition('=stock = 0')),
        userTask('once'),
        parallelGateway('join'),
        endEvent('end'),
        endEvent('none'),
      ],
      [
        'a: start -> fork',
        'b: fork -> many',
        'c: fork -> once',
        'd: many -> join',
        'e: once -> join',
        'f: join -> end',
        'g: sold -> none',
      ],
    );
    await deploy(host, xml);
    const open = (index: number, more = {}) => ({ nodeID: 'many', multiInstance: { index, completed: 1, ...more } });
    const importIt = async () => {
      const tokens = [open(1, { items: ['a', 'b', 'c'] }), open(2), { nodeID: 'join', arrived: ['e'] }];
      const workflowID = await imported({
        processId: 'checked',
        variables: { list: ['a', 'b', 'c'], stock: 1 },
        tokens,
      });
      const read = () => host.store.query('SELECT step_count FROM instances WHERE workflow_id = $1', [workflowID]);
      await eventually(read, ({ rows: [row] }) => (row?.step_count ?? 0) > 1);
      return workflowID;
    };
    const takeBack = (workflowID: string) =>
      host.call('editor', 'DELETE', `/bpmn/instances/${workflowID}?onlyAsImported=true&reason=wrong`);
    const untouched = await importIt();
    expect((await takeBack(untouched)).status).toBeLessThan(300);
    await untilStatus(host, untouched, 'CANCELED');
    const moved = await importIt();
    const json = { variables: { stock: 0 }, reason: 'r' };
    await host.call('editor', 'PUT', `/bpmn/instances/${moved}/variables`, { json });
    expect((await takeBack(moved)).status).toBe(412);
  });

  it('is not taken back once a condition that was true at its import has fired', async () => {
    const sold = boundaryEvent('sold', 'wait', on.condition('=stock = 0'), { interrupting: false });
    const flows = ['a: start -> wait', 'b: wait -> end', 'c: sold -> order'];
    await deploy(
      host,
      processModel('fires', [startEvent('start'), userTask('wait'), sold, endEvent('end'), userTask('order')], flows),
    );
    const workflowID = await imported({ processId: 'fires', variables: { stock: 0 }, tokens: [{ nodeID: 'wait' }] });
    await eventually(
      () => waits(workflowID),
      (found) => found.includes('userTask order'),
    );
    const { status } = await host.call(
      'editor',
      'DELETE',
      `/bpmn/instances/${workflowID}?onlyAsImported=true&reason=wrong`,
    );
    expect(status).toBe(412);
  });

  it('can be canceled before it begins', async () => {
    await host.stopWorker();
    const workflowID = await imported({ processId: 'approval', tokens: [{ nodeID: 'approve' }] });
    await host.call('editor', 'DELETE', `/bpmn/instances/${workflowID}?reason=wrong`, {
      headers: { Prefer: 'wait=0' },
    });
    await host.startWorker();
    await untilStatus(host, workflowID, 'CANCELED');
    const left = await host.store.query('SELECT FROM instance_starts WHERE workflow_id = $1', [workflowID]);
    expect(left.rowCount).toBe(0);
  });

  it('with a state that is too large for Temporal begins all the same', async () => {
    const variables = { large: 'x'.repeat(900_000) };
    const tokens = Array.from({ length: 500 }, () => ({ nodeID: 'approve' }));
    const workflowID = await imported({ processId: 'approval', variables, tokens });
    const json = { variables: { small: 1 }, reason: 'r' };
    const set = await host.call('editor', 'PUT', `/bpmn/instances/${workflowID}/variables`, { json });
    // The workflow may not have started yet: then the command is accepted and follows.
    expect([200, 202]).toContain(set.status);
    const read = () => get(`instances/${workflowID}`);
    await eventually(read, ({ variables: found }) => found.small === 1);
  });

  it('has scopes and boundary events with their due times', async () => {
    const xml = processModel(
      'scoped',
      [
        startEvent('start'),
        subProcess(
          'sub',
          [startEvent('is'), userTask('inside'), endEvent('ie')],
          ['i1: is -> inside', 'i2: inside -> ie'],
        ),
        boundaryEvent('late', 'sub', on.timer('P9D')),
        userTask('chase'),
        endEvent('end'),
      ],
      ['a: start -> sub', 'b: sub -> end', 'c: late -> chase', 'd: chase -> end'],
    );
    const definitionID = await deploy(host, xml);
    const listening = [{ nodeID: 'late', dueAt: '2020-01-01T00:00:00Z' }];
    const scopes = [{ key: 'k', nodeID: 'sub', listening }];
    const workflowID = await imported({ definitionID, scopes, tokens: [{ nodeID: 'inside', scopeKey: 'k' }] });
    await eventually(
      () => waits(workflowID),
      (found) => found.includes('userTask chase'),
    );
  });

  it('has its incidents, and its jobs with the retries that were left', async () => {
    const definitionID = await deploy(host, sequenceModel('failed', [serviceTask('work', { retries: 5 })]));
    const incident = { type: 'failedJob', message: 'no more retries' };
    const failed = await imported({ definitionID, tokens: [{ nodeID: 'work', incident }] });
    expect(await get(`instances/${failed}`)).toMatchObject({
      error: true,
      incidents: [{ nodeID: 'work', errorType: 'Unknown', errorMessage: 'no more retries' }],
    });
    const working = await imported({ definitionID, tokens: [{ nodeID: 'work', retries: 1 }] });
    expect(await jobOf(host, working)).toMatchObject({ retries: 1 });
  });

  it('restarts with the variables that were imported', async () => {
    const workflowID = await imported({ processId: 'approval', variables: { total: 3 }, tokens: [{ nodeID: 'book' }] });
    await completeJob('book', { total: 4 });
    await untilStatus(host, workflowID, 'COMPLETED');
    const { body } = await host.call('executor', 'POST', `/bpmn/instances/${workflowID}/restart`, {
      json: { reason: 'r' },
    });
    expect((await get(`instances/${body.workflowID}`)).variables).toEqual({ total: 3 });
  });
});
