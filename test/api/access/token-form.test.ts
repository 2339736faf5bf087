/** Tokens with a hostile form or signature. */
import { SignJWT, base64url } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { createSigningKey } from '../support/issuer.js';
import { testOperations } from '../support/operations.js';

let api: TestApi;
let token: string;

beforeAll(async () => {
  api = await startTestApi({ operations: testOperations, algorithm: 'RS256' });
  token = await api.issuer.sign({ projects: [{ id: 'p1', roles: ['viewer'] }] });
});
afterAll(() => api.close());

const path = '/projects/p1/things/known';

async function statusWith(authorization: string): Promise<number> {
  return (await api.request('GET', path, { headers: { Authorization: authorization } })).status;
}

function unsigned(header: object, payload: object): string {
  return `${base64url.encode(JSON.stringify(header))}.${base64url.encode(JSON.stringify(payload))}`;
}

function claims(): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000);
  return {
    iss: api.issuer.url,
    aud: 'perdure',
    sub: 'someone',
    iat: now,
    exp: now + 300,
    projects: [{ id: 'p1', roles: ['admin'] }],
  };
}

test('a good token is accepted, whatever the case of the scheme', async () => {
  expect(await statusWith(`Bearer ${token}`)).toBe(200);
  expect(await statusWith(`bearer ${token}`)).toBe(200);
  expect(await statusWith(`BEARER   ${token}`)).toBe(200);
});

test('anything but one bearer token in the header is 401', async () => {
  const headers = [
    'Basic dXNlcjpwYXNz',
    'Bearer',
    'Bearer ',
    'Bearer a b',
    `Bearer\t${token}`,
    token,
    `Bearer ${token} x`,
    `Bearer ${token}, Bearer ${token}`,
  ];
  expect(await Promise.all(headers.map(statusWith))).toEqual(headers.map(() => 401));
});

test('a token in the query or the body is not a token, and is never logged', async () => {
  const inQuery = await api.request('GET', `${path}?access_token=${token}`);
  const inBody = await api.request('POST', '/projects/p1/echo/x', {
    body: `access_token=${token}`,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  expect([inQuery.status, inBody.status]).toEqual([401, 401]);
  expect(JSON.stringify(api.logs())).not.toContain(token);
});

test('an unsigned token, and one signed with the public key as a shared secret, are 401', async () => {
  const none = `${unsigned({ alg: 'none' }, claims())}.`;
  const secret = new TextEncoder().encode(JSON.stringify(api.issuer.key.publicJWK));
  const symmetric = await new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', kid: 'first' }).sign(secret);
  expect(await statusWith(`Bearer ${none}`)).toBe(401);
  expect(await statusWith(`Bearer ${none}x`)).toBe(401);
  expect(await statusWith(`Bearer ${symmetric}`)).toBe(401);
});

test('an algorithm outside the allow-list is 401 though the key fits', async () => {
  const { privateJWK } = api.issuer.key;
  const { importJWK } = await import('jose');
  for (const alg of ['RS384', 'PS256']) {
    const key = await importJWK({ ...privateJWK, alg }, alg);
    const other = await new SignJWT(claims()).setProtectedHeader({ alg, kid: 'first' }).sign(key);
    expect(await statusWith(`Bearer ${other}`)).toBe(401);
  }
});

test('a changed payload, a cut signature and another number of parts are 401', async () => {
  const [header, , signature] = token.split('.') as [string, string, string];
  const forged = base64url.encode(JSON.stringify(claims()));
  const texts = [
    `${header}.${forged}.${signature}`,
    token.slice(0, -10),
    `${header}.${forged}`,
    `${token}.x`,
    `${token}.x.y`,
    `${header}.${forged}.`,
  ];
  expect(await Promise.all(texts.map((text) => statusWith(`Bearer ${text}`)))).toEqual(texts.map(() => 401));
});

test('padding, the other base64 alphabet and white space inside are 401', async () => {
  const [header, payload, signature] = token.split('.') as [string, string, string];
  const texts = [
    `${header}=.${payload}.${signature}`,
    `${header}.${payload}.${signature}==`,
    `${header}.${payload}+/.${signature}`,
    `${header}. ${payload}.${signature}`,
    `${header}.${payload}.${signature}%0a`,
  ];
  expect(await Promise.all(texts.map((text) => statusWith(`Bearer ${text}`)))).toEqual(texts.map(() => 401));
});

test('a key id is compared as a string and used for nothing else', async () => {
  const kids = [
    '../../dev/null',
    "' OR 1=1--",
    'x'.repeat(10_000),
    7,
    { a: 1 },
    '\u0000',
    '__proto__',
    'constructor',
    '',
  ];
  const statuses = await Promise.all(
    kids.map(async (kid) => statusWith(`Bearer ${await forge({ alg: 'RS256', kid })}`)),
  );
  expect(statuses).toEqual(kids.map(() => 401));
});

test('keys and addresses of keys inside the token are not used', async () => {
  const own = await createSigningKey('first');
  for (const header of [
    { jwk: own.publicJWK },
    { jku: 'http://127.0.0.1:1/keys' },
    { x5u: 'http://127.0.0.1:1/cert' },
  ]) {
    expect(await statusWith(`Bearer ${await api.issuer.sign(claims(), { key: own, header })}`)).toBe(401);
  }
});

test('a token that asks for unknown extensions is 401', async () => {
  expect(await statusWith(`Bearer ${await forge({ alg: 'RS256', kid: 'first', crit: ['x'], x: 1 })}`)).toBe(401);
});

test('a refused token tells so by RFC 6750 without telling which check failed', async () => {
  const response = await api.request('GET', path, { token: `${token}x.y` });
  expect(response.headers.get('www-authenticate')).toBe(
    'Bearer realm="perdure", error="invalid_token", error_description="The access token is not valid"',
  );
  expect(await response.json()).toMatchObject({ code: 'UNAUTHORIZED', message: 'The access token is not valid' });
});

test('no token of these tests is in the log', () => {
  expect(JSON.stringify(api.logs())).not.toContain(token.split('.')[2]);
});

/** A token with any header at all, signed with the real key. */
async function forge(header: Record<string, unknown>): Promise<string> {
  const input = unsigned(header, claims());
  const signature = await crypto.subtle.sign(
    'RSASSA-PKCS1-v1_5',
    api.issuer.key.privateKey,
    new TextEncoder().encode(input),
  );
  return `${input}.${base64url.encode(new Uint8Array(signature))}`;
}
