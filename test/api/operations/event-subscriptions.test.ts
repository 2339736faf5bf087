/** Subscriptions to events through the API, and their deliveries to a service on loopback. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { deliver } from '../../../connectors/events/deliver.js';
import { eventDeliveries } from '../../../connectors/events/runner.js';
import { startConnectorsRole, type ConnectorsRole } from '../../../connectors/role.js';
import { createEgress } from '../../../outbound/egress/egress.js';
import { parseEgressEntry } from '../../../outbound/egress/entry.js';
import { createSecrets } from '../../../outbound/secrets/secrets.js';
import { scriptTask, sequenceModel } from '@perdure/testkit/models';
import { answerWith, startService, type Service } from '../../connectors/support/service.js';
import { eventually } from '../../support/eventually.js';
import { silent } from '../../support/host-services.js';
import { project, startTestHost, type TestHost } from './support/host.js';
import { deploy, start, untilStatus } from './support/steps.js';

const KEY = Buffer.from('signs all events of the project');
const SECRET = KEY.toString('base64');

let host: TestHost;
let service: Service;
let deliveries: ConnectorsRole;
let definitionID: string;
beforeAll(async () => {
  host = await startTestHost();
  service = await startService();
  const outbound = {
    egress: createEgress([parseEgressEntry(service.url)!]),
    secrets: createSecrets(undefined, { [project]: { EVENTS: { values: [SECRET, 'the-former-one'], hosts: [] } } }),
    logger: silent,
  };
  // The API saves an address that the host's allow-list has; the service is where the name would lead.
  const connector = eventDeliveries({
    store: host.store,
    logger: silent,
    count: () => undefined,
    send: (projectID, receiver, event) =>
      deliver(
        outbound,
        projectID,
        { ...receiver, url: receiver.url.replace('https://events.example.com', service.url) },
        event,
      ),
  });
  deliveries = startConnectorsRole(silent, [connector]);
  await setRetention('P1D');
  definitionID = await deploy(host, sequenceModel('counts', [scriptTask('one', '=1', 'one')]));
});
afterAll(async () => {
  await deliveries?.stop();
  await service?.close();
  await host?.close();
});

const setRetention = (eventRetention: string | null) =>
  host.call('admin', 'PATCH', '/settings', { json: { eventRetention } });

let path: string;
let tests = 0;
beforeEach(() => {
  path = `/events-${(tests += 1)}`;
});

const settings = () => ({
  name: 'warehouse',
  url: `https://events.example.com${path}`,
  secret: 'EVENTS',
  types: ['perdure.instance.started', 'perdure.instance.completed'],
});
const create = (changes: object = {}) =>
  host.call('admin', 'POST', '/events/subscriptions', { json: { ...settings(), ...changes } });
const received = () => service.received.filter(({ url }) => url === path);

it('a subscription sends each event in a signed request', async () => {
  const { status, body: subscription } = await create();
  expect(status).toBe(201);
  const workflowID = await start(host, definitionID);
  await eventually(
    async () => received(),
    (all) => all.length === 2,
  );
  const [first, second] = received();
  expect(first!.headers).toMatchObject({ 'content-type': 'application/cloudevents+json; charset=utf-8' });
  expect(first!.method).toBe('POST');
  const event = JSON.parse(first!.body);
  expect(event).toMatchObject({
    specversion: '1.0',
    id: first!.headers['webhook-id'],
    source: `/projects/${project}`,
    type: 'perdure.instance.started',
    subject: workflowID,
  });
  expect(JSON.parse(second!.body)).toMatchObject({ type: 'perdure.instance.completed', subject: workflowID });
  const signed = `${event.id}.${first!.headers['webhook-timestamp']}.${first!.body}`;
  expect(first!.headers['webhook-signature']).toBe(`v1,${createHmac('sha256', KEY).update(signed).digest('base64')}`);
  const look = () => host.call('admin', 'GET', `/events/subscriptions/${subscription.subscriptionID}`);
  await eventually(look, ({ body }) => body.pending === 0);
});

it('a subscription repeats a failed delivery and says why it failed', async () => {
  let isAway = true;
  service.on(path, (one, response) => answerWith(isAway ? 503 : 204, {})(one, response));
  const { body: subscription } = await create({ types: ['perdure.instance.completed'] });
  const look = () => host.call('admin', 'GET', `/events/subscriptions/${subscription.subscriptionID}`);
  const workflowID = await start(host, definitionID);
  await untilStatus(host, workflowID, 'COMPLETED');
  const { body } = await eventually(look, (answer) => answer.body.failingSince !== undefined);
  expect(body).toMatchObject({ lastError: 'The receiver answered with status 503.', pending: 1, deadLetters: 0 });
  isAway = false;
  await eventually(look, (answer) => answer.body.pending === 0 && answer.body.failingSince === undefined);
  expect(new Set(received().map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

it('a subscription gives a receiver that never answers eight requests, and delivers to others in the meantime', async () => {
  const hanging = path;
  let open = 0;
  let mostOpen = 0;
  service.on(hanging, (_one, response) => {
    mostOpen = Math.max(mostOpen, (open += 1));
    response.on('close', () => (open -= 1));
  });
  const { body: stuck } = await create({ types: ['perdure.instance.completed'] });
  path = `${hanging}-other`;
  await create({ types: ['perdure.instance.completed'] });
  const workflowIDs = await Promise.all(Array.from({ length: 12 }, () => start(host, definitionID)));
  const subjects = () => received().map(({ body }) => JSON.parse(body).subject as string);
  await eventually(
    async () => subjects(),
    (all) => workflowIDs.every((id) => all.includes(id)),
  );
  await eventually(
    async () => open,
    (requests) => requests === 8,
  );
  expect(mostOpen).toBe(8);
  await host.call('admin', 'DELETE', `/events/subscriptions/${stuck.subscriptionID}`);
});

it('a subscription counts an answer of 2xx as a delivery, whatever its body is', async () => {
  service.on(path, (_one, response) => {
    response.writeHead(200);
    const endless = setInterval(() => response.write('x'.repeat(10_000)), 10);
    response.on('close', () => clearInterval(endless));
  });
  const { body: subscription } = await create({ types: ['perdure.instance.completed'] });
  await start(host, definitionID);
  await eventually(
    async () => received(),
    (all) => all.length === 1,
  );
  const look = () => host.call('admin', 'GET', `/events/subscriptions/${subscription.subscriptionID}`);
  await eventually(look, ({ body }) => body.pending === 0);
  expect(received()).toHaveLength(1);
});

it('a subscription does not follow a redirect', async () => {
  service.on(path, (_one, response) => void response.writeHead(307, { location: `${service.url}/elsewhere` }).end());
  const { body: subscription } = await create({ types: ['perdure.instance.completed'] });
  await start(host, definitionID);
  const look = () => host.call('admin', 'GET', `/events/subscriptions/${subscription.subscriptionID}`);
  await eventually(look, ({ body }) => body.lastError === 'The receiver answered with status 307.');
  expect(service.received.some(({ url }) => url === '/elsewhere')).toBe(false);
});

it('a subscription is created, listed, changed, and deleted by admins', async () => {
  const { body: created } = await create({ processIds: ['counts'] });
  expect(created).toMatchObject({
    ...settings(),
    processIds: ['counts'],
    enabled: true,
    createdBy: 'admin',
    pending: 0,
  });
  const address = `/events/subscriptions/${created.subscriptionID}`;
  const { body: changed } = await host.call('admin', 'PATCH', address, { json: { processIds: null, enabled: false } });
  expect(changed.processIds).toBeUndefined();
  expect(changed).toMatchObject({ enabled: false, name: 'warehouse' });
  const { body: list } = await host.call('admin', 'GET', '/events/subscriptions?pageSize=100');
  expect(list.data).toContainEqual(changed);
  expect((await host.call('admin', 'GET', `${address}/dead-letters`)).body.data).toEqual([]);
  expect((await host.call('admin', 'POST', `${address}/redeliver`)).status).toBe(202);
  expect((await host.call('admin', 'DELETE', address)).status).toBe(204);
  for (const [method, below] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['GET', '/dead-letters'],
    ['POST', '/redeliver'],
  ] as const)
    expect((await host.call('admin', method, address + below, method === 'PATCH' ? { json: {} } : {})).status).toBe(
      404,
    );
});

it.each([
  [{ url: 'https://elsewhere.example.com/' }, /^\/url: .*EGRESS_ALLOW/],
  [{ url: 'http://events.example.com/' }, /^\/url: /],
  [{ url: 'https://user:word@events.example.com/' }, /^\/url: .*user name/],
  [{ url: 'no address' }, /^\/url: /],
  [{ secret: 'UNKNOWN' }, /^\/secret: .*no secret UNKNOWN/],
  [{ secret: 'PASSWORD' }, /^\/secret: .*base64 of at least 16 bytes/],
  [{ secret: '../EVENTS' }, /secret/],
  [{ types: [] }, /types/],
  [{ types: ['perdure.instance.exploded'] }, /types/],
  [{ after: '-1' }, /after/],
])('%j is refused with the reason', async (changes, message) => {
  const { status, body } = await create(changes);
  expect(status).toBe(400);
  expect(body.detail).toMatch(message.source.startsWith('^') ? new RegExp(message.source.slice(1)) : message);
});

it('a subscription is refused after a position that has expired, and in a project without a feed', async () => {
  expect(await create({ after: '999999999999' })).toMatchObject({ status: 409, body: { code: 'POSITION_EXPIRED' } });
  await setRetention(null);
  expect(await create()).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  await setRetention('P1D');
});
