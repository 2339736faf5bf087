/** Settings of a process, over HTTP: unique business ids, and a limit of concurrent instances with its queue. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import {
  adHocSubProcess,
  callActivity,
  endEvent,
  on,
  processModel,
  sequenceModel,
  startEvent,
  task,
  userTask,
} from '@perdure/testkit/models';
import { startTestHost, type TestHost } from './support/host.js';
import { deploy, start } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const named = () => `p-${randomUUID().slice(0, 8)}`;
/** A process whose instances run until they are canceled. */
const holding = (id: string) => sequenceModel(id, [userTask(`${id}-hold`)]);
const settingsOf = (id: string) => `/bpmn/processes/${id}/settings`;
const put = (id: string, json: Record<string, unknown>) => host.call('admin', 'PUT', settingsOf(id), { json });
const begin = (processId: string, more: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  host.call('executor', 'POST', '/bpmn/instances', { json: { processId, ...more }, headers });
const begun = async (processId: string, more: Record<string, unknown> = {}) => {
  const started = await begin(processId, more);
  expect(started.status, JSON.stringify(started.body)).toBe(201);
  return started.body.workflowID as string;
};
const cancel = async (workflowID: string) =>
  expect(await host.call('editor', 'DELETE', `/bpmn/instances/${workflowID}`)).toMatchObject({ status: 204 });
const change = async (path: string, json = {}) =>
  expect(await host.call('admin', 'POST', `/bpmn/${path}`, { json })).toMatchObject({ status: 204 });
const get = async (workflowID: string, path = '') =>
  (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}${path}`)).body;
const waitsOf = async (workflowID: string) => (await get(workflowID, '/waits')).data as Record<string, unknown>[];
const hasBegun = (workflowID: string) =>
  eventually(
    () => waitsOf(workflowID),
    ([first]) => first?.['kind'] === 'userTask',
  );
const isQueued = async (workflowID: string) => (await get(workflowID)).queued === true;

/** A deployed process with settings. */
async function processWith(settings: Record<string, unknown>, model = holding): Promise<string> {
  const id = named();
  await deploy(host, model(id), id);
  const answer = await put(id, settings);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return id;
}

test('settings are the defaults until they are replaced as a whole, and the change is recorded', async () => {
  const id = named();
  expect(await host.call('viewer', 'GET', settingsOf(id))).toMatchObject({ status: 404 });
  expect(await put(id, {})).toMatchObject({ status: 404 });
  await deploy(host, holding(id), id);
  const defaults = { uniqueBusinessId: 'NONE', whenFull: 'QUEUE', maxQueued: 10_000 };
  expect((await host.call('viewer', 'GET', settingsOf(id))).body).toEqual(defaults);
  const given = {
    uniqueBusinessId: 'EVER',
    concurrentInstances: 3,
    concurrencyKey: '=customer.id',
    whenFull: 'REFUSE',
    maxQueued: 7,
  };
  expect(await put(id, { ...given, reason: 'one at a time' })).toMatchObject({ status: 200, body: given });
  expect((await host.call('viewer', 'GET', settingsOf(id))).body).toEqual(given);
  expect((await put(id, { concurrentInstances: 2 })).body).toEqual({ ...defaults, concurrentInstances: 2 });
  const { data } = (await host.call('admin', 'GET', '/audit?operation=PutBpmnProcessSettings&pageSize=10')).body;
  const first = data.find((entry: any) => entry.reason === 'one at a time');
  expect(first).toMatchObject({ processId: id, details: { uniqueBusinessId: { from: 'NONE', to: 'EVER' } } });
});

test.each([
  ['an unknown rule', { uniqueBusinessId: 'SOMETIMES' }],
  ['no places', { concurrentInstances: 0 }],
  ['too many places', { concurrentInstances: 100_001 }],
  ['an empty key', { concurrencyKey: ' = ' }],
  ['a key that is not FEEL', { concurrencyKey: '=customer.' }],
  ['a key with an unknown function', { concurrencyKey: '=frobnicate(customer)' }],
  ['an endless queue', { maxQueued: 1_000_001 }],
  ['an unknown member', { limit: 3 }],
])('%s is refused, and nothing changes', async (_what, settings) => {
  const id = await processWith({ concurrentInstances: 5 });
  expect(await put(id, settings)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  expect((await host.call('viewer', 'GET', settingsOf(id))).body).toMatchObject({ concurrentInstances: 5 });
});

describe('a unique business id', () => {
  test('of fifty starts at once one is accepted, and the others name it', async () => {
    const id = await processWith({ uniqueBusinessId: 'RUNNING' });
    const answers = await Promise.all(Array.from({ length: 50 }, () => begin(id, { businessId: 'A-1' })));
    const winners = answers.filter(({ status }) => status === 201);
    expect(winners).toHaveLength(1);
    const { workflowID } = winners[0]!.body;
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(answer).toMatchObject({ status: 409, body: { code: 'BUSINESS_ID_TAKEN', details: { workflowID } } });
    expect((await begin(id, { businessId: 'A-2' })).status).toBe(201);
    expect((await begin(id)).status).toBe(201);
    expect((await begin(id)).status).toBe(201);
  });

  test('RUNNING frees the id with the end of the instance; EVER keeps it until the instance is erased', async () => {
    const running = await processWith({ uniqueBusinessId: 'RUNNING' });
    await cancel(await begun(running, { businessId: 'B' }));
    await cancel(await begun(running, { businessId: 'B' }));
    const ever = await processWith({ uniqueBusinessId: 'EVER' });
    const workflowID = await begun(ever, { businessId: 'B' });
    await cancel(workflowID);
    expect(await begin(ever, { businessId: 'B' })).toMatchObject({
      status: 409,
      body: { code: 'BUSINESS_ID_TAKEN', details: { workflowID } },
    });
    const restart = await host.call('executor', 'POST', `/bpmn/instances/${workflowID}/restart`, { json: {} });
    expect(restart).toMatchObject({ status: 409, body: { code: 'BUSINESS_ID_TAKEN' } });
    expect((await host.call('admin', 'DELETE', `/bpmn/instances/${workflowID}/history`)).status).toBe(204);
    await begun(ever, { businessId: 'B' });
  });

  test('counts over all versions, and a version deployed later keeps the rule', async () => {
    const id = await processWith({ uniqueBusinessId: 'RUNNING' });
    await begun(id, { businessId: 'C', version: 1 });
    await deploy(
      host,
      processModel(
        id,
        [startEvent('start'), userTask(`${id}-other`), endEvent('end')],
        ['a: start -> ' + `${id}-other`, `b: ${id}-other -> end`],
      ),
      id,
    );
    expect(await begin(id, { businessId: 'C' })).toMatchObject({ status: 409, body: { code: 'BUSINESS_ID_TAKEN' } });
  });

  test('a refusal is not the answer of an Idempotency-Key, and the winner is named again after its end', async () => {
    const id = await processWith({ uniqueBusinessId: 'EVER' });
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await begin(id, { businessId: 'D' }, key);
    const { workflowID } = first.body;
    const other = { 'Idempotency-Key': randomUUID() };
    expect((await begin(id, { businessId: 'D' }, other)).status).toBe(409);
    await cancel(workflowID);
    expect(await begin(id, { businessId: 'D' }, key)).toMatchObject({ status: 201, body: { workflowID } });
    await put(id, { uniqueBusinessId: 'RUNNING' });
    const later = await begin(id, { businessId: 'D' }, other);
    expect(later.status).toBe(201);
    expect(later.body.workflowID).not.toBe(workflowID);
  });

  test('cannot be turned on while instances violate it, and names the first five ids', async () => {
    const id = named();
    await deploy(host, holding(id), id);
    const twice = ['1', '2', '3', '4', '5', '6'];
    for (const businessId of [...twice, ...twice, '7']) await begun(id, { businessId });
    const refused = await put(id, { uniqueBusinessId: 'RUNNING' });
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', details: { businessIds: twice.slice(0, 5) } },
    });
    expect((await host.call('viewer', 'GET', settingsOf(id))).body).toMatchObject({ uniqueBusinessId: 'NONE' });
    await begun(id, { businessId: '7' });
  });

  test('an instance from before the setting keeps its id', async () => {
    const id = named();
    await deploy(host, holding(id), id);
    const workflowID = await begun(id, { businessId: 'old' });
    await put(id, { uniqueBusinessId: 'RUNNING' });
    expect(await begin(id, { businessId: 'old' })).toMatchObject({ status: 409, body: { details: { workflowID } } });
    await cancel(workflowID);
    await begun(id, { businessId: 'old' });
  });
});

describe('a limit of concurrent instances', () => {
  test('further instances are accepted and wait for a place, then begin within a second, oldest first', async () => {
    const id = await processWith({ concurrentInstances: 1 });
    const first = await begun(id);
    const second = await begun(id, { businessId: 'second' });
    const third = await begun(id);
    await hasBegun(first);
    expect(await get(second)).toMatchObject({ status: 'RUNNING', queued: true, activeScopes: [] });
    const { createdAt } = await get(second);
    expect(await waitsOf(second)).toEqual([
      { kind: 'begin', heldBy: 'CONCURRENCY', since: createdAt, overTarget: false },
    ]);
    expect((await get(second, '/history')).data).toEqual([]);
    expect((await host.call('viewer', 'GET', `/bpmn/instances?processId=${id}`)).body.data).toContainEqual(
      expect.objectContaining({ workflowID: second, queued: true }),
    );
    const ended = performance.now();
    await cancel(first);
    await hasBegun(second);
    expect(performance.now() - ended).toBeLessThan(3_000);
    expect(await get(second)).toMatchObject({ createdAt });
    expect(await isQueued(third)).toBe(true);
    await cancel(second);
    await hasBegun(third);
  });

  test('counts for each value of the key, by its type', async () => {
    const id = await processWith({ concurrentInstances: 1, concurrencyKey: 'customer' });
    const workflowIDs = [];
    for (const customer of ['1', 1, true, null]) workflowIDs.push(await begun(id, { variables: { customer } }));
    for (const workflowID of workflowIDs) await hasBegun(workflowID);
    for (const customer of ['1', 1, true, null])
      expect(await isQueued(await begun(id, { variables: { customer } })), String(customer)).toBe(true);
    expect(await begin(id, { variables: { customer: [1] } })).toMatchObject({ status: 400 });
    expect(await begin(id, {})).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });

  test('REFUSE returns 409 while no place is free', async () => {
    const id = await processWith({ concurrentInstances: 2, whenFull: 'REFUSE' });
    const [first] = [await begun(id), await begun(id)];
    expect(await begin(id)).toMatchObject({ status: 409, body: { code: 'LIMIT_REACHED' } });
    await cancel(first!);
    await begun(id);
    expect(await begin(id)).toMatchObject({ status: 409, body: { code: 'LIMIT_REACHED' } });
  });

  test('fifty starts at once take exactly the places that there are', async () => {
    const id = await processWith({ concurrentInstances: 5, whenFull: 'REFUSE' });
    const answers = await Promise.all(Array.from({ length: 50 }, () => begin(id)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(answers.filter(({ body }) => body.code === 'LIMIT_REACHED')).toHaveLength(45);
  });

  test('at most maxQueued instances of the process wait', async () => {
    const id = await processWith({ concurrentInstances: 1, maxQueued: 2 });
    await begun(id);
    const queued = [await begun(id), await begun(id)];
    expect(await begin(id)).toMatchObject({ status: 409, body: { code: 'LIMIT_REACHED' } });
    await cancel(queued[0]!);
    await begun(id);
  });

  test('instances from before the limit count in the group without a key', async () => {
    const id = named();
    await deploy(host, holding(id), id);
    const before = [await begun(id), await begun(id)];
    await put(id, { concurrentInstances: 2, concurrencyKey: 'customer', whenFull: 'REFUSE' });
    expect((await begin(id, { variables: { customer: null } })).body.code).toBe('LIMIT_REACHED');
    await begun(id, { variables: { customer: 1 } });
    await cancel(before[0]!);
    await begun(id, { variables: { customer: null } });
  });

  test('a higher limit and no limit let queued instances begin', async () => {
    const id = await processWith({ concurrentInstances: 1 });
    const [, second, third, fourth] = [await begun(id), await begun(id), await begun(id), await begun(id)];
    await put(id, { concurrentInstances: 2 });
    await hasBegun(second!);
    expect(await isQueued(third!)).toBe(true);
    await put(id, {});
    await hasBegun(third!);
    await hasBegun(fourth!);
  });

  test('a paused instance is passed over and keeps its rank', async () => {
    const id = await processWith({ concurrentInstances: 1 });
    const [first, second, third] = [await begun(id), await begun(id), await begun(id)];
    await change(`instances/${second}/suspend`);
    await cancel(first!);
    await hasBegun(third!);
    const fourth = await begun(id);
    await change(`instances/${second}/resume`);
    expect(await isQueued(second!)).toBe(true);
    await cancel(third!);
    await hasBegun(second!);
    expect(await isQueued(fourth)).toBe(true);
  });

  test('a paused instance begins with its resume if a place is free', async () => {
    const id = await processWith({ concurrentInstances: 1 });
    const [first, second] = [await begun(id), await begun(id)];
    await change(`instances/${second}/suspend`);
    await cancel(first!);
    await change(`instances/${second}/resume`);
    await hasBegun(second!);
  });

  test('a suspension of starts lets queued instances begin, a full one does not', async () => {
    const id = await processWith({ concurrentInstances: 1 });
    const [first, second, third] = [await begun(id), await begun(id), await begun(id)];
    const { definitionID } = await get(first!);
    const definition = `definitions/${definitionID}`;
    await change(`${definition}/suspend`, { instances: false });
    await cancel(first!);
    await hasBegun(second!);
    await change(`${definition}/suspend`);
    await cancel(second!);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await isQueued(third!)).toBe(true);
    await change(`${definition}/resume`);
    await hasBegun(third!);
  });

  test('an instance that was queued while no worker ran begins once one runs', async () => {
    const id = await processWith({ concurrentInstances: 1 });
    const first = await begun(id);
    await hasBegun(first);
    await host.stopWorker();
    const second = await begun(id);
    await put(id, { concurrentInstances: 2 });
    expect(await isQueued(second)).toBe(true);
    await host.startWorker();
    await hasBegun(second);
  });

  test('called instances are not counted', async () => {
    const id = await processWith({ concurrentInstances: 1, whenFull: 'REFUSE', uniqueBusinessId: 'EVER' });
    const caller = named();
    const definitionID = await deploy(host, sequenceModel(caller, [callActivity(`${caller}-call`, id)]), caller);
    await start(host, definitionID, { businessId: 'shared' });
    await start(host, definitionID, { businessId: 'shared' });
    await eventually(
      async () => (await host.call('viewer', 'GET', `/bpmn/instances?processId=${id}`)).body.data,
      (children) => children.length === 2,
    );
    await begun(id, { businessId: 'shared' });
  });
});

describe('a queued instance', () => {
  const queuedOf = async (id: string, more: Record<string, unknown> = {}) => {
    const first = await begun(id);
    return { first, queued: await begun(id, more) };
  };

  test('is canceled at once, without a workflow', async () => {
    const { queued } = await queuedOf(await processWith({ concurrentInstances: 1 }));
    await cancel(queued);
    expect(await get(queued)).toMatchObject({ status: 'CANCELED' });
    expect(await waitsOf(queued)).toEqual([]);
    expect((await get(queued, '/timeline')).data.map(({ kind }: any) => kind)).toEqual(['START', 'CANCEL_INSTANCE']);
  });

  test('starts with the variables that it was given while it waited', async () => {
    const { first, queued } = await queuedOf(await processWith({ concurrentInstances: 1 }), {
      variables: { a: 1, b: 2 },
    });
    const path = `/bpmn/instances/${queued}/variables`;
    const given = await host.call('editor', 'PUT', path, { json: { variables: { b: null, c: 3 }, reason: 'late' } });
    expect(given).toMatchObject({ status: 200, body: { status: 'APPLIED' } });
    expect((await get(queued, '/variables')).variables).toEqual({ a: 1, c: 3 });
    expect(await get(queued, `/commands/${given.body.commandID}`)).toMatchObject({ status: 'APPLIED' });
    const evaluated = await host.call('viewer', 'POST', `/bpmn/instances/${queued}/evaluate`, {
      json: { expression: 'a + c' },
    });
    expect(evaluated.body).toEqual({ value: 4 });
    await cancel(first);
    await hasBegun(queued);
    expect((await get(queued, '/variables')).variables).toEqual({ a: 1, c: 3 });
    const later = await host.call('editor', 'PUT', path, {
      json: { variables: { d: 4 } },
      headers: { Prefer: 'wait=20' },
    });
    expect(later).toMatchObject({ status: 200, body: { status: 'APPLIED' } });
    expect((await get(queued, '/variables')).variables).toEqual({ a: 1, c: 3, d: 4 });
  });

  test('is migrated to another version, which it then starts with', async () => {
    const id = await processWith({ concurrentInstances: 1 });
    const { first, queued } = await queuedOf(id);
    await deploy(
      host,
      processModel(
        id,
        [startEvent('start'), userTask('other'), endEvent('end')],
        ['a: start -> other', 'b: other -> end'],
      ),
      id,
    );
    const migrate = (targetVersion: number) =>
      host.call('editor', 'POST', `/bpmn/instances/${queued}/migrate`, {
        json: { targetVersion, variables: { v: 2 } },
      });
    expect(await migrate(9)).toMatchObject({ status: 400 });
    expect(await migrate(2)).toMatchObject({ status: 200, body: { status: 'APPLIED' } });
    expect(await get(queued)).toMatchObject({ processVersion: 2, variables: { v: 2 } });
    await cancel(first);
    expect(await hasBegun(queued)).toMatchObject([{ nodeID: 'other' }]);
    expect((await get(queued, '/history')).data.map(({ nodeID }: any) => nodeID)).toContain('other');
  });

  test('refuses modifications and ad-hoc operations', async () => {
    const id = await processWith({ concurrentInstances: 1 }, (id) =>
      sequenceModel(id, [adHocSubProcess('errands', [task('errand')])]),
    );
    const { queued } = await queuedOf(id);
    const modified = await host.call('admin', 'POST', `/bpmn/instances/${queued}/modify`, {
      json: { instructions: [{ type: 'START_BEFORE_NODE', nodeID: 'errands' }] },
    });
    expect(modified).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  });
});

describe('starts by events', () => {
  const byMessage = (id: string) =>
    processModel(
      id,
      [startEvent('start', on.message('M')), userTask(`${id}-hold`), endEvent('end')],
      [`a: start -> ${id}-hold`, `b: ${id}-hold -> end`],
      `<bpmn:message id="M" name="go-${id}" />`,
    );
  const publish = (id: string, variables: Record<string, unknown> = {}) =>
    host.call('executor', 'POST', '/bpmn/messages', { json: { messageName: `go-${id}`, variables, ttl: '1h' } });
  const instancesOf = async (id: string) =>
    (await host.call('viewer', 'GET', `/bpmn/instances?processId=${id}&pageSize=50&order=asc`)).body.data as any[];

  test('are queued even where starts over REST are refused, and kept above maxQueued until there is room', async () => {
    const id = await processWith({ concurrentInstances: 1, whenFull: 'REFUSE', maxQueued: 1 }, byMessage);
    for (const n of [1, 2, 3]) await publish(id, { n });
    const two = await eventually(
      () => instancesOf(id),
      (found) => found.length === 2,
    );
    const sorted = two.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
    expect(sorted.map(({ queued }) => queued === true)).toEqual([false, true]);
    await cancel(sorted[0].workflowID);
    await hasBegun(sorted[1].workflowID);
    const three = await eventually(
      () => instancesOf(id),
      (found) => found.length === 3,
    );
    expect(three.filter(({ queued }) => queued)).toHaveLength(1);
  });

  test('a condition starts a queued instance, and names its definition when the queue is full', async () => {
    const byCondition = (id: string) =>
      processModel(
        id,
        [startEvent('start', on.condition('go')), userTask(`${id}-hold`), endEvent('end')],
        [`a: start -> ${id}-hold`, `b: ${id}-hold -> end`],
      );
    const id = await processWith({ concurrentInstances: 1, whenFull: 'REFUSE', maxQueued: 1 }, byCondition);
    const { definitionID } = (await host.call('viewer', 'GET', `/bpmn/processes/${id}/versions`)).body.data.map(
      (version: any) => ({ definitionID: version.id }),
    )[0];
    const evaluate = async () =>
      (
        await host.call('executor', 'POST', '/bpmn/conditionals/evaluate', {
          json: { variables: { go: true }, definitionID },
        })
      ).body;
    const [first, second] = [await evaluate(), await evaluate()];
    expect(await isQueued(first.started[0].workflowID)).toBe(false);
    expect(await isQueued(second.started[0].workflowID)).toBe(true);
    expect(await evaluate()).toEqual({ started: [], queueFull: [definitionID] });
  });

  test('a key that fails is an incident at the start event; once it is resolved, the instance has the message', async () => {
    const id = await processWith({ concurrentInstances: 1, concurrencyKey: 'customer.id' }, byMessage);
    await publish(id, { order: 7 });
    const [instance] = await eventually(
      () => instancesOf(id),
      (found) => found[0]?.hasIncident === true,
    );
    const [incident] = (await get(instance.workflowID, '/incidents')).data;
    expect(incident).toMatchObject({ errorType: 'FeelError', nodeID: 'start' });
    const resolve = `/bpmn/instances/${instance.workflowID}/incidents/${incident.incidentID}/resolve`;
    expect(await host.call('editor', 'POST', resolve, { json: {} })).toMatchObject({ status: 200 });
    await hasBegun(instance.workflowID);
    expect((await get(instance.workflowID, '/variables')).variables).toEqual({ order: 7 });
  });
});

afterEach(async () => {
  const { rows } = await host.store.query<{ found: string }>(
    `SELECT format('%s: %s', g.id, g.running) AS found FROM concurrency_groups g
     WHERE g.running <> (SELECT count(*) FROM instances i WHERE i.concurrency_group = g.id AND i.status = 'RUNNING' AND NOT i.queued)
       OR g.queued <> (SELECT count(*) FROM instance_starts s WHERE s.queue_group = g.id)`,
  );
  expect(rows, 'counted as they are').toEqual([]);
});
