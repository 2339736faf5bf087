/** CORS, request ids, rate limits, logs, and public operations, as far as they need no socket. */
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { defaultTurnLimits, FairTurns } from '@perdure/lib/fair-turns.js';
import type { ReadinessCheck } from '../../../api/contract/readiness.js';
import { findMissingForCallers } from '../../../api/http/readiness.js';
import { createTokenBuckets } from '../../../api/http/rate-limits.js';
import {
  createClientAddresses,
  isAddressRange,
  neighborhoodOf,
  networkOf,
} from '../../../api/http/request/client-address.js';
import { corsHeaders, preflightHeaders } from '../../../api/http/request/headers.js';
import { operations } from '../../../api/operations/index.js';
import { readApiConfiguration } from '../../../api/configuration.js';
import { defineOperation } from '../../../api/commands/define-operation.js';
import { onlyItsPath } from '../../../api/contract/audit/recording.js';
import { startTestApi } from '../support/api.js';
import type { TestApi, TestApiOptions } from '../support/api.js';
import { testOperations } from '../support/operations.js';

async function withApi(options: TestApiOptions, use: (api: TestApi) => Promise<void>): Promise<void> {
  const api = await startTestApi(options);
  try {
    await use(api);
  } finally {
    await api.close();
  }
}

const member = { projects: [{ id: 'p1', roles: ['viewer'] }] };
const thing = '/projects/p1/things/known';

test('only listed origins get CORS headers, compared exactly and never with credentials', async () => {
  await withApi(
    { operations: testOperations, configuration: { corsOrigins: new Set(['https://console.example']) } },
    async (api) => {
      const token = await api.issuer.sign(member);
      const get = (Origin: string) => api.request('GET', thing, { token, headers: { Origin } });
      const allowed = await get('https://console.example');
      expect(allowed.headers.get('access-control-allow-origin')).toBe('https://console.example');
      for (const origin of [
        'https://evil.example',
        'null',
        'https://console.example.evil',
        'http://console.example',
        'https://console.example:444',
        'https://CONSOLE.example',
      ]) {
        const response = await get(origin);
        expect(response.headers.get('access-control-allow-origin'), origin).toBeNull();
        expect(response.headers.get('vary')).toBe('Origin');
      }
      for (const response of [allowed, await get('null')])
        expect(response.headers.get('access-control-allow-credentials')).toBeNull();
      const denied = await api.request('GET', thing, { headers: { Origin: 'https://console.example' } });
      expect(denied.headers.get('access-control-allow-origin'), 'the console must be able to read a 401').toBe(
        'https://console.example',
      );
    },
  );
});

test('a page of a listed origin can send every header that an operation reads, and read its ETag', async () => {
  const origin = 'https://console.example';
  const origins = new Set([origin]);
  const allowed = preflightHeaders(origin, origins)['Access-Control-Allow-Headers']!.split(', ');
  const accepted = operations.flatMap(({ accepts }) => accepts.filter((name) => name !== 'Origin'));
  expect(accepted.filter((name) => !allowed.includes(name))).toEqual([]);
  expect(corsHeaders(origin, origins)['Access-Control-Expose-Headers']!.split(', ')).toContain('ETag');
});

test('a preflight needs no token and allows only listed origins', async () => {
  await withApi(
    { operations: testOperations, configuration: { corsOrigins: new Set(['https://console.example']) } },
    async (api) => {
      const preflight = (Origin: string) =>
        api.request('OPTIONS', thing, { headers: { Origin, 'Access-Control-Request-Method': 'GET' } });
      const allowed = await preflight('https://console.example');
      expect(allowed.status).toBe(204);
      expect(allowed.headers.get('access-control-allow-methods')).toContain('GET');
      const refused = await preflight('https://evil.example');
      expect(refused.headers.get('access-control-allow-origin')).toBeNull();
      expect(refused.headers.get('access-control-allow-methods')).toBeNull();
    },
  );
});

