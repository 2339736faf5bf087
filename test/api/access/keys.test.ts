/** Keys of an issuer: rotation, outage, hostile documents. */
import type { ServerResponse } from 'node:http';
import { importJWK } from 'jose';
import type { CryptoKey } from 'jose';
import { afterEach, expect, test } from 'vitest';
import { startTestApi } from '../support/api.js';
import type { TestApi, TestApiOptions } from '../support/api.js';
import { createSigningKey, startIssuer } from '../support/issuer.js';
import { testOperations } from '../support/operations.js';

let api: TestApi | undefined;
afterEach(async () => {
  await api?.close();
  api = undefined;
});

async function start(options: TestApiOptions = {}): Promise<TestApi> {
  api = await startTestApi({ operations: testOperations, algorithm: 'RS256', ...options });
  return api;
}

const member = { projects: [{ id: 'p1', roles: ['viewer'] }] };

async function ask(from: TestApi, token: string): Promise<Response> {
  return from.request('GET', '/projects/p1/things/known', { token });
}

test('a new key of the issuer is found when a token names it', async () => {
  const started = await start({ keySetTimes: { cooldownMilliseconds: 0 } });
  expect((await ask(started, await started.issuer.sign(member))).status).toBe(200);
  const second = await createSigningKey('second', 'ES256');
  started.issuer.publish([second.publicJWK]);
  expect((await ask(started, await started.issuer.sign(member, { key: second }))).status).toBe(200);
  expect((await ask(started, await started.issuer.sign(member))).status, 'the key that is no longer published').toBe(
    401,
  );
});

test('invented key ids cause at most one fetch per cooldown', async () => {
  const started = await start({ keySetTimes: { cooldownMilliseconds: 3_600_000 } });
  await ask(started, await started.issuer.sign(member));
  const statuses = await Promise.all(
    Array.from(
      { length: 30 },
      async (_, index) =>
        (await ask(started, await started.issuer.sign(member, { header: { kid: `invented-${index}` } }))).status,
    ),
  );
  expect(new Set(statuses)).toEqual(new Set([401]));
  expect(started.issuer.keyFetches()).toBe(1);
});

test('many first requests share one fetch', async () => {
  const started = await start();
  const token = await started.issuer.sign(member);
  await Promise.all(Array.from({ length: 20 }, () => ask(started, token)));
  expect(started.issuer.keyFetches()).toBe(1);
});

test('an issuer that was never reached is 503 with Retry-After, and works when it comes back', async () => {
  const started = await start({ keySetTimes: { firstBackOffMilliseconds: 0, maxBackOffMilliseconds: 0 } });
  started.issuer.answerKeysWith((_, response) => response.writeHead(500).end());
  const token = await started.issuer.sign(member);
  const away = await ask(started, token);
  expect(away.status).toBe(503);
  expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await started.request('GET', '/version')).status, 'not a product operation here').toBe(401);
  started.issuer.answerKeysWith(undefined);
  expect((await ask(started, token)).status).toBe(200);
});

test('failed fetches are not repeated at once', async () => {
  const started = await start({
    keySetTimes: { firstBackOffMilliseconds: 3_600_000, maxBackOffMilliseconds: 3_600_000 },
  });
  started.issuer.answerKeysWith((_, response) => response.writeHead(500).end());
  const token = await started.issuer.sign(member);
  for (let count = 0; count < 10; count += 1) expect((await ask(started, token)).status).toBe(503);
  expect(started.issuer.keyFetches()).toBe(1);
});

test('known keys keep working while the issuer is down, for a bounded time', async () => {
  const started = await start({
    keySetTimes: {
      freshMilliseconds: 0,
      firstBackOffMilliseconds: 0,
      maxBackOffMilliseconds: 0,
      cooldownMilliseconds: 0,
    },
  });
  const token = await started.issuer.sign(member);
  expect((await ask(started, token)).status).toBe(200);
  started.issuer.answerKeysWith((_, response) => response.writeHead(503).end());
  expect((await ask(started, token)).status).toBe(200);
  const unknown = await started.issuer.sign(member, { header: { kid: 'new' } });
  expect((await ask(started, unknown)).status, 'no caller can verify whether this key is real').toBe(503);
});

test('keys that are too old are not used', async () => {
  const started = await start({
    keySetTimes: { staleMilliseconds: 0, firstBackOffMilliseconds: 0, maxBackOffMilliseconds: 0 },
  });
  started.issuer.answerKeysWith((_, response) => response.writeHead(503).end());
  expect((await ask(started, await started.issuer.sign(member))).status).toBe(503);
});

