/**
 * Clients that hold a connection without ever finishing their request. They are timed by a tenth of the limits that ship, and
 * one test reads the latter from a listener.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiTimes } from '../../../api/listener/limits.js';
import { openListener } from '../../../api/listener/listener.js';
import { serveApi } from '../../../api/serve.js';
import type { ServedApi } from '../../../api/serve.js';
import { startTestApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { testOperations } from '../support/operations.js';

const tenth = (milliseconds: number) => milliseconds / 10;
const times = {
  ...apiTimes,
  headers: tenth(apiTimes.headers),
  request: tenth(apiTimes.request),
  check: tenth(apiTimes.check),
};

let api: TestApi;
let served: ServedApi;

beforeAll(async () => {
  api = await startTestApi({ operations: testOperations });
  served = await serveApi(api.app, { host: '127.0.0.1', port: 0, times });
});
afterAll(async () => {
  await served.close();
  await api.close();
});

/** Sends the beginning of a request, then `drop` twenty times a second, and reads until the server closes. */
async function trickle(beginning: string, drop: string): Promise<string> {
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
  socket.on('error', () => {});
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    answer += chunk;
  });
  await once(socket, 'connect');
  socket.write(beginning);
  const timer = setInterval(() => socket.writable && socket.write(drop), 50);
  await once(socket, 'close');
  clearInterval(timer);
  return answer;
}

const retry = 60_000;

test('a listener without other times has 10 s for headers and 30 s for a request', async () => {
  const handlers = { handle: () => {}, refuse: () => {} };
  const { server } = await openListener(handlers, { host: '127.0.0.1', port: 0 });
  expect(server).toMatchObject({ headersTimeout: 10_000, requestTimeout: 30_000 });
  server.close();
  await once(server, 'close');
});

test.concurrent('headers that come drop by drop end with 408', { timeout: retry }, async () => {
  const answer = await trickle('GET /version HTTP/1.1\r\nHost: a\r\n', 'X-Drop: 1\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
});

test.concurrent('a connection that never says anything is closed', { timeout: retry }, async () => {
  expect(await trickle('', '')).toMatch(/^($|HTTP\/1\.1 408 )/);
});

test.concurrent('a body that comes drop by drop ends the request', { timeout: retry }, async () => {
  const token = await api.issuer.sign({ projects: [{ id: 'p1', roles: ['editor'] }] });
  const headers = [
    'Host: a',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'Content-Length: 1000',
  ];
  const answer = await trickle(['POST /projects/p1/echo/x HTTP/1.1', ...headers, '', ''].join('\r\n'), ' ');
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
});

test.concurrent('slow clients do not delay other callers', { timeout: retry }, async () => {
  const slow = Promise.all(Array.from({ length: 50 }, () => trickle('GET /version HTTP/1.1\r\n', 'X-Drop: 1\r\n')));
  expect((await fetch(`${served.url}/projects/p1/things/known`)).status).toBe(401);
  expect((await slow).every((answer) => answer.startsWith('HTTP/1.1 408 '))).toBe(true);
});
