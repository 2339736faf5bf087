/** Following the event feed, seen from a host that a test plays. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createClient, followEvents, type FollowedFeed } from '@perdure/client';
import { answerWith, serve, type Server } from './support/server.js';

interface Asked {
  after: string | null;
  wait: string | undefined;
}

let server: Server | undefined;
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(async () => {
  vi.useRealTimers();
  await server?.close();
});

/** Answers in turn; 0 breaks the connection. The last answer repeats. */
async function follow(answers: readonly [status: number, body?: object][], feed: Partial<FollowedFeed> = {}) {
  const asked: Asked[] = [];
  const lines: string[] = [];
  const left = [...answers];
  server = await serve((request, response) => {
    asked.push({
      after: new URL(request.url!, 'http://host').searchParams.get('after'),
      wait: request.headers['prefer'] as string | undefined,
    });
    const [status, body] = left.length > 1 ? left.shift()! : left[0]!;
    if (status === 0) return void request.socket.destroy();
    answerWith(response, status, body ?? {});
  });
  const client = createClient({ api: server.url, accessToken: async () => 'token' });
  const stop = new AbortController();
  const log = (line: string) => void lines.push(line);
  const events = followEvents(client, { projectID: 'demo', signal: stop.signal, log, ...feed });
  return { asked, lines, events, stop };
}

/** The next event; pauses pass by themselves. */
async function next<T>(events: AsyncGenerator<T>): Promise<T | undefined> {
  let isThere = false;
  const found = events.next().finally(() => (isThere = true));
  found.catch(() => undefined);
  while (!isThere) {
    await vi.advanceTimersByTimeAsync(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return (await found).value as T | undefined;
}

const part = (upTo: number, ...ids: number[]) => ({ data: ids.map((id) => ({ id: String(id) })), next: String(upTo) });

it('requests the current position before its first long poll', async () => {
  const { asked, events } = await follow([
    [200, part(4)],
    [200, part(5, 5)],
  ]);
  expect(await next(events)).toEqual({ id: '5' });
  expect(asked).toEqual([
    { after: null, wait: undefined },
    { after: '4', wait: 'wait=30' },
  ]);
});

it('followEvents continues after the last event when the host returns from an outage', async () => {
  const outage = Array.from({ length: 25 }, (_, number): [number] => [number % 2 === 0 ? 503 : 0]);
  const { asked, lines, events } = await follow([[200, part(7, 6, 7)], ...outage, [200, part(8, 8)]], { after: '5' });
  expect([await next(events), await next(events), await next(events)]).toEqual([{ id: '6' }, { id: '7' }, { id: '8' }]);
  expect(asked.slice(1).every(({ after }) => after === '7')).toBe(true);
  expect(lines.length).toBeGreaterThan(0);
});

it('followEvents fails when the host refuses', async () => {
  const { events } = await follow([[409, { code: 'POSITION_EXPIRED', detail: 'removed' }]], { after: '1' });
  await expect(next(events)).rejects.toThrow('409 POSITION_EXPIRED');
});

it('followEvents stops when its signal is aborted', async () => {
  const { events, stop } = await follow([[503]]);
  const ended = next(events);
  stop.abort();
  expect(await ended).toBeUndefined();
});
