import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { project, read, startTestHost, type TestHost } from '../support/host.js';
import {
  boundaryEvent,
  catchEvent,
  endEvent,
  eventBasedGateway,
  eventSubProcess,
  on,
  processModel,
  sequenceFlow,
  sequenceModel,
  serviceTask,
  startEvent,
} from '@perdure/testkit/models';
import { deploy, start, takeJob, untilStatus } from '../support/steps.js';
import { eventually } from '../../../support/eventually.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const extension = (xml: string) => `<bpmn:extensionElements>${xml}</bpmn:extensionElements>`;
/** A root message with its correlation key. */
const message = (name: string, correlationKey?: string) =>
  `<bpmn:message id="M" name="${name}">${correlationKey === undefined ? '' : extension(`<zeebe:subscription correlationKey="=${correlationKey}" />`)}</bpmn:message>`;
const signal = (name: string) => `<bpmn:signal id="S" name="${name}" />`;
const onMessage = on.message('M');
const onSignal = on.signal('S');
const catching = (definition: string) => catchEvent('wait', definition);

const publish = (json: Record<string, unknown>, headers: Record<string, string> = {}) =>
  host.call('executor', 'POST', '/bpmn/messages', { json, headers });
const throwSignal = (json: Record<string, unknown>) => host.call('executor', 'POST', '/bpmn/signals', { json });

const subscribed = (workflowID: string) =>
  eventually(
    async () =>
      (
        await host.store.query('SELECT count(*)::integer AS count FROM subscriptions WHERE workflow_id = $1', [
          workflowID,
        ])
      ).rows[0]!.count as number,
    (count) => count > 0,
  );

const startedBy = async (processId: string, count = 1) =>
  eventually(
    async () =>
      (await host.call('viewer', 'GET', `/bpmn/instances?processId=${processId}`)).body.data as {
        workflowID: string;
      }[],
    ({ length }) => length >= count,
  );

