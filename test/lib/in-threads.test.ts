import { expect, test } from 'vitest';
import { inThreads } from '@perdure/lib/in-threads.js';

const built = new URL('./support/thread.mjs', import.meta.url);
const unbuilt = new URL('./support/no-such-thread.mjs', import.meta.url);

interface Answer {
  wish: string;
  threadId?: number;
}

function callable(file: URL, timeoutMs = 60_000) {
  return inThreads<string, Answer>(
    file,
    { name: 'test', size: 1, timeoutMs, heapMB: 64, bytesOf: () => 0 },
    (wish) => ({ wish }),
  );
}

test('calls run in a thread if its file is built, otherwise in the calling thread', async () => {
  expect(await callable(built)('a')).toEqual({ wish: 'a', threadId: expect.any(Number) });
  expect(await callable(unbuilt)('a')).toEqual({ wish: 'a' });
});

test('a call that takes too much time or memory has no result', async () => {
  expect(await callable(built, 500)('spin')).toBeUndefined();
  expect(await callable(built)('hoard')).toBeUndefined();
});

test('an error of the thread is an error of the call', async () => {
  await expect(callable(built)('throw')).rejects.toThrow('the thread threw');
});
