import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi } from '../support/api.js';
import { headersWithoutRequestID, withoutRequestID } from '../support/same-request.js';
import type { TestApi } from '../support/api.js';
import { testOperations } from '../support/operations.js';

let api: TestApi;
let viewer: string;
let executor: string;
let outsider: string;

beforeAll(async () => {
  api = await startTestApi({ operations: testOperations });
  viewer = await api.issuer.sign({ projects: [{ id: 'p1', roles: ['viewer'] }] });
  executor = await api.issuer.sign({ projects: [{ id: 'p1', roles: ['executor'] }] });
  outsider = await api.issuer.sign();
});
afterAll(() => api.close());

test('a request without a token is 401 whatever else is wrong with it', async () => {
  const responses = await Promise.all([
    api.request('GET', '/projects/p1/things/known'),
    api.request('PATCH', '/projects/p1/things/known'),
    api.request('GET', '/no/such/path'),
    api.request('POST', '/projects/p1/echo/x', { body: '{', headers: { 'Content-Type': 'text/plain' } }),
    api.request('OPTIONS', '/projects/p1/things/known'),
    api.request('POST', '/version'),
  ]);
  expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401]);
  expect(responses[0]?.headers.get('www-authenticate')).toBe('Bearer realm="perdure"');
});

test('a wrong method is 405 with Allow before any right is checked', async () => {
  const response = await api.request('PATCH', '/projects/p1/things/known', { token: outsider });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('GET, HEAD, DELETE');
  expect((await api.request('OPTIONS', '/projects/p1/things/known', { token: outsider })).status).toBe(405);
});

test('a missing right is 404 before the body is read', async () => {
  const body = { body: '{', headers: { 'Content-Type': 'text/plain' } };
  expect((await api.request('POST', '/projects/p1/echo/x', { token: viewer, ...body })).status).toBe(404);
  expect((await api.request('POST', '/projects/p1/echo/x', { token: executor, ...body })).status).toBe(415);
});

test('415 comes before 413, 413 before 400, 400 before the object is read', async () => {
  const json = { 'Content-Type': 'application/json' };
  const large = ' '.repeat(5 * 1024 * 1024 + 1);
  const send = async (body: string, headers: Record<string, string>) =>
    (await api.request('POST', '/projects/p1/echo/x?unknown=1', { token: executor, body, headers })).status;
  expect(await send(large, { 'Content-Type': 'text/plain' })).toBe(415);
  expect(await send(large, json)).toBe(413);
  expect(await send('{}', json)).toBe(400);
  expect((await api.request('GET', '/projects/p1/things/missing?unknown=1', { token: viewer })).status).toBe(400);
});

test('every not-found answer has the same headers and the same bytes but for the request id', async () => {
  const responses = await Promise.all([
    api.request('GET', '/projects/p1/things/missing', { token: viewer }),
    api.request('GET', '/projects/p1/things/known', { token: outsider }),
    api.request('GET', '/projects/unknown/things/known', { token: viewer }),
    api.request('POST', '/projects/p1/echo/x', { token: viewer }),
    api.request('GET', '/projects/p1/things/%00', { token: viewer }),
    api.request('GET', '/no/such/path', { token: viewer }),
    api.request('POST', '/things', { token: viewer }),
  ]);
  const seen = await Promise.all(
    responses.map(async (response) => ({
      status: response.status,
      headers: headersWithoutRequestID(response.headers),
      body: withoutRequestID(await response.text(), response.headers),
    })),
  );
  expect(seen[0]?.status).toBe(404);
  for (const other of seen) expect(other).toEqual(seen[0]);
});

test('every denial leaves one log line with its true reason', async () => {
  await api.request('GET', '/projects/p2/things/known', { token: viewer, headers: { 'X-Request-Id': 'denied-1' } });
  const lines = api.logs().filter(({ clientRequestID }) => clientRequestID === 'denied-1');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    event: 'denied',
    status: 404,
    reason: 'the caller is not a member of the project',
    subject: 'someone',
  });
});

test('HEAD answers as GET does, without the body', async () => {
  const get = await api.request('GET', '/projects/p1/things/known', { token: viewer });
  const head = await api.request('HEAD', '/projects/p1/things/known', { token: viewer });
  expect(head.status).toBe(get.status);
  expect(headersWithoutRequestID(head.headers)).toEqual(headersWithoutRequestID(get.headers));
  expect(await head.text()).toBe('');
  expect((await api.request('HEAD', '/projects/p1/things/known')).status).toBe(401);
});

test('a literal segment wins over a parameter', async () => {
  const response = await api.request('GET', '/projects/p1/things/latest', { token: viewer });
  expect(await response.json()).toEqual(['latest']);
});

test('the message of an exception stays in the log', async () => {
  const response = await api.request('GET', '/projects/p1/failing', { token: viewer });
  expect(response.status).toBe(500);
  const body = await response.text();
  expect(body).not.toContain('SELECT');
  expect(JSON.parse(body)).toMatchObject({ code: 'INTERNAL_ERROR', status: 500 });
});

test('a database that is down is 503 with Retry-After', async () => {
  const response = await api.request('GET', '/projects/p1/store', { token: viewer });
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('a problem is RFC 9457 with code, message, details and request id, and never names the path', async () => {
  const response = await api.request('GET', '/projects/p1/things/busy', { token: viewer });
  const requestID = response.headers.get('x-request-id');
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(await response.json()).toEqual({
    type: 'urn:perdure:problem:CONFLICT',
    title: 'The request conflicts with the current state',
    status: 409,
    detail: 'The thing is busy.',
    instance: `urn:perdure:request:${requestID}`,
    code: 'CONFLICT',
    message: 'The thing is busy.',
    details: {},
    requestID,
  });
});