describe('a message', () => {
  test('wakes a catch event and brings its variables', async () => {
    const name = randomUUID();
    const id = await deploy(host, sequenceModel('caught', [catching(onMessage)], message(name, 'order')));
    const workflowID = await start(host, id, { variables: { order: 7 } });
    await subscribed(workflowID);
    expect(await publish({ messageName: name, correlationKeys: '7', ttl: 'PT0S' })).toMatchObject({ status: 200 });
    expect(await publish({ messageName: name, correlationKeys: 7, variables: { paid: true } })).toMatchObject({
      status: 200,
    });
    expect(await untilStatus(host, workflowID, 'COMPLETED')).toMatchObject({ variables: { order: 7, paid: true } });
  });

  test('that was published before is taken by a receive task', async () => {
    const name = randomUUID();
    const task = '<bpmn:receiveTask id="wait" messageRef="M" />';
    const id = await deploy(host, sequenceModel('received', [task], message(name, 'key')));
    await publish({ messageName: name, correlationKeys: { a: 1, b: 2 }, variables: { x: 1 }, ttl: '10m' });
    const workflowID = await start(host, id, { variables: { key: { b: 2 } } });
    expect(await untilStatus(host, workflowID, 'COMPLETED')).toMatchObject({ variables: { x: 1 } });
  });

  test('interrupts the activity of a boundary event', async () => {
    const name = randomUUID();
    const type = randomUUID();
    const elements = [
      startEvent('start'),
      serviceTask('work', { type }),
      boundaryEvent('boundary', 'work', onMessage),
      endEvent('end'),
      endEvent('stopped'),
    ];
    const flows = ['start -> work -> end', 'boundary -> stopped'];
    const workflowID = await start(
      host,
      await deploy(host, processModel('bounded', elements, flows, message(name, '1'))),
    );
    await subscribed(workflowID);
    expect(await publish({ messageName: name, correlationKeys: 1 })).toMatchObject({ status: 200 });
    await untilStatus(host, workflowID, 'COMPLETED');
    const { body } = await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/external-jobs`);
    expect(body.data).toMatchObject([{ status: 'CANCELED' }]);
  });

  test('starts an event sub-process that does not interrupt, each time it comes', async () => {
    const name = randomUUID();
    const type = randomUUID();
    const elements = [
      startEvent('start'),
      serviceTask('work', { type }),
      endEvent('end'),
      eventSubProcess(
        'beside',
        [startEvent('came', onMessage, { interrupting: false }), endEvent('left')],
        ['came -> left'],
      ),
    ];
    const flows = ['start -> work -> end'];
    const workflowID = await start(
      host,
      await deploy(host, processModel('with-event-sub-process', elements, flows, message(name, '1'))),
    );
    await subscribed(workflowID);
    await publish({ messageName: name, correlationKeys: 1, variables: { first: 1 } });
    await publish({ messageName: name, correlationKeys: 1, variables: { second: 2 } });
    const history = () => host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/history?pageSize=100`);
    await eventually(
      history,
      ({ body }) =>
        body.data.filter(
          ({ nodeID, status }: { nodeID: string; status: string }) => nodeID === 'beside' && status === 'Completed',
        ).length === 2,
    );
  });

  test('decides an event-based gateway', async () => {
    const name = randomUUID();
    const elements = [
      startEvent('start'),
      eventBasedGateway('either'),
      catching(onMessage),
      catchEvent('late', on.timer('PT1H')),
      endEvent('end'),
    ];
    const flows = ['start -> either', 'either -> wait -> end', 'either -> late -> end'];
    const workflowID = await start(
      host,
      await deploy(host, processModel('with-gateway', elements, flows, message(name, '1'))),
    );
    await subscribed(workflowID);
    await publish({ messageName: name, correlationKeys: 1 });
    await untilStatus(host, workflowID, 'COMPLETED');
  });

  test('starts one instance of the newest version of a process', async () => {
    const name = randomUUID();
    const processID = `by-message-${randomUUID()}`;
    const type = randomUUID();
    const started = (version: number) =>
      processModel(
        processID,
        [
          `<bpmn:startEvent id="start">${onMessage}</bpmn:startEvent>`,
          serviceTask('work', { type: `${type}-${version}` }),
          endEvent('end'),
          sequenceFlow('a', 'start', 'work'),
          sequenceFlow('b', 'work', 'end'),
        ],
        [],
        message(name),
      );
    await deploy(host, started(1));
    await deploy(host, started(2));
    expect(await publish({ messageName: name, variables: { order: 9 } })).toMatchObject({ status: 200 });
    expect(await takeJob(host, `${type}-2`)).toMatchObject({ variables: { order: 9 } });
    expect(await startedBy(processID)).toHaveLength(1);
  });

  test('that an instance throws reaches another one', async () => {
    const name = randomUUID();
    const receiver = await start(
      host,
      await deploy(host, sequenceModel('receiver', [catching(onMessage)], message(name, '&quot;k&quot;'))),
    );
    const mapped = extension('<zeebe:ioMapping><zeebe:input source="=42" target="answer" /></zeebe:ioMapping>');
    const throwing = `<bpmn:intermediateThrowEvent id="say">${mapped}${onMessage}</bpmn:intermediateThrowEvent>`;
    await start(host, await deploy(host, sequenceModel('thrower', [throwing], message(name, '&quot;k&quot;'))));
    expect(await untilStatus(host, receiver, 'COMPLETED')).toMatchObject({ variables: { answer: 42 } });
  });

  test('a message wakes no instance in another project', async () => {
    const name = randomUUID();
    const workflowID = await start(
      host,
      await deploy(host, sequenceModel('mine', [catching(onMessage)], message(name, '1'))),
    );
    await subscribed(workflowID);
    const token = await host.api.issuer.sign({ sub: 'x', projects: [{ id: 'p2', roles: ['executor'] }] });
    expect(
      await read(
        await host.api.request('POST', '/projects/p2/bpmn/messages', {
          token,
          json: { messageName: name, correlationKeys: 1 },
        }),
      ),
    ).toMatchObject({ status: 200 });
    expect((await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}`)).body).toMatchObject({
      status: 'RUNNING',
    });
    expect(
      (await host.store.query('SELECT count(*)::integer AS count FROM commands WHERE workflow_id = $1', [workflowID]))
        .rows,
    ).toEqual([{ count: 0 }]);
  });

  test('is published once however often it is sent with one Idempotency-Key', async () => {
    const name = randomUUID();
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await publish({ messageName: name }, headers);
    const second = await publish({ messageName: name }, headers);
    expect(second).toMatchObject({ status: 200, body: first.body });
    expect(await publish({ messageName: name, variables: { other: 1 } }, headers)).toMatchObject({
      status: 409,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
    const { rows } = await host.store.query(
      'SELECT count(*)::integer AS count FROM publications WHERE name = $1 AND project_id = $2',
      [name, project],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });

  test.each([
    '',
    '0',
    '-1s',
    '-PT1H',
    '1x',
    'PT',
    '1h 30m',
    '2026-01-31',
    '2026-01-31T09:00:00',
    '999999999999d',
    'P200Y',
  ])('with the ttl %j is refused', async (ttl) => {
    expect(await publish({ messageName: 'n', ttl })).toMatchObject({ status: 400 });
  });

  test.each(['PT1H', '1h30m', '500ms', '2000-01-01T00:00:00Z', '2096-01-31T09:00:00+02:00', 'P1D', 'PT0S', '0s'])(
    'with the ttl %j is taken',
    async (ttl) => {
      expect(await publish({ messageName: randomUUID(), ttl })).toMatchObject({ status: 200 });
    },
  );

  test.each([
    { messageName: '' },
    {},
    { messageName: 'n', correlationKeys: [1] },
    { messageName: 'n', correlationKeys: null },
    { messageName: 'n', more: 1 },
  ])('such as %j is refused', async (json) => {
    expect(await publish(json)).toMatchObject({ status: 400 });
  });
});

describe('a signal', () => {
  test('of several hundred kilobytes reaches everyone whole', async () => {
    const name = `large-${randomUUID()}`;
    const id = await deploy(host, sequenceModel('hearsMuch', [catching(onSignal)], signal(name)));
    const waiting = [await start(host, id), await start(host, id)];
    const text = 'x'.repeat(400_000);
    expect(await throwSignal({ signalName: name, variables: { text } })).toMatchObject({ status: 200 });
    for (const workflowID of waiting)
      expect((await untilStatus(host, workflowID, 'COMPLETED')).variables).toEqual({ text });
  });

  test('a signal wakes every waiting instance, starts processes, and is kept for late subscribers', async () => {
    const name = randomUUID();
    const id = await deploy(host, sequenceModel('signalled', [catching(onSignal)], signal(name)));
    const processID = `by-signal-${randomUUID()}`;
    await deploy(
      host,
      processModel(
        processID,
        [
          `<bpmn:startEvent id="start">${onSignal}</bpmn:startEvent>`,
          endEvent('end'),
          sequenceFlow('a', 'start', 'end'),
        ],
        [],
        signal(name),
      ),
    );
    const waiting = await Promise.all([start(host, id), start(host, id)]);
    await Promise.all(waiting.map(subscribed));
    expect(await throwSignal({ signalName: name, variables: { seen: true } })).toMatchObject({ status: 200 });
    const late = await start(host, id);
    for (const workflowID of [...waiting, late])
      expect(await untilStatus(host, workflowID, 'COMPLETED')).toMatchObject({ variables: { seen: true } });
    expect(await startedBy(processID)).toHaveLength(1);
  });
});