test('every answer forbids caching, sniffing and framing', async () => {
  await withApi({ operations: testOperations }, async (api) => {
    const token = await api.issuer.sign(member);
    for (const response of [
      await api.request('GET', thing, { token }),
      await api.request('GET', thing),
      await api.request('GET', '/projects/p1/failing', { token }),
    ]) {
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });
});

test('the request id is chosen by the host; a harmless one of the caller is logged with it, any other is not', async () => {
  await withApi({ operations: testOperations }, async (api) => {
    const token = await api.issuer.sign(member);
    const send = async (id: string) => {
      const response = await api.request('GET', thing, { token, headers: { 'X-Request-Id': id } });
      const requestID = response.headers.get('x-request-id');
      expect(requestID).toMatch(/^[0-9a-f-]{36}$/);
      return { requestID, line: api.logs().find((line) => line['requestID'] === requestID) };
    };
    const [first, second] = [await send('abc-123'), await send('abc-123')];
    expect(first.requestID).not.toBe(second.requestID);
    expect(first.line).toMatchObject({ clientRequestID: 'abc-123' });
    expect((await send(second.requestID!)).requestID).not.toBe(second.requestID);
    for (const hostile of ['x'.repeat(10_000), '${jndi:ldap://evil}', '\u001b[31m', 'a b', '<script>', ''])
      expect((await send(hostile)).line).not.toHaveProperty('clientRequestID');
  });
});

test('a caller above the rate gets 429 with Retry-After, and other callers do not', async () => {
  await withApi(
    { operations: testOperations, configuration: { requestRate: { perSecond: 1, burst: 3 } } },
    async (api) => {
      const flooding = await api.issuer.sign({ ...member, sub: 'flooding' });
      const other = await api.issuer.sign({ ...member, sub: 'other' });
      const statuses = [];
      for (let count = 0; count < 6; count += 1)
        statuses.push((await api.request('GET', thing, { token: flooding })).status);
      expect(statuses.slice(0, 3)).toEqual([200, 200, 200]);
      expect(statuses.at(-1)).toBe(429);
      const limited = await api.request('GET', thing, { token: flooding });
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await limited.json()).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
      expect((await api.request('GET', thing, { token: other })).status).toBe(200);
    },
  );
});

test('requests without a valid token count against the address, not against valid callers at the same address', async () => {
  await withApi(
    { operations: testOperations, configuration: { requestRate: { perSecond: 1, burst: 3 } } },
    async (api) => {
      const statuses = [];
      for (let count = 0; count < 6; count += 1)
        statuses.push((await api.request('GET', thing, { token: 'a.b.c' })).status);
      expect(statuses.slice(0, 3)).toEqual([401, 401, 401]);
      expect(statuses.at(-1)).toBe(429);
      expect((await api.request('GET', thing, { token: await api.issuer.sign(member) })).status).toBe(200);
    },
  );
});

test('a bucket refills with time, and shows how long that takes', () => {
  let now = 0;
  const buckets = createTokenBuckets({ perSecond: 2, burst: 2 }, () => now);
  expect([buckets.take('a'), buckets.take('a'), buckets.take('a')]).toEqual([undefined, undefined, 1]);
  expect(buckets.take('b')).toBeUndefined();
  now = 500;
  expect([buckets.take('a'), buckets.take('a')]).toEqual([undefined, 1]);
});