test.each([
  ['HTML', (response: ServerResponse) => response.writeHead(200).end('<html></html>')],
  ['an object for keys', (response: ServerResponse) => response.writeHead(200).end('{"keys":{}}')],
  ['no keys', (response: ServerResponse) => response.writeHead(200).end('{"keys":[]}')],
  [
    'a symmetric key',
    (response: ServerResponse) => response.writeHead(200).end('{"keys":[{"kty":"oct","k":"c2VjcmV0","kid":"x"}]}'),
  ],
  [
    'nonsense for keys',
    (response: ServerResponse) =>
      response
        .writeHead(200)
        .end('{"keys":[null,5,{},{"kty":"RSA","n":"AQ","e":"AQ"},{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}]}'),
  ],
])('%s instead of the key set leaves the former keys in use', async (_, answer) => {
  const started = await start({
    keySetTimes: { cooldownMilliseconds: 0, firstBackOffMilliseconds: 0, maxBackOffMilliseconds: 0 },
  });
  const token = await started.issuer.sign(member);
  expect((await ask(started, token)).status).toBe(200);
  started.issuer.answerKeysWith((_request, response) => void answer(response));
  expect((await ask(started, await started.issuer.sign(member, { header: { kid: 'new' } }))).status).toBe(503);
  expect((await ask(started, token)).status).toBe(200);
});

test('a key set that is too large is not used, though it holds the right key', async () => {
  const started = await start({
    keySetTimes: { cooldownMilliseconds: 0, firstBackOffMilliseconds: 0, maxBackOffMilliseconds: 0 },
  });
  const second = await createSigningKey('second');
  const token = await started.issuer.sign(member, { key: second });
  const document = JSON.stringify({ keys: [started.issuer.key.publicJWK, second.publicJWK] });
  started.issuer.answerKeysWith((_, response) =>
    response.on('error', () => {}).end(document + ' '.repeat(50 * 1024 * 1024)),
  );
  expect((await ask(started, token)).status).toBe(503);
  started.issuer.answerKeysWith((_, response) => response.end(document));
  expect((await ask(started, token)).status).toBe(200);
});

test('a redirect of the key set is not followed', async () => {
  const started = await start({ keySetTimes: { firstBackOffMilliseconds: 0, maxBackOffMilliseconds: 0 } });
  const elsewhere = await startIssuer('RS256');
  try {
    started.issuer.answerKeysWith((_, response) =>
      response.writeHead(302, { Location: `${elsewhere.url}/keys` }).end(),
    );
    const token = await started.issuer.sign(member, { key: elsewhere.key });
    expect((await ask(started, token)).status).toBe(503);
    expect(elsewhere.keyFetches()).toBe(0);
  } finally {
    await elsewhere.close();
  }
});

test('a key that names no algorithm verifies allowed algorithms only', async () => {
  const started = await start();
  const { alg: _, ...open } = started.issuer.key.publicJWK;
  started.issuer.publish([open]);
  expect((await ask(started, await started.issuer.sign(member))).status).toBe(200);
  const other = await importJWK({ ...started.issuer.key.privateJWK, alg: 'RS384' }, 'RS384');
  const token = await started.issuer.sign(member, {
    key: { ...started.issuer.key, algorithm: 'RS384', privateKey: other as CryptoKey },
  });
  expect((await ask(started, token)).status).toBe(401);
});

test('private, short, encryption and other-algorithm keys of a key set verify nothing', async () => {
  const started = await start();
  const leaked = await createSigningKey('leaked');
  const encrypting = await createSigningKey('encrypting');
  const other = await createSigningKey('other');
  started.issuer.publish([
    started.issuer.key.publicJWK,
    leaked.privateJWK,
    { ...encrypting.publicJWK, use: 'enc' },
    { ...other.publicJWK, alg: 'RS512' },
  ]);
  for (const key of [leaked, encrypting, other]) {
    expect((await ask(started, await started.issuer.sign(member, { key }))).status).toBe(401);
  }
  expect((await ask(started, await started.issuer.sign(member))).status).toBe(200);
});

test('keys are per issuer: one issuer cannot sign for another', async () => {
  const first = await start();
  const second = await startTestApi({ operations: testOperations, algorithm: 'RS256' });
  try {
    const forged = await first.issuer.sign({ ...member, iss: second.issuer.url });
    expect((await ask(second, forged)).status).toBe(401);
    expect((await ask(first, forged)).status).toBe(401);
  } finally {
    await second.close();
  }
});
