import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DeletedProjects } from '../../api/access/deleted-projects.js';

/** A list of deleted projects over a table and a clock of the test. */
function listOver(table: Set<string>) {
  const clock = { now: 0 };
  const reads: number[] = [];
  const read = async () => {
    reads.push(clock.now);
    return [...table];
  };
  return { clock, reads, list: new DeletedProjects({ read, now: () => clock.now }) };
}

test('a deletion by another process is known half a second later at most', async () => {
  const table = new Set<string>();
  const { clock, list } = listOver(table);
  expect(await list.has('shop')).toBe(false);
  table.add('shop');
  clock.now = 500;
  expect(await list.has('shop')).toBe(true);
  table.delete('shop');
  clock.now = 1_000;
  expect(await list.has('shop')).toBe(false);
});

test('however many requests there are, the table is read four times a second at most, and none waits for it', async () => {
  const { clock, reads, list } = listOver(new Set());
  for (clock.now = 0; clock.now < 1_000; clock.now += 1) await list.has('shop');
  expect(reads).toEqual([0, 250, 500, 750]);
});

test('requests that come at once share one read', async () => {
  const { reads, list } = listOver(new Set(['shop']));
  expect(await Promise.all([1, 2, 3].map(() => list.has('shop')))).toEqual([true, true, true]);
  expect(reads).toHaveLength(1);
});

test('a deletion by this process is known at once, also while its transaction has yet to end', async () => {
  const table = new Set<string>();
  const { clock, list } = listOver(table);
  await list.has('shop');
  list.add('shop');
  expect(await list.has('shop')).toBe(true);
  clock.now = 600;
  expect(await list.has('shop')).toBe(true);
  // The transaction was rolled back.
  clock.now = 1_200;
  expect(await list.has('shop')).toBe(false);
});

test('a read that fails is that of the request that needs it, and the next request reads again', async () => {
  const clock = { now: 0 };
  const answers = [new Error('no database'), ['shop'], new Error('no database'), []];
  const read = async () => {
    const answer = answers.shift()!;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const list = new DeletedProjects({ read, now: () => clock.now });
  await expect(list.has('shop')).rejects.toThrow('no database');
  expect(await list.has('shop')).toBe(true);
  clock.now = 300;
  expect(await list.has('shop')).toBe(true);
  await setImmediate();
  clock.now = 600;
  expect(await list.has('shop')).toBe(false);
});
