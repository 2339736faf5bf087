/** A token that is shown again: its signature is verified once, and it is believed no longer than it may be. */
import { afterEach, expect, test, vi } from 'vitest';
import { startTestApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { createSigningKey } from '../support/issuer.js';
import { testOperations } from '../support/operations.js';

let api: TestApi | undefined;
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await api?.close();
  api = undefined;
});

async function start(): Promise<TestApi> {
  api = await startTestApi({ operations: testOperations, keySetTimes: { cooldownMilliseconds: 0 } });
  return api;
}

const member = { projects: [{ id: 'p1', roles: ['viewer'] }] };
const seconds = () => Math.floor(Date.now() / 1000);

async function ask(from: TestApi, token: string): Promise<Response> {
  return from.request('GET', '/projects/p1/things/known', { token });
}

test('its signature is verified once', async () => {
  const started = await start();
  const token = await started.issuer.sign(member);
  const verify = vi.spyOn(crypto.subtle, 'verify');
  for (let time = 0; time < 3; time += 1) expect((await ask(started, token)).status).toBe(200);
  expect(verify).toHaveBeenCalledTimes(1);
});

test('it expires', async () => {
  const started = await start();
  const token = await started.issuer.sign({ ...member, exp: seconds() + 300 });
  expect((await ask(started, token)).status).toBe(200);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 });
  const response = await ask(started, token);
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ message: 'The access token expired' });
});

test('it is not for before its time, should the clock be set back', async () => {
  const started = await start();
  const token = await started.issuer.sign({ ...member, nbf: seconds() - 60 });
  expect((await ask(started, token)).status).toBe(200);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 600_000 });
  expect((await ask(started, token)).status).toBe(401);
});

test('it falls with the key that has signed it', async () => {
  const started = await start();
  const token = await started.issuer.sign(member);
  expect((await ask(started, token)).status).toBe(200);
  const second = await createSigningKey('second', 'ES256');
  started.issuer.publish([second.publicJWK]);
  // A key id that is not known makes the host ask for the keys again.
  expect((await ask(started, await started.issuer.sign(member, { key: second }))).status).toBe(200);
  expect((await ask(started, token)).status).toBe(401);
});

test('it lends its claims to no other signature', async () => {
  const started = await start();
  const token = await started.issuer.sign(member);
  expect((await ask(started, token)).status).toBe(200);
  const [header, payload, signature] = token.split('.') as [string, string, string];
  const other = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
  expect((await ask(started, `${header}.${payload}.${other}`)).status).toBe(401);
});
