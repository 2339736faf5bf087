/** The event feed through the API: lists, long polls, and streams over a socket. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveApi, type ServedApi } from '../../../api/serve.js';
import type { ProjectRole } from '../../../api/contract/roles.js';
import { sequenceModel, serviceTask, scriptTask, element, extensions, tag } from '@perdure/testkit/models';
import { read, startTestHost, type TestHost } from './support/host.js';
import { deploy, start, takeJob, untilStatus } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;
let served: ServedApi;
let definitionID: string;

beforeAll(async () => {
  host = await startTestHost();
  served = await serveApi(host.api.app, { host: '127.0.0.1', port: 0 });
  await setRetention('PT1H');
  definitionID = await deploy(host, sequenceModel('counts', [scriptTask('one', '=1', 'one')]));
});
afterAll(async () => {
  await served?.close();
  await host.close();
});

const setRetention = (eventRetention: string | null) =>
  host.call('admin', 'PATCH', '/settings', { json: { eventRetention } });
const list = (query = '', headers: Record<string, string> = {}) =>
  host.call('viewer', 'GET', `/events${query}`, { headers });
const newest = async () => (await list()).body.next as string;

/** A stream of server-sent events; `next` reads one block. */
async function openStream(query = '', { headers = {}, claims = {} }: { headers?: object; claims?: object } = {}) {
  const closing = new AbortController();
  const token = await host.token('viewer', { ...claims });
  const response = await fetch(`${served.url}/projects/p1/events${query}`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${token}`, ...headers },
    signal: closing.signal,
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    response,
    async next(): Promise<string | undefined> {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end >= 0) {
          const block = text.slice(0, end);
          text = text.slice(end + 2);
          return block;
        }
        const { done, value } = await reader.read();
        if (done) return undefined;
        text += value;
      }
    },
    /** The next event, passing over lines that keep the connection alive. */
    async event(): Promise<{ id: string; type: string; subject: string }> {
      for (;;) {
        const data = /^data: (.*)$/m.exec((await this.next()) ?? 'data: null')?.[1];
        if (data !== undefined) return JSON.parse(data);
      }
    },
    close: () => closing.abort(),
  };
}

test('events of an instance are CloudEvents, which are followed by `next`', async () => {
  const before = await newest();
  const workflowID = await start(host, definitionID, { businessId: 'order-17' });
  await untilStatus(host, workflowID, 'COMPLETED');
  const { status, body } = await eventually(
    () =>
      list(`?after=${before}&limit=1&types=perdure.instance.started,perdure.instance.completed`, { prefer: 'wait=20' }),
    (answer) => answer.body.data.length === 1,
  );
  expect(status).toBe(200);
  expect(body.data[0]).toEqual({
    specversion: '1.0',
    id: body.next,
    source: '/projects/p1',
    type: 'perdure.instance.started',
    subject: workflowID,
    time: expect.stringMatching(/Z$/),
    datacontenttype: 'application/json',
    data: {
      workflowID,
      definitionID,
      processId: 'counts',
      processVersion: 1,
      businessId: 'order-17',
      status: 'RUNNING',
      actor: 'executor',
    },
  });
  const rest = (await list(`?after=${body.next}`, { prefer: 'wait=20' })).body;
  expect(rest.data[0]).toMatchObject({ type: 'perdure.instance.completed', subject: workflowID });
  expect((await list(`?after=${rest.next}`)).body).toEqual({ data: [], next: rest.next });
});

test('a long poll ends with the first event that matches, and without one when its time is up', async () => {
  const processDefinitionID = await deploy(host, sequenceModel('works', [serviceTask('feed-work')]));
  const after = await newest();
  const poll = list(`?after=${after}&types=perdure.instance.completed&processId=works`, { prefer: 'wait=50' });
  const workflowID = await start(host, processDefinitionID);
  await start(host, definitionID);
  const job = await takeJob(host, 'feed-work');
  await host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/complete`, {
    json: { workflowID, clientID: 'worker-1' },
  });
  expect((await poll).body.data).toMatchObject([{ type: 'perdure.instance.completed', subject: workflowID }]);
  const { status, body } = await list(`?types=perdure.target.missed`, { prefer: 'wait=1' });
  expect({ status, data: body.data }).toEqual({ status: 200, data: [] });
});

test('a stream begins at once, and sends what happens', async () => {
  const stream = await openStream('?processId=counts');
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
  expect(await stream.next()).toMatch(/^:\nid: \d+$/);
  const workflowID = await start(host, definitionID);
  expect(await stream.event()).toMatchObject({ type: 'perdure.instance.started', subject: workflowID });
  const completed = await stream.event();
  expect(completed).toMatchObject({ type: 'perdure.instance.completed', subject: workflowID });
  stream.close();
  const next = await start(host, definitionID);
  const again = await openStream('?after=0', { headers: { 'last-event-id': completed.id } });
  expect(await again.event()).toMatchObject({ type: 'perdure.instance.started', subject: next });
  again.close();
});