describe.each(['search', 'evaluation'] as const)(
  'a caller has a limited number of %s operations at once',
  (countsAs) => {
    const configuration = {
      simultaneousSearches: countsAs === 'search' ? 2 : 1,
      simultaneousEvaluations: countsAs === 'evaluation' ? 2 : 1,
    };

    /** An operation whose requests wait until they are released. */
    function waiting(deadlineSeconds?: number) {
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      let started = 0;
      let allStarted = () => {};
      const bothStarted = new Promise<void>((resolve) => {
        allStarted = resolve;
      });
      const operation = defineOperation({
        operationID: 'Limited',
        method: 'POST',
        records: { entry: 'within', says: onlyItsPath },
        path: '/projects/{projectID}/limited',
        role: 'viewer',
        summary: 'Waits.',
        countsAs,
        ...(deadlineSeconds !== undefined && { deadlineSeconds }),
        request: {},
        responses: { 204: { description: 'Done.' } },
        problems: [],
      }).handle(async () => {
        started += 1;
        if (started === 2) allStarted();
        await released;
        return { status: 204 };
      });
      return { operation, bothStarted, release: () => release() };
    }

    test('the next one is 429 until one has ended', async () => {
      const { operation, bothStarted, release } = waiting();
      await withApi({ operations: [operation], configuration }, async (api) => {
        const token = await api.issuer.sign(member);
        const ask = () => api.request('POST', '/projects/p1/limited', { token });
        const running = [ask(), ask()];
        await bothStarted;
        expect((await ask()).status).toBe(429);
        release();
        expect((await Promise.all(running)).map(({ status }) => status)).toEqual([204, 204]);
        expect((await ask()).status).toBe(204);
      });
    });

    test('work that its deadline has overtaken counts until it ends', async () => {
      const { operation, release } = waiting(0.02);
      await withApi({ operations: [operation], configuration }, async (api) => {
        const token = await api.issuer.sign(member);
        const ask = () => api.request('POST', '/projects/p1/limited', { token });
        expect((await Promise.all([ask(), ask()])).map(({ status }) => status)).toEqual([503, 503]);
        expect((await ask()).status).toBe(429);
        release();
        expect((await ask()).status).toBe(204);
      });
    });
  },
);

test('a handler that takes too long is 503', async () => {
  let release = () => {};
  const slow = defineOperation({
    operationID: 'Slow',
    method: 'GET',
    path: '/slow',
    role: 'authenticated',
    summary: 'Never ends.',
    deadlineSeconds: 0.02,
    request: {},
    responses: { 204: { description: 'Done.' } },
    problems: [],
  }).handle(async () => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    return { status: 204 };
  });
  await withApi({ operations: [slow] }, async (api) => {
    const response = await api.request('GET', '/slow', { token: await api.issuer.sign() });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).not.toBeNull();
    release();
  });
});

test('an answer that the operation does not declare is found by the tests', async () => {
  const lying = defineOperation({
    operationID: 'Lying',
    method: 'GET',
    path: '/lying',
    role: 'authenticated',
    summary: 'Answers something else.',
    request: {},
    responses: { 204: { description: 'Done.' } },
    problems: [],
  }).handle(async () => ({ status: 202 }) as never);
  await withApi({ operations: [lying] }, async (api) => {
    expect((await api.request('GET', '/lying', { token: await api.issuer.sign() })).status).toBe(500);
  });
});

test('forwarded addresses are believed only as far as trusted proxies wrote them', () => {
  const { find } = createClientAddresses(['10.0.0.0/8', '::1']);
  expect(find('203.0.113.9', '1.2.3.4')).toBe('203.0.113.9');
  expect(find('10.0.0.1', '1.2.3.4')).toBe('1.2.3.4');
  expect(find('::ffff:10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.7')).toBe('1.2.3.4');
  expect(find('::1', null)).toBe('::1');
  expect(find('10.0.0.1', '')).toBe('10.0.0.1');
  expect(find('', '1.2.3.4')).toBe('');
  expect(
    ['10.0.0.0/8', '::1', '2001:db8::/32', '10.0.0.0/33', 'proxy', '1.2.3.4/', '1.2.3.4/8/9'].map(isAddressRange),
  ).toEqual([true, true, true, false, false, false, false]);
});

