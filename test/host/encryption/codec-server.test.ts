/** The codec server, without Temporal: its record of each use, and its limits. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCodecServer, type CodecServer } from '../../../host/codec-server.js';
import { startTestApi, type TestApi } from '../../api/support/api.js';

let api: TestApi;
let server: CodecServer;
const SECRET = 'marker-8d1f';

beforeEach(async () => {
  api = await startTestApi();
  server = await openCodecServer(
    { ...api.context, codecs: [], origins: [], requestRate: { perSecond: 1, burst: 5 } },
    { host: '127.0.0.1', port: 0 },
  );
});
afterEach(async () => {
  await server.close();
  await api.close();
});

const base64 = (text: string) => Buffer.from(text).toString('base64');
const payloads = [1, 2].map(() => ({ metadata: { 'encryption-key-id': base64('first') }, data: base64(SECRET) }));

const ask = (token: string, path = '/decode', body: unknown = { payloads }) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'X-Namespace': 'orders' },
    body: JSON.stringify(body),
  });

const lines = () => api.logs().filter(({ operation }) => String(operation).endsWith('Payloads'));

test('every decode and encode leaves a log line with the caller, the namespace, and the number of payloads', async () => {
  const token = await api.issuer.sign({ sub: 'operator', roles: ['system-admin'] });
  expect((await ask(token)).status).toBe(200);
  expect((await ask(token, '/encode')).status).toBe(200);
  expect((await ask(token, '/decode', { payloads: [{ data: '%' }] })).status).toBe(400);
  const common = { event: 'payloads-converted', subject: 'operator', namespace: 'orders', clientAddress: '127.0.0.1' };
  expect(lines()).toMatchObject([
    { ...common, operation: 'DecodePayloads', status: 200, payloads: 2, bytes: 22, keyIDs: ['first'] },
    { ...common, operation: 'EncodePayloads', status: 200, payloads: 2 },
    { ...common, operation: 'DecodePayloads', status: 400, payloads: 0 },
  ]);
  expect(lines().every(({ level }) => level === 30)).toBe(true);
  expect(JSON.stringify(api.logs())).not.toContain(SECRET);
  const { values } = await api.context.metrics.requestSeconds.get();
  expect(values.filter(({ labels, metricName }) => metricName?.endsWith('_count') && labels.operation)).toMatchObject([
    { value: 1, labels: { operation: 'DecodePayloads', status: 200 } },
    { value: 1, labels: { operation: 'EncodePayloads', status: 200 } },
    { value: 1, labels: { operation: 'DecodePayloads', status: 400 } },
  ]);
});

test('a refused decode leaves a log line with the reason', async () => {
  expect((await ask('wrong')).status).toBe(401);
  expect((await ask(await api.issuer.sign({ sub: 'curious', roles: ['admin'] }))).status).toBe(404);
  expect(lines()).toMatchObject([
    {
      event: 'denied',
      operation: 'DecodePayloads',
      status: 401,
      reason: 'the token is not a signed JWT of three base64url parts',
    },
    { event: 'denied', operation: 'DecodePayloads', status: 404, subject: 'curious' },
  ]);
});

test('bad tokens are limited per address, and do not use up the share of a caller with a valid one', async () => {
  const statuses = [];
  for (let sent = 0; sent < 8; sent += 1) statuses.push((await ask('wrong')).status);
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(6);
  const limited = await ask('wrong');
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '1']);
  expect((await ask(await api.issuer.sign({ roles: ['system-admin'] }))).status).toBe(200);
});

test('no answer is stored by a cache or read as another type', async () => {
  const answers = [
    await ask(await api.issuer.sign({ roles: ['system-admin'] })),
    await ask('wrong'),
    await ask('x', '/'),
  ];
  for (const { headers } of answers)
    expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual(['no-store', 'nosniff']);
});