test('a stream ends with the token that opened it', async () => {
  const now = Math.floor(Date.now() / 1000);
  // The host tolerates clocks that differ by 30 seconds.
  const stream = await openStream('', { claims: { iat: now - 60, exp: now - 28 } });
  let last: string | undefined = '';
  for (let block = await stream.next(); block !== undefined; block = await stream.next()) last = block;
  expect(stream.response.status).toBe(200);
  expect(last).toMatch(/^:\nid: \d+$/);
});

test('a caller may read four streams at once, and the fifth when one is closed', async () => {
  const claims = { sub: 'reader' };
  const streams = await Promise.all(Array.from({ length: 4 }, () => openStream('', { claims })));
  for (const stream of streams) await stream.next();
  expect((await openStream('', { claims })).response.status).toBe(429);
  streams[0]!.close();
  const fifth = await eventually(
    () => openStream('', { claims }),
    ({ response }) => response.status === 200,
  );
  for (const stream of [...streams, fifth]) stream.close();
});

test('positions that were removed have expired, and say where to continue', async () => {
  await start(host, definitionID);
  const { data } = await eventually(
    async () => (await list('?after=0&limit=2')).body,
    (part) => part.data.length === 2,
  );
  const [first, second] = data as { id: string }[];
  await host.store.query('UPDATE event_feeds SET expired_through = $1', [second!.id]);
  const expired = await list(`?after=${first!.id}`);
  expect(expired).toMatchObject({
    status: 409,
    body: { code: 'POSITION_EXPIRED', details: { oldest: second!.id } },
  });
  expect((await list(`?after=${expired.body.details.oldest}`)).status).toBe(200);
  const stream = await openStream(`?after=${first!.id}`);
  expect(stream.response.status).toBe(409);
});

test('malformed positions and types are refused', async () => {
  for (const query of [
    '?after=x',
    '?after=-1',
    '?after=01',
    '?after=1e3',
    '?types=perdureXinstance.started',
    '?limit=0',
  ])
    expect([query, (await list(query)).status]).toEqual([query, 400]);
  expect((await openStream('', { headers: { 'last-event-id': 'x' } })).response.status).toBe(400);
  expect((await openStream('?limit=5')).response.status).toBe(400);
});

test('viewers learn from the events of a user task neither its key nor who has it, unless it names them', async () => {
  await setRetention('PT1H');
  const before = await newest();
  const named = element('userTask', { id: 'review', name: 'Review' }, [
    extensions([
      tag('zeebe:userTask', {}),
      tag('zeebe:assignmentDefinition', { assignee: 'kim', candidateGroups: 'board' }),
      tag('zeebe:taskSchedule', { dueDate: '2030-01-01T00:00:00Z' }),
    ]),
  ]);
  const workflowID = await start(host, await deploy(host, sequenceModel('named-task', [named])));
  const query = `?after=${before}&types=perdure.task.created&processId=named-task`;
  const seenBy = async (role: ProjectRole, claims?: Record<string, unknown>) => {
    const token = await host.token(role, claims);
    const { body } = await host.api.request('GET', `/projects/p1/events${query}`, { token }).then(read);
    return body.data[0];
  };
  const all = await eventually(
    () => seenBy('executor'),
    (event) => event !== undefined,
  );
  expect(all.subject).toMatch(`${workflowID}:`);
  expect(all.data).toMatchObject({ nodeID: 'review', name: 'Review', assignee: 'kim', dueDate: expect.any(String) });
  for (const claims of [{ sub: 'kim' }, { groups: ['board'] }]) expect(await seenBy('viewer', claims)).toEqual(all);

  const { assignee: _assignee, name: _name, dueDate: _dueDate, ...data } = all.data;
  const reduced = { ...all, subject: workflowID, data };
  expect(await seenBy('viewer')).toEqual(reduced);
  const stream = await openStream(query);
  expect(await stream.event()).toEqual(reduced);
  stream.close();
});

test('a project whose feed is off has none, and its streams end', async () => {
  const stream = await openStream();
  await stream.next();
  expect((await setRetention(null)).body).toMatchObject({ eventRetention: null });
  expect(await list()).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  expect((await openStream('?after=0')).response.status).toBe(409);
  stream.close();
  expect((await setRetention('P91D')).status).toBe(400);
  expect((await setRetention('PT59M')).status).toBe(400);
  expect((await setRetention('PT1H')).body).toMatchObject({ eventRetention: 'PT1H' });
});
