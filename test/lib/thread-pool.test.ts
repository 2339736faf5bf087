import { getPriority } from 'node:os';
import { expect, test } from 'vitest';
import { TurnCanceled } from '@perdure/lib/fair-turns.js';
import { ThreadPool, ThreadTimeout } from '@perdure/lib/thread-pool.js';

interface Answer {
  wish: string;
  threadId: number;
}

function pool({ size = 1, timeoutMs = 60_000, script = 'thread' } = {}): ThreadPool<string, Answer> {
  return new ThreadPool(new URL(`./support/${script}.mjs`, import.meta.url), { size, timeoutMs, heapMB: 64 });
}

test('every piece of work gets its own answer, by no more threads than allowed', async () => {
  const threads = pool({ size: 2 });
  const wishes = ['a', 'b', 'c', 'd', 'e'];

  const answers = await Promise.all(wishes.map((wish) => threads.run(wish)));

  expect(answers.map(({ wish }) => wish)).toEqual(wishes);
  expect(new Set(answers.map(({ threadId }) => threadId)).size).toBeLessThanOrEqual(2);
});

test('work that takes too long is given up, and the work after it is done by another thread', async () => {
  const threads = pool({ timeoutMs: 1000 });

  const [spinning, next] = await Promise.allSettled([threads.run('spin'), threads.run('next')]);

  expect(spinning).toMatchObject({ status: 'rejected', reason: expect.any(ThreadTimeout) });
  expect(next).toMatchObject({ status: 'fulfilled', value: { wish: 'next' } });
});

test('work is not given up for the time in which its thread loads its script', async () => {
  await expect(pool({ timeoutMs: 300, script: 'slow-thread' }).run('first')).resolves.toMatchObject({ wish: 'first' });
});

test('a pool is ready when its first thread is loaded, or cannot be', async () => {
  const threads = pool({ timeoutMs: 300, script: 'slow-thread' });
  let isLoaded = false;
  const loaded = threads.ready().then(() => (isLoaded = true));
  await new Promise(setImmediate);
  expect(isLoaded).toBe(false);
  await loaded;
  await threads.ready();
  expect(await threads.run('first')).toMatchObject({ wish: 'first' });
  await pool({ script: 'broken-thread' }).ready();
});

test('work of a thread whose script cannot be loaded fails with the reason, one after the other', async () => {
  const threads = pool({ script: 'broken-thread' });
  const failed = await Promise.allSettled([threads.run('one'), threads.run('two')]);
  for (const result of failed)
    expect(result).toMatchObject({ status: 'rejected', reason: { message: 'the script is broken' } });
});

test('work is not given up for the time in which the whole process was frozen', async () => {
  const threads = pool({ timeoutMs: 500 });
  await threads.run('first');
  // From here the event loop looks at its timers before it looks at messages.
  await new Promise(setImmediate);
  const next = threads.run('next');
  standStill(800);
  await expect(next).resolves.toMatchObject({ wish: 'next' });
});

function standStill(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

test.each([
  ['throws', 'throw', 'the thread threw'],
  ['ends', 'exit', 'exited with code 3'],
])('a thread that %s fails its own work only', async (_what, wish, message) => {
  const threads = pool();

  const [failed, next] = await Promise.allSettled([threads.run(wish), threads.run('next')]);

  expect(failed).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining(message) } });
  expect(next).toMatchObject({ status: 'fulfilled' });
});

test('work that is canceled while it waits is not done, and one that runs ends with its thread', async () => {
  const threads = pool();
  const running = new AbortController();
  const waiting = new AbortController();
  const spinning = threads.run('spin', { signal: running.signal });
  const removed = threads.run('removed', { signal: waiting.signal });
  const next = threads.run('next');
  waiting.abort();
  await expect(removed).rejects.toThrow(TurnCanceled);
  running.abort();
  await expect(spinning).rejects.toThrow(TurnCanceled);
  await expect(next).resolves.toMatchObject({ wish: 'next' });
  await expect(threads.run('late', { signal: running.signal })).rejects.toThrow(TurnCanceled);
});

test.runIf(process.platform === 'linux')(
  'a thread gives way to the event loops of the machine, and the process keeps its own priority',
  async () => {
    const before = getPriority();
    expect(Number((await pool().run('priority')).wish)).toBe(Math.min(19, before + 5));
    expect(getPriority()).toBe(before);
  },
);
