/** Which signatures are verified, and for how long one that was good counts. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createSignatures } from '../../../api/access/keys/signatures.js';
import { readBearerToken, type UnverifiedToken } from '../../../api/access/token.js';
import { startTestApi, type TestApi, type TestApiOptions } from '../support/api.js';
import { createSigningKey, startIssuer, type SigningKey, type TestIssuer } from '../support/issuer.js';
import { testOperations } from '../support/operations.js';

const verify = vi.spyOn(crypto.subtle, 'verify');

let issuer: TestIssuer;
let other: SigningKey;
beforeAll(async () => {
  issuer = await startIssuer('RS256');
  other = await createSigningKey('other');
});
afterAll(async () => {
  verify.mockRestore();
  await issuer.close();
});
beforeEach(() => void verify.mockClear());
afterEach(() => void vi.useRealTimers());

const verifications = () => verify.mock.calls.length;
const publicKey = (key: SigningKey): KeyObject => createPublicKey({ key: key.publicJWK as never, format: 'jwk' });

function read(text: string): UnverifiedToken {
  const reading = readBearerToken(`Bearer ${text}`);
  return reading.kind === 'token' ? reading.token : expect.fail(reading.reason);
}

async function tokens(count: number): Promise<UnverifiedToken[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, number) => read(await issuer.sign({ jti: String(number) }))),
  );
}

test('a signature that was good is not verified again', async () => {
  const signatures = createSignatures();
  const key = publicKey(issuer.key);
  const [token] = await tokens(1);
  for (let time = 0; time < 5; time += 1)
    expect(await signatures.refusalOf(token!, [publicKey(other), key])).toBeUndefined();
  expect(verifications(), 'once by each of the two keys').toBe(2);
});

test('a signature that was wrong is verified every time', async () => {
  const signatures = createSignatures();
  const [token] = await tokens(1);
  const wrongKey = publicKey(other);
  for (let time = 0; time < 3; time += 1)
    expect(await signatures.refusalOf(token!, [wrongKey])).toBe('the signature does not verify');
  expect(verifications()).toBe(3);
});

test('a signature counts under the very key that has verified it', async () => {
  const signatures = createSignatures();
  const [token] = await tokens(1);
  expect(await signatures.refusalOf(token!, [publicKey(issuer.key)])).toBeUndefined();
  expect(await signatures.refusalOf(token!, [publicKey(other)])).toBe('the signature does not verify');
  expect(await signatures.refusalOf(token!, [publicKey(issuer.key)]), 'the same key, fetched again').toBeUndefined();
  expect(verifications()).toBe(3);
});

test('another payload or header under a signature that was good is verified, and refused', async () => {
  const signatures = createSignatures();
  const key = publicKey(issuer.key);
  const [first, second] = await tokens(2);
  await signatures.refusalOf(first!, [key]);
  const [header, , signature] = first!.text.split('.');
  const [, payload] = second!.text.split('.');
  expect(await signatures.refusalOf(read(`${header}.${payload}.${signature}`), [key])).toBe(
    'the signature does not verify',
  );
  const otherHeader = Buffer.from(JSON.stringify({ alg: 'RS256', kid: 'first', typ: 'at+jwt' })).toString('base64url');
  expect(await signatures.refusalOf(read(`${otherHeader}.${first!.text.split('.')[1]}.${signature}`), [key])).toBe(
    'the signature does not verify',
  );
});

test('the number of remembered signatures is limited, and the oldest is forgotten first', async () => {
  const signatures = createSignatures(3);
  const key = publicKey(issuer.key);
  const signed = await tokens(4);
  for (const token of signed) await signatures.refusalOf(token, [key]);
  expect(verifications()).toBe(4);
  for (const token of signed.slice(1)) await signatures.refusalOf(token, [key]);
  expect(verifications(), 'the last three are remembered').toBe(4);
  await signatures.refusalOf(signed[0]!, [key]);
  expect(verifications(), 'the first is not').toBe(5);
});

const member = { projects: [{ id: 'p1', roles: ['viewer'] }] };

async function withApi(
  options: TestApiOptions,
  use: (api: TestApi, statusOf: (token: string) => Promise<number>) => Promise<void>,
): Promise<void> {
  const api = await startTestApi({ operations: testOperations, algorithm: 'RS256', ...options });
  try {
    await use(api, async (token) => (await api.request('GET', '/projects/p1/things/known', { token })).status);
  } finally {
    await api.close();
  }
}

test('a token that was accepted is 401 as soon as a refreshed key set has its key no longer', async () => {
  await withApi({ keySetTimes: { cooldownMilliseconds: 0 } }, async (api, statusOf) => {
    const removed = await api.issuer.sign(member);
    expect(await statusOf(removed)).toBe(200);
    expect(await statusOf(removed)).toBe(200);
    const next = await createSigningKey('next');
    api.issuer.publish([next.publicJWK]);
    // An unknown key id refreshes the key set.
    expect(await statusOf(await api.issuer.sign(member, { key: next }))).toBe(200);
    expect(await statusOf(removed)).toBe(401);
  });
});

test('a key that was replaced under the same id stops the tokens of the former one', async () => {
  await withApi({ keySetTimes: { cooldownMilliseconds: 0 } }, async (api, statusOf) => {
    const former = await api.issuer.sign(member);
    expect(await statusOf(former)).toBe(200);
    const next = await createSigningKey('next');
    const successor = await createSigningKey(api.issuer.key.keyID);
    api.issuer.publish([next.publicJWK, successor.publicJWK]);
    expect(await statusOf(await api.issuer.sign(member, { key: next }))).toBe(200);
    expect(await statusOf(former)).toBe(401);
    expect(await statusOf(await api.issuer.sign(member, { key: successor }))).toBe(200);
  });
});

test('a token that was accepted is 503 when the keys have become too old', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  await withApi({ keySetTimes: { freshMilliseconds: 1000, staleMilliseconds: 1000 } }, async (api, statusOf) => {
    const token = await api.issuer.sign(member);
    expect(await statusOf(token)).toBe(200);
    api.issuer.answerKeysWith((_, response) => response.writeHead(503).end());
    // Past the cooldown of fetches, too.
    vi.advanceTimersByTime(60_000);
    expect(await statusOf(token)).toBe(503);
  });
});

test.each([
  ['expired', { OIDC_CLOCK_TOLERANCE_SECONDS: '0' }, { exp: 1_800_000_060 }, 'The access token expired'],
  [
    'older than accepted',
    { OIDC_CLOCK_TOLERANCE_SECONDS: '0', OIDC_MAX_TOKEN_AGE_SECONDS: '60' },
    {},
    'The access token is not valid',
  ],
])('a token that was accepted is 401 once it is %s', async (_, env, claims, message) => {
  await withApi({ env }, async (api) => {
    const issuedAt = 1_800_000_000;
    const at = (second: number) => vi.useFakeTimers({ toFake: ['Date'], now: (issuedAt + second) * 1000 });
    at(0);
    const token = await api.issuer.sign({ ...member, iat: issuedAt, exp: issuedAt + 3600, ...claims });
    const ask = () => api.request('GET', '/projects/p1/things/known', { token });
    expect((await ask()).status).toBe(200);
    at(59);
    expect((await ask()).status).toBe(200);
    at(61);
    const late = await ask();
    expect(late.status).toBe(401);
    expect(await late.json()).toMatchObject({ message });
    // A clock that was wrong and is set back: nothing was held against the token.
    at(30);
    expect((await ask()).status).toBe(200);
    expect(verifications(), 'its signature').toBe(1);
  });
});
