/** Requests that wait for something to happen: how many one caller may have, and what the next one gets. */
import { once } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { defineOperation } from '../../../api/commands/define-operation.js';
import { onlyItsPath } from '../../../api/contract/audit/recording.js';
import { serveApi } from '../../../api/serve.js';
import type { Waiting } from '../../../api/context.js';
import { startTestApi, type RequestOptions, type TestApi } from '../support/api.js';

const body = z.strictObject({ timeout: z.number() }).optional();

/** Operations of each kind that waits. They report how long they may wait, or wait until the test releases them. */
function waitingOperations() {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const started: string[] = [];
  const budget = z.strictObject({ wait: z.number(), poll: z.number() });
  const common = {
    method: 'POST',
    role: 'viewer',
    summary: 'Waits.',
    records: { entry: 'within', says: onlyItsPath },
    problems: [],
  } as const;
  const responses = { 200: { description: 'The longest wait.', schema: budget } } as const;
  const command = defineOperation({
    ...common,
    operationID: 'Command',
    path: '/projects/{projectID}/command',
    waits: 'outcome',
    request: {},
    responses,
  }).handle(async ({ headers, pollMilliseconds }) => {
    started.push('Command');
    if (headers.waitMilliseconds > 0) await released;
    return { status: 200, body: { wait: headers.waitMilliseconds, poll: pollMilliseconds } };
  });
  const news = defineOperation({
    ...common,
    operationID: 'News',
    path: '/projects/{projectID}/news',
    waits: 'news',
    request: {},
    responses,
  }).handle(async ({ headers, signal, pollMilliseconds }) => {
    started.push('News');
    const wait = headers.preferredWaitMilliseconds ?? 0;
    if (wait > 0) await Promise.race([released, once(signal, 'abort')]);
    return { status: 200, body: { wait, poll: pollMilliseconds } };
  });
  const poll = defineOperation({
    ...common,
    operationID: 'Poll',
    path: '/projects/{projectID}/poll',
    polls: (given) => given?.timeout ?? 0,
    request: { body },
    responses,
  }).handle(async ({ pollMilliseconds }) => {
    started.push('Poll');
    if (pollMilliseconds > 0) await released;
    return { status: 200, body: { wait: 0, poll: pollMilliseconds } };
  });
  const undeclared = defineOperation({
    ...common,
    operationID: 'Undeclared',
    path: '/projects/{projectID}/undeclared',
    request: {},
    responses: { 204: { description: 'Done.' } },
  }).handle(async ({ context, signal, params }) => {
    await context.notifications.readEvents(context.store, { ...params, after: '0', limit: 1 }, 1_000, signal);
    return { status: 204 };
  });
  return { operations: [command, news, poll, undeclared], started, release: () => release() };
}

const preferring = (wait: number) => ({ headers: { Prefer: `wait=${wait}` } });

/** Runs with an API where a caller may have two waits. */
async function withWaits(
  use: (given: {
    api: TestApi;
    started: readonly string[];
    release(): void;
    ask(path: string, options?: RequestOptions, sub?: string): Promise<Response>;
  }) => Promise<void>,
): Promise<void> {
  const { operations, started, release } = waitingOperations();
  const api = await startTestApi({ operations, configuration: { waitsPerCaller: 2, simultaneousRequests: 4 } });
  const ask = async (path: string, options: RequestOptions = {}, sub = 'ann') => {
    const token = await api.issuer.sign({ sub, projects: [{ id: 'p1', roles: ['viewer'] }] });
    return api.request('POST', `/projects/p1/${path}`, { token, ...options });
  };
  try {
    await use({ api, started, release, ask });
  } finally {
    release();
    await api.close();
  }
}

