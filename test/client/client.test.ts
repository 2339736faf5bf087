import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, it, vi } from 'vitest';
import { unwrap, createClient, ApiError, type PerdureClient } from '@perdure/client';
import { answerWith, serve, type Server } from './support/server.js';

let server: Server;
afterEach(() => server.close());

interface Received {
  path: string;
  authorization: string | undefined;
  body: string;
}

/** A host that answers the first calls one after the other as told and then every other with `{}`. */
async function hostThat(
  ...answers: ((response: ServerResponse) => void)[]
): Promise<{ client: PerdureClient; received: Received[] }> {
  const received: Received[] = [];
  server = await serve((request, response) => {
    void text(request).then((body) => {
      received.push({ path: request.url!, authorization: request.headers.authorization, body });
      (answers[received.length - 1] ?? ((last) => answerWith(last, 200, {})))(response);
    });
  });
  let tokens = 0;
  return { client: createClient({ api: server.url, accessToken: async () => `t${(tokens += 1)}` }), received };
}

const away = (response: ServerResponse) => answerWith(response, 503, { code: 'UNAVAILABLE' }, { 'Retry-After': '0' });
const busy = (response: ServerResponse) =>
  answerWith(response, 429, { code: 'TOO_MANY_REQUESTS' }, { 'Retry-After': '0' });
const late = (response: ServerResponse) => void response.writeHead(408, { Connection: 'close' }).end();
const hangUp = (response: ServerResponse) => void response.destroy();
const message = { params: { path: { projectID: 'p' } }, body: { messageName: 'paid' } };

it('a call carries the token of its moment and its parameters in their places', async () => {
  const { client, received } = await hostThat();
  await unwrap(
    client.GET('/projects/{projectID}/bpmn/user-tasks', {
      params: { path: { projectID: 'a b' }, query: { status: 'CREATED', pageSize: 5 } },
    }),
  );
  expect(received).toEqual([
    { path: '/projects/a%20b/bpmn/user-tasks?status=CREATED&pageSize=5', authorization: 'Bearer t1', body: '' },
  ]);
});

it('a read is sent again while the host is down, each time with the token of that moment', async () => {
  const { client, received } = await hostThat(away, hangUp, busy);
  await unwrap(client.GET('/projects/{projectID}', { params: { path: { projectID: 'p' } } }));
  expect(received.map(({ authorization }) => authorization)).toEqual([
    'Bearer t1',
    'Bearer t2',
    'Bearer t3',
    'Bearer t4',
  ]);
});

it.each([
  ['too many came', busy],
  ['it did not come whole in time', late],
])('a call that the host has not looked at because %s is sent again, with its body', async (_what, answer) => {
  const { client, received } = await hostThat(answer);
  await unwrap(client.POST('/projects/{projectID}/bpmn/messages', message));
  expect(received.map(({ body }) => body)).toEqual(['{"messageName":"paid"}', '{"messageName":"paid"}']);
});

it.each([
  ['no answer came', hangUp],
  ['the host was down', away],
])('a call that may have had its effect is not sent again when %s', async (_what, answer) => {
  const { client, received } = await hostThat(answer);
  await expect(unwrap(client.POST('/projects/{projectID}/bpmn/messages', message))).rejects.toThrow();
  expect(received).toHaveLength(1);
});

it('a call for which there was no token yet is sent once there is one', async () => {
  const { received } = await hostThat();
  let attempts = 0;
  const accessToken = async () => {
    attempts += 1;
    if (attempts < 3) throw new Error('The token endpoint is down');
    return 'at last';
  };
  await unwrap(createClient({ api: server.url, accessToken }).POST('/projects/{projectID}/bpmn/messages', message));
  expect(received.map(({ authorization }) => authorization)).toEqual(['Bearer at last']);
});

it('with an idempotency key it is sent again', async () => {
  const { client, received } = await hostThat(hangUp, away);
  await unwrap(
    client.POST('/projects/{projectID}/bpmn/messages', {
      ...message,
      params: { ...message.params, header: { 'Idempotency-Key': 'payment 7' } },
    }),
  );
  expect(received).toHaveLength(3);
});

it('a refusal is an error with status, code, details and the id of the request', async () => {
  const problem = { code: 'INVALID_MODEL', detail: 'The model has errors.', requestID: 'r1', details: { errors: [] } };
  const { client, received } = await hostThat((response) => answerWith(response, 400, problem));
  const refused = await unwrap(client.GET('/projects/{projectID}', { params: { path: { projectID: 'p' } } })).catch(
    (error: unknown) => error,
  );
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({
    status: 400,
    code: 'INVALID_MODEL',
    details: { errors: [] },
    requestID: 'r1',
    message: 'The host returned 400 INVALID_MODEL: The model has errors.',
  });
  expect(received).toHaveLength(1);
});

it('an answer of a proxy that is not JSON is a refusal too', async () => {
  const { client } = await hostThat((response) =>
    response.writeHead(404, { 'Content-Type': 'text/html' }).end('<p>where?</p>'),
  );
  await expect(unwrap(client.GET('/projects/{projectID}', { params: { path: { projectID: 'p' } } }))).rejects.toThrow(
    'The host returned 404',
  );
});

it('a call that is aborted while the host is down is given up', async () => {
  const gaveUp = new AbortController();
  const { client, received } = await hostThat((response) => answerWith(response, 503, {}, { 'Retry-After': '3600' }));
  const call = client.GET('/projects/{projectID}', { params: { path: { projectID: 'p' } }, signal: gaveUp.signal });
  await expect.poll(() => received.length).toBe(1);
  gaveUp.abort();
  await expect(call).rejects.toThrow(/abort/i);
});

it('a call that is given up ends at once, also after a garbage collection', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const { client, received } = await hostThat(() => undefined);
  const givingUp = new AbortController();
  const call = client.GET('/projects/{projectID}', { params: { path: { projectID: 'p' } }, signal: givingUp.signal });
  await vi.waitFor(() => expect(received).toHaveLength(1), { timeout: 25_000 });
  for (let time = 0; time < 5; time += 1) {
    collectGarbage();
    // Node lets go of what was collected between two turns of its event loop.
    await new Promise((resolve) => setImmediate(resolve));
  }
  givingUp.abort();
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
});

it('a call that is given up while its token is awaited ends at once, without a request', async () => {
  const { received } = await hostThat();
  const givingUp = new AbortController();
  const accessToken = vi.fn(() => new Promise<string>(() => undefined));
  const client = createClient({ api: server.url, accessToken });
  const call = client.GET('/projects/{projectID}', { params: { path: { projectID: 'p' } }, signal: givingUp.signal });
  await vi.waitFor(() => expect(accessToken).toHaveBeenCalled());
  givingUp.abort();
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  expect(received).toEqual([]);
});

it('the signal of a client ends its reads, and awaits the outcome of a change that was sent', async () => {
  const stopping = new AbortController();
  let answer = () => {};
  const { received } = await hostThat(
    () => undefined,
    (response) => void (answer = () => answerWith(response, 200, {})),
  );
  const client = createClient({ api: server.url, accessToken: async () => 'token', signal: stopping.signal });
  const read = client.GET('/projects/{projectID}', { params: { path: { projectID: 'p' } } });
  await vi.waitFor(() => expect(received).toHaveLength(1));
  const change = client.POST('/projects/{projectID}/bpmn/messages', message);
  await vi.waitFor(() => expect(received).toHaveLength(2));
  stopping.abort();
  await expect(read).rejects.toMatchObject({ name: 'AbortError' });
  answer();
  expect((await change).response.status).toBe(200);
});
