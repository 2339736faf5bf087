import { afterEach, expect, it, vi } from 'vitest';
import { accessTokens } from '@perdure/client';
import { answerWith, drip, serve, type Server } from './support/server.js';

let server: Server | undefined;
let asked = 0;

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await server?.close();
  asked = 0;
});

/** A token endpoint whose tokens are called after their number. */
async function tokens(
  expiresInSeconds: number | undefined,
  status: (number: number) => number = () => 200,
): Promise<() => Promise<string>> {
  server = await serve((_request, response) => {
    asked += 1;
    answerWith(response, status(asked), {
      access_token: `token ${asked}`,
      ...(expiresInSeconds !== undefined && { expires_in: expiresInSeconds }),
    });
  });
  return accessTokens({ tokenEndpoint: server.url, clientID: 'shop', clientSecret: 'secret' });
}

/** Only the clock is frozen: requests need their timers. */
function letPass(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1000);
}

it('callers at the same time share one request, later ones its token', async () => {
  const token = await tokens(300);
  expect(await Promise.all([token(), token(), token()])).toEqual(['token 1', 'token 1', 'token 1']);
  expect(await token()).toBe('token 1');
  expect(asked).toBe(1);
});

it.each([
  ['one minute before it expires', 300, 239, 2],
  ['after half its life when it is short', 100, 49, 2],
  ['one minute before five minutes are over if the response has no lifetime', undefined, 239, 2],
])('a token is renewed %s', async (_when, expiresIn, stillGoodAfter, step) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const token = await tokens(expiresIn);
  expect(await token()).toBe('token 1');
  letPass(stillGoodAfter);
  expect(await token()).toBe('token 1');
  letPass(step);
  // The call that begins the renewal does not wait for it.
  expect(await token()).toBe('token 1');
  await vi.waitFor(async () => expect(await token()).toBe('token 2'));
  expect(asked).toBe(2);
});

it('callers use the token that they have while its renewal hangs, and wait for the next one once it is about to expire', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  let release = () => {};
  server = await serve((_request, response) => {
    asked += 1;
    const number = asked;
    const answer = () => answerWith(response, 200, { access_token: `token ${number}`, expires_in: 300 });
    if (number === 1) answer();
    else release = answer;
  });
  const token = accessTokens({ tokenEndpoint: server.url, clientID: 'shop', clientSecret: 'secret' });
  await token();
  letPass(241);
  expect(await token()).toBe('token 1');
  await vi.waitFor(() => expect(asked).toBe(2));
  letPass(48);
  expect(await token()).toBe('token 1');
  letPass(2);
  const next = token();
  release();
  expect(await next).toBe('token 2');
  expect(asked).toBe(2);
});

it('a renewal that failed is tried again after a pause, while callers use the token that they have', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const token = await tokens(300, (number) => (number === 2 ? 503 : 200));
  await token();
  letPass(241);
  expect(await token()).toBe('token 1');
  await vi.waitFor(() => expect(asked).toBe(2));
  for (let call = 0; call < 20; call += 1) expect(await token()).toBe('token 1');
  // The failure arrives after the request, and the pause begins with it.
  await vi.waitFor(async () => {
    letPass(6);
    await token();
    expect(asked).toBe(3);
  });
  await vi.waitFor(async () => expect(await token()).toBe('token 3'));
});

it('a request whose answer never ends is given up after ten seconds, and the next call asks again', async () => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const limits = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => timeout(milliseconds / 100));
  server = await serve((_request, response) => {
    asked += 1;
    if (asked === 1) drip(response);
    else answerWith(response, 200, { access_token: 'token 2' });
  });
  const token = accessTokens({ tokenEndpoint: server.url, clientID: 'shop', clientSecret: 'secret' });
  await expect(token()).rejects.toThrow('did not answer within 10 seconds');
  expect(limits).toHaveBeenCalledWith(10_000);
  expect(await token()).toBe('token 2');
});

it('an answer that is far larger than a token is not read to its end', async () => {
  const closed = vi.fn();
  server = await serve((_request, response) => {
    response.on('close', closed).writeHead(200, { 'Content-Type': 'application/json' });
    const pour = () => {
      while (!response.destroyed && response.write(' '.repeat(65_536)));
    };
    response.on('drain', pour);
    pour();
  });
  const token = accessTokens({ tokenEndpoint: server.url, clientID: 'shop', clientSecret: 'secret' });
  await expect(token()).rejects.toThrow('answered with more than 262144 bytes');
  await vi.waitFor(() => expect(closed).toHaveBeenCalled());
});

it('a request that failed is not kept', async () => {
  const token = await tokens(300, (number) => (number === 1 ? 503 : 200));
  await expect(token()).rejects.toThrow('returned 503 for service account shop');
  expect(await token()).toBe('token 2');
});

it.each([301, 302, 307, 308])('a redirect with %i does not get the secret, and is a refusal', async (status) => {
  const seen: string[] = [];
  const other = await serve((request, response) => {
    request.on('data', (part: Buffer) => seen.push(part.toString()));
    request.on('end', () => answerWith(response, 200, { access_token: 'of another' }));
  });
  server = await serve((_request, response) => answerWith(response, status, {}, { Location: other.url }));
  const token = accessTokens({ tokenEndpoint: server.url, clientID: 'shop', clientSecret: 'secret' });
  const refused = await token().catch((error: unknown) => error);
  await other.close();
  expect(refused).toMatchObject({ name: 'ApiError', status });
  expect(String(refused)).toContain('a redirect, which is not followed');
  expect(seen).toEqual([]);
});

it('an account that the endpoint refuses is reported as a refusal, without its secret', async () => {
  const token = await tokens(300, () => 401);
  const refused = await token().catch((error: unknown) => error);
  expect(refused).toMatchObject({ name: 'ApiError', status: 401, code: 'UNAUTHORIZED' });
  expect(String(refused)).not.toContain('secret');
});