describe('a caller with as many waits as it may have', () => {
  test('gets 429 with Retry-After for another one, before it does anything, and no other caller does', async () => {
    await withWaits(async ({ ask, started, release }) => {
      const waiting = [ask('news', preferring(60)), ask('command', preferring(60))];
      await vi.waitFor(() => expect(started).toHaveLength(2), { timeout: 10_000 });
      for (const path of ['news', 'command']) {
        const refused = await ask(path, preferring(1));
        expect(refused.status).toBe(429);
        expect(refused.headers.get('Retry-After')).toBe('1');
      }
      expect(started).toHaveLength(2);
      const other = ask('news', preferring(60), 'bob');
      await vi.waitFor(() => expect(started).toHaveLength(3), { timeout: 10_000 });
      release();
      for (const { status } of await Promise.all([...waiting, other])) expect(status).toBe(200);
      expect((await ask('news', preferring(60))).status).toBe(200);
    });
  });

  test('is answered at once with Retry-After when it polls', async () => {
    await withWaits(async ({ ask, started }) => {
      const waiting = [ask('poll', { json: { timeout: 60_000 } }), ask('news', preferring(60))];
      await vi.waitFor(() => expect(started).toHaveLength(2), { timeout: 10_000 });
      const shortened = await ask('poll', { json: { timeout: 60_000 } });
      expect(shortened.status).toBe(200);
      expect(shortened.headers.get('Retry-After')).toBe('1');
      expect(await shortened.json()).toEqual({ wait: 0, poll: 0 });
      void waiting;
    });
  });

  test('still sends commands, which wait as long as they do by themselves, and requests that do not wait', async () => {
    await withWaits(async ({ ask, started, release }) => {
      void ask('news', preferring(60));
      void ask('news', preferring(60));
      await vi.waitFor(() => expect(started).toHaveLength(2), { timeout: 10_000 });
      const command = ask('command');
      await vi.waitFor(() => expect(started).toHaveLength(3), { timeout: 10_000 });
      for (const path of ['news', 'poll']) {
        const answered = await ask(path);
        expect(await answered.json()).toEqual({ wait: 0, poll: 0 });
        expect(answered.headers.has('Retry-After')).toBe(false);
      }
      expect((await ask('command', preferring(0))).status).toBe(200);
      release();
      expect(await (await command).json()).toEqual({ wait: 5_000, poll: 0 });
    });
  });

  test('has a place again as soon as a client of a wait has disconnected', async () => {
    await withWaits(async ({ api, started }) => {
      const served = await serveApi(api.app, { host: '127.0.0.1', port: 0 });
      try {
        const token = await api.issuer.sign({ sub: 'ann', projects: [{ id: 'p1', roles: ['viewer'] }] });
        const headers = { Authorization: `Bearer ${token}`, Prefer: 'wait=60' };
        const clients = Array.from({ length: 2 }, () => new AbortController());
        const ask = (signal?: AbortSignal) =>
          fetch(`${served.url}/projects/p1/news`, { method: 'POST', headers, ...(signal && { signal }) });
        const waiting = clients.map(({ signal }) => ask(signal).catch(() => undefined));
        await vi.waitFor(() => expect(started).toHaveLength(2), { timeout: 10_000 });
        expect((await ask()).status).toBe(429);
        clients[0]!.abort();
        const next = new AbortController();
        // The first ones are 429, until the server has noticed that the client has gone.
        await vi.waitFor(
          () => {
            waiting.push(ask(next.signal).catch(() => undefined));
            expect(started).toHaveLength(3);
          },
          { timeout: 10_000 },
        );
        clients[1]!.abort();
        next.abort();
        await Promise.all(waiting);
      } finally {
        await served.close();
      }
    });
  });
});

