/** Publications of messages in the API. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catchEvent, extensions, on, sequenceModel } from '@perdure/testkit/models';
import { startTestHost, type TestHost } from '../support/host.js';
import { deploy, start, untilStatus } from '../support/steps.js';
import { eventually } from '../../../support/eventually.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const waitingFor = async (name: string, key: unknown) => {
  const message = `<bpmn:message id="M" name="${name}">${extensions('<zeebe:subscription correlationKey="=key" />')}</bpmn:message>`;
  const model = sequenceModel('waiting', [catchEvent('wait', on.message('M'))], message);
  const workflowID = await start(host, await deploy(host, model), { variables: { key } });
  await eventually(
    async () => (await host.call('viewer', 'GET', `/bpmn/subscriptions?workflowID=${workflowID}`)).body.data,
    ({ length }) => length === 1,
  );
  return workflowID;
};
const publish = (json: Record<string, unknown>, headers: Record<string, string> = {}) =>
  host.call('executor', 'POST', '/bpmn/messages', { json, headers });
const get = async (publicationID: string) =>
  (await host.call('viewer', 'GET', `/bpmn/publications/${publicationID}`)).body;

test('publishing returns the outcome of the message', async () => {
  const name = randomUUID();
  const workflowID = await waitingFor(name, 'k');
  expect(await publish({ messageName: name, correlationKeys: 'k', variables: { paid: true } })).toMatchObject({
    status: 200,
    body: { type: 'message', name, correlationKeys: 'k', state: 'TAKEN', takenBy: { workflowID, nodeID: 'wait' } },
  });
  await untilStatus(host, workflowID, 'COMPLETED');
  expect((await publish({ messageName: name, correlationKeys: 'k' })).body).toMatchObject({ state: 'KEPT' });
  expect((await publish({ messageName: name, correlationKeys: 'k', ttl: 'PT0S' })).body).toMatchObject({
    state: 'EXPIRED',
    endedAt: expect.any(String),
  });
});

test('a repeat with the same key names the same message and shows its present state', async () => {
  const name = randomUUID();
  const headers = { 'Idempotency-Key': randomUUID() };
  const first = await publish({ messageName: name }, headers);
  expect(first.body).toMatchObject({ state: 'KEPT' });
  await host.call('editor', 'DELETE', `/bpmn/publications/${first.body.publicationID}`);
  const again = await publish({ messageName: name }, headers);
  expect(again).toMatchObject({ status: 200, body: { publicationID: first.body.publicationID, state: 'DELETED' } });
  await host.store.query('DELETE FROM ended_publications WHERE id = $1', [first.body.publicationID]);
  expect((await publish({ messageName: name }, headers)).body).toEqual(first.body);
});

test('a kept message shows its variables and whom it misses; a deleted one neither', async () => {
  const name = randomUUID();
  const workflowID = await waitingFor(name, '5');
  const { body } = await publish({ messageName: name, correlationKeys: 5, variables: { a: 1 } });
  expect(body).not.toHaveProperty('variables');
  expect(await get(body.publicationID)).toMatchObject({
    state: 'KEPT',
    variables: { a: 1 },
    publishedBy: 'executor',
    nearMisses: [
      {
        workflowID,
        nodeID: 'wait',
        correlationKeys: '5',
        differences: [{ path: '', reason: 'TYPE', expected: '5', found: 5 }],
      },
    ],
  });
  const path = `/bpmn/publications/${body.publicationID}`;
  expect(await host.call('executor', 'DELETE', path)).toMatchObject({ status: 404 });
  expect(await host.call('editor', 'DELETE', `${path}?reason=twice`)).toMatchObject({ status: 204 });
  expect(await host.call('editor', 'DELETE', path)).toMatchObject({ status: 204 });
  const deleted = await get(body.publicationID);
  expect(deleted).toMatchObject({ state: 'DELETED' });
  expect(deleted).not.toHaveProperty('variables');
  expect(deleted).not.toHaveProperty('nearMisses');
});

test('a message on its way to a paused instance is claimed, and cannot be deleted', async () => {
  const name = randomUUID();
  const workflowID = await waitingFor(name, 1);
  await host.call('admin', 'POST', `/bpmn/instances/${workflowID}/suspend`);
  const { status, body } = await publish({ messageName: name, correlationKeys: 1 });
  expect([status, body.state, body.takenBy]).toEqual([202, 'CLAIMED', { workflowID, nodeID: 'wait' }]);
  const path = `/bpmn/publications/${body.publicationID}`;
  expect(await host.call('editor', 'DELETE', path)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  const { body: listed } = await host.call('viewer', 'GET', `/bpmn/subscriptions?name=${name}&type=message`);
  expect(listed.data).toMatchObject([{ workflowID, publicationID: body.publicationID, processId: 'waiting' }]);
});

test('messages and signals are filtered by type, name, state, and time', async () => {
  const name = randomUUID();
  const { body: kept } = await publish({ messageName: name });
  const { body: expired } = await publish({ messageName: name, ttl: 'PT0S' });
  const { body: signal } = await host.call('executor', 'POST', '/bpmn/signals', { json: { signalName: name } });
  expect(signal).toMatchObject({ type: 'signal', state: 'KEPT', reached: 0 });
  const ids = async (query: string) =>
    (await host.call('viewer', 'GET', `/bpmn/publications?name=${name}${query}`)).body.data.map(
      ({ publicationID }: { publicationID: string }) => publicationID,
    );
  expect(await ids('')).toEqual([signal, expired, kept].map(({ publicationID }) => publicationID));
  expect(await ids('&type=message&state=KEPT,CLAIMED')).toEqual([kept.publicationID]);
  expect(await ids('&state=EXPIRED')).toEqual([expired.publicationID]);
  expect(await ids(`&publishedAfter=${signal.publishedAt}`)).toEqual([]);
  expect(await ids(`&pageSize=1&page=2`)).toEqual([expired.publicationID]);
  expect(await host.call('viewer', 'GET', '/bpmn/publications?state=GONE')).toMatchObject({ status: 400 });
});
