import { expect, test } from 'vitest';
import { Semaphore } from '@perdure/lib/semaphore.js';

test('no more than allowed are at work at once, and they come in order', async () => {
  const semaphore = new Semaphore(2);
  const order: number[] = [];
  let atWork = 0;
  let most = 0;
  const work = (number: number) => async () => {
    order.push(number);
    most = Math.max(most, (atWork += 1));
    await new Promise((resolve) => setImmediate(resolve));
    atWork -= 1;
    if (number === 2) throw new Error('failed work gives its turn on');
  };
  const done = await Promise.allSettled([1, 2, 3, 4, 5].map((number) => semaphore.run(work(number))));
  expect(order).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(2);
  expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
});
