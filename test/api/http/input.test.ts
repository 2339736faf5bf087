/** Hostile paths, queries, and bodies at the request pipeline of an operation. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../../store/sql/database.js';
import { withoutRequestID } from '../support/same-request.js';
import { startTestApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { testOperations } from '../support/operations.js';

let api: TestApi;
let token: string;

beforeAll(async () => {
  api = await startTestApi({ operations: testOperations });
  token = await api.issuer.sign({ projects: [{ id: 'p1', roles: ['editor'] }] });
});
afterAll(() => api.close());

const json = { 'Content-Type': 'application/json' };

async function post(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = json,
  query = '',
): Promise<{ status: number; answer: any }> {
  const response = await api.request('POST', `/projects/p1/echo/x${query}`, { token, body, headers });
  return { status: response.status, answer: await response.json() };
}

test.each([
  '/projects/p%31/things/known', // decodes to p1: the same project
])('a percent-encoded id is the id it encodes: %s', async (path) => {
  expect((await api.request('GET', path, { token })).status).toBe(200);
});

test.each([
  '/PROJECTS/p1/things/known',
  '/projects/p1/things/known/',
  '//projects/p1/things/known',
  '/projects//things/known',
  '/projects/p1;x=1/things/known',
  '/projects/p1/things;x=1/known',
  '/%70rojects/p1/things/known',
  '/projects/p1%2fthings/known',
  '/projects/P1/things/known',
  '/projects/p1%20/things/known',
  '/projects/p1/things/%00',
  '/projects/p1/things/%0d%0a',
  '/projects/p1/things/%ff',
  '/projects/p1/things/%zz',
  '/projects/p1/things/%ed%a0%80',
  `/projects/p1/things/${'x'.repeat(10_000)}`,
  '/projects/p1/things/.hidden',
  '/projects/p1/things/-x',
  '/projects/p1/things/a%2Fb',
  '/projects/%EF%BD%90%31/things/known',
  '/projects/p1%E2%80%8B/things/known',
  '/projects/p%CC%811/things/known',
  '/projects/%F0%9F%98%80/things/known',
  "/projects/p1/things/'%20OR%201=1--",
  '/projects/p1/things/__proto__',
  '/projects/__proto__/things/known',
  '/projects/constructor/things/known',
  '/',
])('%s is the uniform 404', async (path) => {
  const response = await api.request('GET', path, { token });
  const expected = await api.request('GET', '/projects/p1/things/missing', { token });
  expect(response.status).toBe(404);
  expect(withoutRequestID(await response.text(), response.headers)).toBe(
    withoutRequestID(await expected.text(), expected.headers),
  );
});

test('dot segments are resolved before rights are decided', async () => {
  expect((await api.request('GET', '/projects/p1/./things/known', { token })).status).toBe(200);
  expect((await api.request('GET', '/projects/p1/../p2/things/known', { token })).status).toBe(404);
  expect((await api.request('GET', '/projects/p1/%2e%2e/p2/things/known', { token })).status).toBe(404);
});

test('unknown query parameters are named', async () => {
  const { status, answer } = await post('{}', json, '?page=1&limt=5&x%22y=1');
  expect(status).toBe(400);
  expect(answer.message).toContain('"limt"');
  expect((await api.request('GET', '/projects/p1/things/known?page=1', { token })).status).toBe(400);
});

test.each([
  'page=0',
  'page=',
  'page=1e3',
  'page=0x10',
  'page=%201',
  'page=1.5',
  'page=-1',
  'page=99999999999999999999',
  'pageSize=101',
  'page=1&page=2',
  'page[]=1',
  'since=yesterday',
  'since=2026-01-01',
  'since=2026-01-01T00:00:00',
  'since=0000-01-01T00:00:00Z',
  'since=2026-02-30T00:00:00Z',
  'since=%zz',
  'since=%00',
  'since=%ff',
  '__proto__=1',
  'constructor=1',
])('the query %s is 400', async (query) => {
  expect((await post('{}', json, `?${query}`)).status).toBe(400);
});

test('a query is read into the types of its schema, with defaults', async () => {
  expect((await post('{}')).answer.query).toEqual({ page: 1, pageSize: 20 });
  expect((await post('{}', json, '?page=3&pageSize=100&since=2026-01-01T00:00:00%2B02:00')).answer.query).toEqual({
    page: 3,
    pageSize: 100,
    since: '2025-12-31T22:00:00.000Z',
  });
});

test('unknown and wrong body properties are named, with their place', async () => {
  const unknown = await post('{"variables": {}, "variabels": {}}');
  expect(unknown.status).toBe(400);
  expect(unknown.answer.message).toContain('variabels');
  const wrong = await post('{"name": 5}');
  expect(wrong.answer.details.issues).toEqual([{ path: '/name', message: expect.any(String) }]);
  expect((await post(JSON.stringify({ name: 'x'.repeat(3000) }))).status).toBe(400);
  for (const body of ['[]', '"text"', 'null', '5', '']) expect((await post(body)).status, body).toBe(400);
});

test.each([
  ['text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['multipart/form-data', 415],
  ['application/json; charset=utf-16', 415],
  ['application/jsonx', 415],
  ['', 415],
  ['application/json; charset=utf-8', 200],
  ['APPLICATION/JSON;charset="UTF-8"', 200],
])('the media type %j is %i', async (type, status) => {
  expect((await post('{}', { 'Content-Type': type })).status).toBe(status);
});

test('compressed bodies are 415', async () => {
  for (const encoding of ['gzip', 'br', 'deflate', 'gzip, identity'])
    expect((await post('{}', { ...json, 'Content-Encoding': encoding })).status).toBe(415);
  expect((await post('{}', { ...json, 'Content-Encoding': 'identity' })).status).toBe(200);
});

test('a body is accepted up to 5 MiB and refused one byte above, also when its length is not declared', async () => {
  const limit = 5 * 1024 * 1024;
  const filled = (size: number) => `{"variables":{"a":"${'x'.repeat(size - 22)}"}}`;
  expect(filled(limit)).toHaveLength(limit);
  expect((await post(filled(limit))).status).toBe(200);
  const over = await post(filled(limit + 1));
  expect(over).toMatchObject({ status: 413, answer: { code: 'PAYLOAD_TOO_LARGE' } });
  expect((await post('{}', { ...json, 'Content-Length': String(limit + 1) })).status).toBe(413);
});

test('variables come through exactly as they were sent, whatever their names', async () => {
  const text =
    '{"variables":{"constructor":{"prototype":1},"toString":[],"then":{"a":1},"":null,"length":0,"hasOwnProperty":"x","n":0.1,"s":"\\u2028😀"}}';
  const { answer } = await post(text);
  expect(JSON.stringify(answer.body)).toBe(JSON.stringify(JSON.parse(text)));
});

test.each([
  '{"variables":{"a":9007199254740993}}',
  '{"variables":{"__proto__":{}}}',
  '{"variables":{"a":"\\u0000"}}',
  '{"variables":{"a":1,"a":2}}',
  '{"variables":{"a":1e400}}',
  '{',
])('the body %s is 400', async (body) => {
  expect(await post(body)).toMatchObject({ status: 400, answer: { code: 'BAD_REQUEST' } });
});

test('an operation without a body takes none, or an empty object', async () => {
  const send = async (body?: string) =>
    (
      await api.request('DELETE', '/projects/p1/things/known', {
        token,
        ...(body === undefined ? {} : { body, headers: json }),
      })
    ).status;
  expect(await send()).toBe(204);
  expect(await send('')).toBe(204);
  expect(await send('{}')).toBe(204);
  expect(await send('{"reason":"x"}')).toBe(400);
  expect(await send('[]')).toBe(400);
});

test('the wait of a command comes from the Prefer header', async () => {
  const wait = async (Prefer?: string) =>
    (await post('{}', { ...json, ...(Prefer === undefined ? {} : { Prefer }) })).answer.headers.waitMilliseconds;
  expect(await wait()).toBe(5000);
  expect(await wait('wait=0')).toBe(0);
  expect(await wait('respond-async, wait=10')).toBe(10_000);
  expect(await wait('wait=9999')).toBe(60_000);
  for (const odd of ['wait=-1', 'wait=soon', 'wait', 'waits=3', 'nowait=3']) expect(await wait(odd), odd).toBe(5000);
});

test('an idempotency key stands for path, body and caller, in any order of keys', async () => {
  const withoutKeys = { query: async () => ({ rows: [] }) } as unknown as Database;
  const keyed = await startTestApi({ operations: testOperations, context: { storeOf: () => withoutKeys } });
  const as = await keyed.issuer.sign({ projects: [{ id: 'p1', roles: ['editor'] }] });
  const claim = async (body: string, path = 'x') =>
    (
      (await (
        await keyed.request('POST', `/projects/p1/echo/${path}`, {
          token: as,
          body,
          headers: { ...json, 'Idempotency-Key': 'k1' },
        })
      ).json()) as any
    ).headers.idempotency;
  const first = await claim('{"name":"a","variables":{"b":1,"c":2}}');
  expect(first).toMatchObject({ projectID: 'p1', operationID: 'Echo', subject: 'someone', key: 'k1' });
  expect(await claim(' {"variables":{"c":2,"b":1},"name":"a"}')).toEqual(first);
  expect((await claim('{"name":"b"}')).fingerprint).not.toBe(first.fingerprint);
  expect((await claim('{"name":"a","variables":{"b":1,"c":2}}', 'y')).fingerprint).not.toBe(first.fingerprint);
  expect((await post('{}', { ...json, 'Idempotency-Key': 'x'.repeat(256) })).status).toBe(400);
  await keyed.close();
});

test('a caller has so many bytes of bodies per second, and then 429', async () => {
  const limited = await startTestApi({
    operations: testOperations,
    configuration: { bodyRate: { perSecond: 10_000, burst: 100_000 } },
  });
  try {
    const send = async (subject: string, variables: unknown) => {
      const as = await limited.issuer.sign({ sub: subject, projects: [{ id: 'p1', roles: ['editor'] }] });
      return limited.request('POST', '/projects/p1/echo/x', { token: as, json: { variables } });
    };
    const large = { text: 'x'.repeat(70_000) };
    expect((await send('a', large)).status).toBe(200);
    const refused = await send('a', large);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1);
    expect(await refused.json()).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      message: expect.stringContaining('bytes'),
    });
    expect((await send('b', large)).status).toBe(200);
    // A thousand values cost more than their bytes.
    expect((await send('c', { list: Array(2_000).fill(1) })).status).toBe(200);
    expect((await send('c', {})).status).toBe(429);
  } finally {
    await limited.close();
  }
});