test('callers with a token do not take the places of the address that a trusted proxy forwards', async () => {
  await withWaits(async ({ api, started, release }) => {
    const served = await serveApi(api.app, {
      host: '127.0.0.1',
      port: 0,
      trustedProxies: ['127.0.0.1'],
      limits: { connections: 1_000, perAddress: 2 },
    });
    try {
      const ask = async (sub: string) => {
        const token = await api.issuer.sign({ sub, projects: [{ id: 'p1', roles: ['viewer'] }] });
        const headers = { Authorization: `Bearer ${token}`, Prefer: 'wait=60', 'X-Forwarded-For': '10.0.0.1' };
        return (await fetch(`${served.url}/projects/p1/news`, { method: 'POST', headers })).status;
      };
      const statuses: Promise<number>[] = [];
      // One after the other: a request counts for its address until its token is known.
      for (let caller = 1; caller <= 30; caller += 1) {
        statuses.push(ask(`caller ${caller}`));
        await vi.waitFor(() => expect(started).toHaveLength(caller), { timeout: 10_000 });
      }
      release();
      expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]));
    } finally {
      await served.close();
    }
  });
});

test('a command stops waiting when its client disconnects, though its handler does not ask', async () => {
  let given: AbortSignal | undefined;
  const awaitOutcome = async (...[, , , , , signal]: Parameters<Waiting['awaitOutcome']>) => {
    given = signal;
    await once(signal!, 'abort');
    return undefined;
  };
  const command = defineOperation({
    operationID: 'Command',
    method: 'POST',
    path: '/projects/{projectID}/command',
    role: 'viewer',
    summary: 'Waits.',
    records: { entry: 'within', says: onlyItsPath },
    waits: 'outcome',
    request: {},
    responses: { 204: { description: 'Done.' } },
    problems: [],
  }).handle(async ({ context, headers }) => {
    await context.notifications.awaitOutcome(context.store, 'w', 1, headers.waitMilliseconds);
    return { status: 204 };
  });
  const notifications = { awaitOutcome, isClosed: false } as unknown as Waiting;
  const api = await startTestApi({ operations: [command], context: { notifications } });
  const served = await serveApi(api.app, { host: '127.0.0.1', port: 0 });
  try {
    const token = await api.issuer.sign({ projects: [{ id: 'p1', roles: ['viewer'] }] });
    const client = new AbortController();
    const headers = { Authorization: `Bearer ${token}` };
    const asking = fetch(`${served.url}/projects/p1/command`, { method: 'POST', headers, signal: client.signal });
    await vi.waitFor(() => expect(given).toBeDefined(), { timeout: 10_000 });
    client.abort();
    await expect(asking).rejects.toThrow();
    await vi.waitFor(() => expect(given!.aborted).toBe(true), { timeout: 10_000 });
  } finally {
    await served.close();
    await api.close();
  }
});

test('a caller has a limited number of requests in progress, whatever they do', async () => {
  await withWaits(async ({ api, started }) => {
    const sign = (sub: string) => api.issuer.sign({ sub, projects: [{ id: 'p1', roles: ['viewer'] }] });
    const [token, other] = [await sign('ann'), await sign('bob')];
    const never = () => new ReadableStream({ start: () => undefined });
    const headers = (bearer: string) => ({ Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' });
    // Requests whose bodies do not end, and which therefore have not begun to wait.
    const unfinished = Array.from({ length: 4 }, () =>
      api.app.request('/projects/p1/poll', {
        method: 'POST',
        headers: headers(token),
        body: never(),
        duplex: 'half',
      } as RequestInit),
    );
    await vi.waitFor(
      async () => {
        expect((await api.request('POST', '/projects/p1/command', { token, ...preferring(0) })).status).toBe(429);
      },
      { timeout: 10_000 },
    );
    expect((await api.request('POST', '/projects/p1/command', { token: other, ...preferring(0) })).status).toBe(200);
    expect(started).not.toContain('Poll');
    void unfinished;
  });
});

test('an operation that waits without declaring it fails', async () => {
  await withWaits(async ({ api, ask }) => {
    expect((await ask('undeclared')).status).toBe(500);
    expect(JSON.stringify(api.logs())).toContain('Undeclared waits for 1000 ms, but its declaration allows 0 ms');
  });
});
