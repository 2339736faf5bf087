/** Behavior that only a real socket shows: malformed requests, header limits, slow and endless bodies, metrics' own port. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openManagementServer } from '../../../host/management-server.js';
import { serveApi } from '../../../api/serve.js';
import type { ServedApi } from '../../../api/serve.js';
import { startTestApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { testOperations } from '../support/operations.js';

let api: TestApi;
let served: ServedApi;
let token: string;

beforeAll(async () => {
  api = await startTestApi({ operations: testOperations });
  served = await serveApi(api.app, { host: '127.0.0.1', port: 0 });
  token = await api.issuer.sign({ projects: [{ id: 'p1', roles: ['editor'] }] });
});
afterAll(async () => {
  await served.close();
  await api.close();
});

/** Sends bytes as they are and reads until the server closes or has sent a whole head and body. */
async function raw(text: string, more?: (write: (chunk: string) => boolean) => Promise<void>): Promise<string> {
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
  await once(socket, 'connect');
  let answer = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    answer += chunk;
  });
  // A server that closes while we still write resets the connection.
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(text);
  await more?.((chunk) => socket.writable && socket.write(chunk));
  await closed;
  return answer;
}

const statusOf = (answer: string) => Number(answer.split(' ')[1]);
const head = (method: string, path: string, headers: string[] = []) =>
  [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n');
const bearer = () => `Authorization: Bearer ${token}`;

test('the API answers on its port, HEAD without a body', async () => {
  expect(
    (await fetch(`${served.url}/projects/p1/things/known`, { headers: { Authorization: `Bearer ${token}` } })).status,
  ).toBe(200);
  const answer = await raw(head('HEAD', '/projects/p1/things/known', [bearer()]));
  expect(statusOf(answer)).toBe(200);
  expect(answer).toMatch(/content-length: 19\r\n/i);
  expect(answer.split('\r\n\r\n')[1]).toBe('');
});

test.each(['TRACE', 'OPTIONS', 'PUT', 'PATCH', 'PROPFIND'])(
  '%s is 401 without a token and 405 with one, and echoes nothing',
  async (method) => {
    expect(statusOf(await raw(head(method, '/projects/p1/things/known', ['X-Secret: hidden'])))).toBe(401);
    const answer = await raw(head(method, '/projects/p1/things/known', [bearer(), 'X-Secret: hidden']));
    expect(statusOf(answer)).toBe(405);
    expect(answer).toMatch(/\r\nallow: GET, HEAD, DELETE\r\n/i);
    expect(answer).not.toContain('hidden');
  },
);

test('CONNECT and protocol upgrades lead nowhere', async () => {
  expect(statusOf(await raw(head('CONNECT', 'example.org:443')))).toBe(405);
  expect(statusOf(await raw(head('GET', '/version', ['Upgrade: websocket', 'Connection: Upgrade'])))).toBe(401);
});

test('a client that asks for a tunnel and stays keeps no connection', async () => {
  const socket = connect({ port: Number(new URL(served.url).port), host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  socket.write(head('CONNECT', 'example.org:443'));
  await once(socket.resume(), 'end');
  await expect(
    vi.waitFor(
      async () => {
        // A closed connection resets what is sent on it.
        socket.write('x');
        if (!socket.errored) throw new Error('still open');
      },
      { timeout: 10_000 },
    ),
  ).resolves.toBeUndefined();
});

test.each([
  ['an unknown method', 'FOO / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a lower-case method', 'get / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['no Host', 'GET /version HTTP/1.1\r\nConnection: close\r\n\r\n'],
  [
    'length and chunked',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello'],
  ['a folded header', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n'],
  ['a bare line feed', 'GET / HTTP/1.1\nHost: a\n\n'],
  ['HTTP/0.9', 'GET /\r\n\r\n'],
  ['a backslash in the path', 'GET /a\\b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
  ['a Host with a path', 'GET / HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n'],
  ['two Hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'],
])('%s is 400', async (_, text) => {
  expect(statusOf(await raw(text))).toBe(400);
});

test('a token of 15 KB is verified, one of 17 KB is 431', async () => {
  expect(
    statusOf(await raw(head('GET', '/projects/p1/things/known', [`Authorization: Bearer ${'x'.repeat(15_000)}`]))),
  ).toBe(401);
  expect(
    statusOf(await raw(head('GET', '/projects/p1/things/known', [`Authorization: Bearer ${'x'.repeat(17_000)}`]))),
  ).toBe(431);
});

test('two Authorization headers are not a token', async () => {
  expect(statusOf(await raw(head('GET', '/projects/p1/things/known', [bearer(), bearer()])))).toBe(401);
});

test('a body above the limit is 413 and the connection is closed, though the client says another length or none', async () => {
  const json = [bearer(), 'Content-Type: application/json'];
  const keepAlive = (headers: string[]) =>
    ['POST /projects/p1/echo/x HTTP/1.1', 'Host: a', ...json, ...headers, '', ''].join('\r\n');
  const declared = await raw(keepAlive(['Content-Length: 99999999']));
  expect(statusOf(declared)).toBe(413);
  expect(declared).toMatch(/\r\nconnection: close\r\n/i);
  const whole = await raw(
    keepAlive([`Content-Length: ${6 * 1024 * 1024}`]),
    async (write) => void write(' '.repeat(6 * 1024 * 1024)),
  );
  expect(statusOf(whole), 'a client that sends all of it can read the answer').toBe(413);
});

test('a client that never stops sending is cut off', async () => {
  const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(
    [
      'POST /projects/p1/echo/x HTTP/1.1',
      'Host: a',
      bearer(),
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
      '',
      '',
    ].join('\r\n'),
  );
  const send = () => {
    while (socket.writable && socket.write(chunk));
  };
  socket.on('drain', send);
  send();
  await closed;
  expect(socket.bytesWritten).toBeLessThan(200 * 1024 * 1024);
});

test('a client that goes away in the middle of its body leaves no failure in the log', async () => {
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
  await once(socket, 'connect');
  const headers = [bearer(), 'Content-Type: application/json', 'Content-Length: 100', 'X-Request-Id: gone-away'];
  socket.write(['POST /projects/p1/echo/x HTTP/1.1', 'Host: a', ...headers, '', '{'].join('\r\n'));
  socket.end();
  await once(socket.resume(), 'close');
  const answered = () => api.logs().filter(({ clientRequestID }) => clientRequestID === 'gone-away');
  await vi.waitFor(() => expect(answered()).toHaveLength(1), { timeout: 10_000 });
  expect(answered()[0]).toMatchObject({ status: 400 });
});

test('an error answer is problem+json with nosniff, and HTML in the request stays out of it', async () => {
  const answer = await raw(head('GET', '/%3Cimg%20src=x%20onerror=alert(1)%3E', [bearer()]));
  expect(statusOf(answer)).toBe(404);
  expect(answer).toMatch(/content-type: application\/problem\+json/i);
  expect(answer).not.toContain('img');
});

test('closing ends idle connections at once', async () => {
  const other = await serveApi(api.app, { host: '127.0.0.1', port: 0 });
  const response = await fetch(`${other.url}/projects/p1/things/known`);
  await response.text();
  await other.close();
  await expect(fetch(`${other.url}/version`)).rejects.toThrow();
});

test('closing does not wait for a connection on which nothing was sent', async () => {
  const other = await serveApi(api.app, { host: '127.0.0.1', port: 0 });
  const unused = connect(Number(new URL(other.url).port), '127.0.0.1');
  unused.on('error', () => {});
  await once(unused, 'connect');
  // The listener has accepted it before it answers a later one.
  await (await fetch(`${other.url}/version`)).text();
  const ended = once(unused, 'close');
  const start = performance.now();
  await other.close();
  await ended;
  expect(performance.now() - start).toBeLessThan(3_000);
});

test('metrics are on their own port and count answers by operation', async () => {
  const door = await openManagementServer(api.context.metrics.registry, { host: '127.0.0.1', port: 0 });
  try {
    await fetch(`${served.url}/projects/p1/things/known`, { headers: { Authorization: `Bearer ${token}` } });
    const text = await (await fetch(`${door.url}/metrics`)).text();
    expect(text).toContain('perdure_http_request_seconds_count{operation="GetThing",method="GET",status="200"}');
    expect((await fetch(`${served.url}/metrics`)).status).toBe(401);
    expect((await fetch(`${door.url}/other`)).status).toBe(404);
  } finally {
    await door.close();
  }
});
