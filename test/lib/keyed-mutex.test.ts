import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { KeyedMutex } from '@perdure/lib/keyed-mutex.js';

test('evaluations of one caller run in order, with a round of the event loop between them', async () => {
  const turns = new KeyedMutex();
  const seen: string[] = [];
  const round = async () => {
    for (let count = 1; count <= 3; count++) {
      await nextRound();
      seen.push(`round ${count}`);
    }
  };
  await Promise.all([
    turns.run('a', () => seen.push('a1')),
    turns.run('a', () => seen.push('a2')),
    turns.run('b', () => seen.push('b1')),
    round(),
  ]);
  expect(seen.slice(0, 2)).toEqual(['a1', 'b1']);
  expect(seen.indexOf('a2')).toBeGreaterThan(1);
  await turns.run('a', () => seen.push('a3'));
  expect(seen.at(-1)).toBe('a3');
});

test('an evaluation that waits for a thread delays the others of its caller, and no other callers', async () => {
  const turns = new KeyedMutex();
  const seen: string[] = [];
  let release = () => {};
  const first = turns.run('a', async () => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    seen.push('a1');
  });
  const second = turns.run('a', () => seen.push('a2'));
  await turns.run('b', () => seen.push('b1'));
  expect(seen).toEqual(['b1']);
  release();
  await Promise.all([first, second]);
  expect(seen).toEqual(['b1', 'a1', 'a2']);
});

test('an evaluation that fails, fails alone', async () => {
  const turns = new KeyedMutex();
  const failing = turns.run('a', () => Promise.reject(new Error('broken')));
  const throwing = turns.run('a', () => {
    throw new Error('broken too');
  });
  const next = turns.run('a', () => 'fine');
  await expect(failing).rejects.toThrow('broken');
  await expect(throwing).rejects.toThrow('broken too');
  expect(await next).toBe('fine');
});