test.each([
  ['1.2.3.4:5678', '1.2.3.4'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['::ffff:102:304', '1.2.3.4'],
  ['6.6.6.6, 1.2.3.4:5678, [::ffff:10.0.0.7]:80', '1.2.3.4'],
  ['6.6.6.6, unknown', 'unknown'],
  ['6.6.6.6, _hidden, 10.0.0.7', '_hidden'],
])('a client that a proxy names as %s is %s', (forwardedFor, client) => {
  expect(createClientAddresses(['10.0.0.0/8']).find('10.0.0.1', forwardedFor)).toBe(client);
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::ffff', '2001:db8:1:2::/64'],
  ['2001:db8::5', '2001:db8:0:0::/64'],
  ['1::3:4:5:6:7:8', '1:0:3:4::/64'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('the address %s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test('a caller with a whole network of addresses has one allowance for bad tokens', async () => {
  await withApi(
    {
      operations: testOperations,
      configuration: { requestRate: { perSecond: 1, burst: 3 }, trustedProxies: ['::/0', '0.0.0.0/0'] },
    },
    async (api) => {
      const statuses: number[] = [];
      for (let host = 1; host <= 6; host += 1) {
        const app = api.app.request(
          thing,
          { headers: { 'X-Forwarded-For': `2001:db8:1:2::${host}` } },
          { incoming: { socket: { remoteAddress: '::1' } } },
        );
        statuses.push((await app).status);
      }
      expect(statuses).toEqual([401, 401, 401, 429, 429, 429]);
    },
  );
});

test('an address belongs to a /24 or a /48 of neighbors, in whatever spelling it comes', () => {
  expect(neighborhoodOf('192.0.2.7')).toBe('192.0.2.0/24');
  expect(neighborhoodOf('::ffff:192.0.2.7')).toBe('192.0.2.0/24');
  expect(networkOf('::ffff:192.0.2.7')).toBe('192.0.2.7');
  for (const spelling of ['2001:db8:1::7', '2001:DB8:0001:ffff::7%eth0', '2001:db8:1:2:3:4:192.0.2.7'])
    expect(neighborhoodOf(spelling)).toBe('2001:db8:1::/48');
  expect(neighborhoodOf('')).toBe('');
});

test('mistakes in the settings of the API are named at once', () => {
  const { configuration, problems } = readApiConfiguration({
    CORS_ORIGINS: '*, https://a.example/, https://b.example',
    TRUSTED_PROXIES: 'proxy',
    RATE_LIMIT_BURST: '0',
  });
  expect(configuration).toBeUndefined();
  expect(problems).toEqual([
    'CORS_ORIGINS must be a comma-separated list of origins such as https://app.example.com, but is "*, https://a.example/, https://b.example"',
    'TRUSTED_PROXIES must be a comma-separated list of IP addresses and CIDR ranges such as 10.0.0.0/8, but is "proxy"',
    'RATE_LIMIT_BURST must be a whole number from 1 to 999999999, but is "0"',
  ]);
  expect(readApiConfiguration({}).problems).toEqual([]);
});

test('logs have one line per event, and no token, query or body in them', async () => {
  await withApi({ operations: testOperations }, async (api) => {
    const token = await api.issuer.sign({
      ...member,
      sub: 'a"}\u2028{"x',
      projects: [{ id: 'p1', roles: ['editor'] }],
    });
    await api.request('POST', '/projects/p1/echo/x?secret=hidden-query', {
      token,
      json: { variables: { card: 'hidden-variable' } },
      headers: { 'User-Agent': 'hidden-agent' },
    });
    await api.request('POST', `/projects/p1/echo/x`, { token, json: { variables: { card: 'hidden-variable' } } });
    await api.request('GET', `/${token}`, { token });
    await api.request('GET', '/projects/p1/store', { token });
    const logged = JSON.stringify(api.logs());
    for (const secret of ['hidden-', token, token.split('.')[1] as string]) expect(logged).not.toContain(secret);
    expect(api.logs().filter((line) => 'status' in line)).toHaveLength(4);
  });
});

test('the public operations answer without a token', async () => {
  await withApi({}, async (api) => {
    expect(await (await api.request('GET', '/version')).json()).toEqual({ version: '0.0.0-test' });
    expect((await api.request('GET', '/health')).status).toBe(200);
    expect((await api.request('GET', '/ready')).status).toBe(200);
    expect((await api.request('GET', '/docs')).headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await (await api.request('GET', '/openapi.json')).json()).toMatchObject({ openapi: '3.1.0' });
    expect((await api.request('GET', '/metrics')).status).toBe(401);
  });
});

test('a host that lacks something is not ready and names it', async () => {
  await withApi(
    {
      readiness: [
        { name: 'postgres', check: async () => 'Postgres does not respond' },
        { name: 'temporal', check: async () => undefined },
      ],
    },
    async (api) => {
      const response = await api.request('GET', '/ready');
      expect(response.status).toBe(503);
      expect(await response.json()).toEqual({
        status: 'not ready',
        missing: [{ name: 'postgres', message: 'Postgres does not respond' }],
      });
      expect((await api.request('GET', '/health')).status).toBe(200);
    },
  );
});

test('a readiness check that fails itself counts as missing', async () => {
  await withApi(
    { readiness: [{ name: 'temporal', check: () => Promise.reject(new Error('secret')) }] },
    async (api) => {
      const response = await api.request('GET', '/ready');
      expect(response.status).toBe(503);
      expect(await response.text()).not.toContain('secret');
    },
  );
});

test('a host whose issuer is down is not ready', async () => {
  await withApi({}, async (api) => {
    api.issuer.answerKeysWith((_, response) => response.writeHead(500).end());
    expect(await (await api.request('GET', '/ready')).json()).toMatchObject({ missing: [{ name: 'keys' }] });
  });
});

test('the public documents are sent compressed, and not again to who has them', async () => {
  await withApi({}, async (api) => {
    for (const path of ['/openapi.json', '/schemas/scenario.json', '/docs']) {
      const plain = await api.request('GET', path);
      const bytes = Buffer.from(await plain.arrayBuffer());
      expect(plain.headers.get('cache-control')).toBe('public, max-age=300');
      const gzipped = await api.request('GET', path, { headers: { 'Accept-Encoding': 'br, gzip' } });
      expect(gzipped.headers.get('content-encoding')).toBe('gzip');
      expect(gunzipSync(Buffer.from(await gzipped.arrayBuffer())).equals(bytes)).toBe(true);
      for (const { headers } of [plain, gzipped]) {
        const again = await api.request('GET', path, { headers: { 'If-None-Match': headers.get('etag')! } });
        expect([again.status, await again.text()]).toEqual([304, '']);
      }
      const refusing = await api.request('GET', path, { headers: { 'Accept-Encoding': 'gzip;q=0' } });
      expect(refusing.headers.get('content-encoding')).toBeNull();
    }
  });
});

test('readiness is determined once per second, and says no names to callers', async () => {
  let now = 10_000;
  let asked = 0;
  let isStopping = false;
  const checks: ReadinessCheck[] = [
    {
      name: 'temporal',
      publicMessage: 'Temporal does not respond',
      async check() {
        asked += 1;
        return 'Temporal does not respond for namespace secret';
      },
    },
    { name: 'host', isImmediate: true, check: async () => (isStopping ? 'The host is stopping' : undefined) },
  ];
  const missing = { name: 'temporal', message: 'Temporal does not respond' };
  for (let count = 0; count < 30; count += 1)
    expect(await findMissingForCallers(checks, now + count)).toEqual([missing]);
  expect(asked).toBe(1);
  isStopping = true;
  expect(await findMissingForCallers(checks, now + 30)).toContainEqual({
    name: 'host',
    message: 'The host is stopping',
  });
  now += 1_000;
  await findMissingForCallers(checks, now);
  expect(asked).toBe(2);
});

test('work in threads ends with its request: at the deadline, and when a limit is reached it is 429', async () => {
  const kind = { name: 'test', size: 1 };
  const signals: (AbortSignal | undefined)[] = [];
  const works = defineOperation({
    operationID: 'Works',
    method: 'POST',
    path: '/projects/{projectID}/works',
    role: 'viewer',
    records: { entry: 'within', says: onlyItsPath },
    summary: 'Holds a turn without end.',
    request: {},
    responses: { 204: { description: 'Never.' } },
    problems: [],
    deadlineSeconds: 0.05,
  }).handle(async ({ turns }) => {
    signals.push((await turns.take(kind, 0)).signal);
    return new Promise<never>(() => undefined);
  });
  const turns = new FairTurns({ ...defaultTurnLimits, maxWaiting: 1 });
  await withApi({ operations: [works], context: { turns } }, async (api) => {
    const token = await api.issuer.sign(member);
    expect((await api.request('POST', '/projects/p1/works', { token })).status).toBe(503);
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  });
  const none = new FairTurns({ ...defaultTurnLimits, maxBytesOfCaller: -1 });
  await withApi({ operations: [works], context: { turns: none } }, async (api) => {
    const refused = await api.request('POST', '/projects/p1/works', { token: await api.issuer.sign(member) });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  });
});
