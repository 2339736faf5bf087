/** Fair assignment of threads when there are fewer than tasks. */
import { expect, test } from 'vitest';
import { FairTurns, TurnCanceled, TurnRefused, type Turn, type TurnLimits } from '@perdure/lib/fair-turns.js';

const limits: TurnLimits = { maxWaiting: 3, maxBytes: 1000, maxBytesOfCaller: 500, millisecondsPerMinute: 1000 };
const one = { name: 'one', size: 1 };
const two = { name: 'two', size: 2 };

function start(given: Partial<TurnLimits> = {}) {
  let now = 0;
  const turns = new FairTurns({ ...limits, ...given }, () => now);
  const granted: string[] = [];
  return {
    granted,
    pass: (milliseconds: number) => void (now += milliseconds),
    take(
      caller: string,
      project: string | undefined,
      kind = one,
      { signal, bytes = 0 }: { signal?: AbortSignal; bytes?: number } = {},
    ) {
      const taken = turns.of({ caller, project, signal }).take(kind, bytes);
      taken.then(
        () => granted.push(caller),
        () => undefined,
      );
      return taken;
    },
  };
}

const settle = () => new Promise(setImmediate);

/** Ends the turns one after another, in the order in which they are granted. */
async function endAll(taken: readonly Promise<Turn>[]): Promise<void> {
  for (const turn of taken) void turn.then(({ end }) => end());
  await Promise.all(taken);
}

test('projects take turns, and callers within their project', async () => {
  const { granted, take } = start({ maxWaiting: 10 });
  const first = await take('running', 'x');
  const taken = [
    ...[1, 2, 3, 4].map(() => take('a', 'p1')),
    ...[1, 2].map(() => take('b', 'p1')),
    ...[1, 2].map(() => take('c', 'p2')),
  ];
  first.end();
  await endAll(taken);
  expect(granted.slice(1)).toEqual(['a', 'c', 'b', 'c', 'a', 'b', 'a', 'a']);
});

test('a project leaves one of two threads to others, unless its work is short', async () => {
  const { granted, take } = start();
  await take('a', 'p1', two);
  void take('b', 'p1', two);
  await settle();
  expect(granted).toEqual(['a']);
  await take('c', 'p2', two);
  const short = { name: 'short', size: 2, isShort: true };
  await take('d', 'p1', short);
  await take('e', 'p1', short);
});

test('work of no project takes turns by caller', async () => {
  const { granted, take } = start();
  await take('a', undefined, two);
  void take('a', undefined, two);
  await take('b', undefined, two);
  expect(granted).toEqual(['a', 'b']);
});

test('a caller with too many waiting tasks, or too many bytes, is refused and others are not', async () => {
  const { take } = start();
  await take('a', 'p1');
  const waiting = [1, 2, 3].map(() => take('a', 'p1'));
  await expect(take('a', 'p1')).rejects.toThrow(new TurnRefused('3 tasks that wait for a thread', 1));
  void take('b', 'p1', one, { bytes: 400 });
  await expect(take('b', 'p1', one, { bytes: 200 })).rejects.toThrow('500 bytes that wait for a thread');
  void take('c', 'p1', one, { bytes: 500 });
  await expect(take('d', 'p1', one, { bytes: 200 })).rejects.toThrow('1000 bytes of all callers');
  expect(waiting).toHaveLength(3);
});

test('a caller that had threads for its share of a minute waits for the next part of it', async () => {
  const { take, pass } = start();
  const turn = await take('a', 'p1');
  pass(3000);
  turn.end();
  // 1000 ms were saved up, and 3000 ms spent.
  await expect(take('a', 'p1')).rejects.toMatchObject({ retryAfterSeconds: 121 });
  const free = { name: 'free', size: 1, isFree: true };
  (await take('a', 'p1', free)).end();
  (await take('b', 'p1')).end();
  pass(121_000);
  (await take('a', 'p1')).end();
});

test('a task whose request ends gives its place and its bytes back', async () => {
  const { granted, take } = start();
  const first = await take('a', 'p1');
  const leaving = new AbortController();
  const waits = [1, 2, 3].map(() => take('b', 'p1', one, { signal: leaving.signal, bytes: 150 }));
  leaving.abort();
  for (const wait of waits) await expect(wait).rejects.toThrow(TurnCanceled);
  await expect(take('b', 'p1', one, { signal: leaving.signal })).rejects.toThrow(TurnCanceled);
  const next = take('b', 'p1', one, { bytes: 500 });
  first.end();
  (await next).end();
  expect(granted).toEqual(['a', 'b']);
});

test('a canceled task costs its caller the start of another thread', async () => {
  const { take } = start();
  for (let count = 0; count < 10; count += 1) {
    const leaving = new AbortController();
    const turn = await take('a', 'p1', one, { signal: leaving.signal });
    leaving.abort();
    turn.end();
  }
  await expect(take('a', 'p1')).rejects.toThrow('1000 ms of thread time per minute');
});
