/** The signatures of tokens, and how long a token that was accepted is accepted. */
import crypto, { createPublicKey, type KeyObject } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { hasValidSignature } from '../../../api/access/keys/signature.js';
import { knownAlgorithms } from '../../../api/access/settings/issuer-settings.js';
import { readBearerToken, type UnverifiedToken } from '../../../api/access/token.js';
import { startTestApi, type TestApi, type TestApiOptions } from '../support/api.js';
import { createSigningKey, startIssuer, type SigningKey, type TestIssuer } from '../support/issuer.js';
import { testOperations } from '../support/operations.js';

const verify = vi.spyOn(crypto, 'verify');
afterAll(() => verify.mockRestore());

let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await startIssuer('RS256');
});
afterAll(() => issuer.close());
beforeEach(() => void verify.mockClear());
afterEach(() => void vi.useRealTimers());

const verifications = () => verify.mock.calls.length;
const publicKey = (key: SigningKey): KeyObject => createPublicKey({ key: key.publicJWK as never, format: 'jwk' });

function read(text: string): UnverifiedToken {
  const reading = readBearerToken(`Bearer ${text}`);
  return reading.kind === 'token' ? reading.token : expect.fail(reading.reason);
}

function flipped(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  changed[7]! ^= 1;
  return changed;
}

test.each(knownAlgorithms)(
  'a signature by %s is valid under its key only, and only for its text',
  async (algorithm) => {
    const [key, otherKey] = [await createSigningKey('a', algorithm), await createSigningKey('b', algorithm)];
    const { text } = read(await issuer.sign({}, { key }));
    const keys = [publicKey(otherKey), publicKey(key)];
    expect(hasValidSignature(read(text), keys)).toBe(true);
    expect(hasValidSignature(read(text), [publicKey(otherKey)])).toBe(false);
    const [header, payload, signature] = text.split('.') as [string, string, string];
    const bytes = Buffer.from(signature, 'base64url');
    for (const changed of [bytes.subarray(1), Buffer.concat([bytes, Buffer.from([0])]), flipped(bytes)])
      expect(hasValidSignature(read(`${header}.${payload}.${changed.toString('base64url')}`), keys)).toBe(false);
  },
);

test('a signature by PS256 without its leading zero is not valid', async () => {
  const key = await createSigningKey('a', 'PS256');
  // The salt is another one each time: one signature of 256 begins with a zero.
  for (let attempt = 0; attempt < 10_000; attempt += 1) {
    const { text } = read(await issuer.sign({}, { key }));
    const [header, payload, signature] = text.split('.') as [string, string, string];
    const bytes = Buffer.from(signature, 'base64url');
    if (bytes[0] !== 0) continue;
    const shorter = read(`${header}.${payload}.${bytes.subarray(1).toString('base64url')}`);
    expect(hasValidSignature(shorter, [publicKey(key)])).toBe(false);
    return;
  }
  expect.fail('no signature began with a zero');
});

test('another payload or header under a valid signature is refused', async () => {
  const keys = [publicKey(issuer.key)];
  const first = await issuer.sign({ jti: '1' });
  const second = await issuer.sign({ jti: '2' });
  const [header, payload, signature] = first.split('.');
  const [, otherPayload] = second.split('.');
  const otherHeader = Buffer.from(JSON.stringify({ alg: 'RS256', kid: 'first', typ: 'at+jwt' })).toString('base64url');
  expect(hasValidSignature(read(first), keys)).toBe(true);
  for (const text of [`${header}.${otherPayload}.${signature}`, `${otherHeader}.${payload}.${signature}`])
    expect(hasValidSignature(read(text), keys)).toBe(false);
});

test('the signature of a token is verified on every request', async () => {
  await withApi({}, async ({ issuer: { sign } }, statusOf) => {
    const token = await sign(member);
    for (let time = 0; time < 3; time += 1) expect(await statusOf(token)).toBe(200);
    expect(verifications()).toBe(3);
  });
});

const member = { projects: [{ id: 'p1', roles: ['viewer'] }] };

async function withApi(
  options: TestApiOptions,
  use: (api: TestApi, statusOf: (token: string) => Promise<number>) => Promise<void>,
): Promise<void> {
  const api = await startTestApi({ operations: testOperations, ...options });
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
    expect(verifications(), 'of its signature').toBe(4);
  });
});
