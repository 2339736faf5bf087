import { expect, test } from 'vitest';
import { intervalOfMedian } from '../../bench/against.js';

test.each([
  [5, undefined],
  [6, [1, 6]],
  [8, [1, 8]],
  [10, [2, 9]],
  [12, [3, 10]],
  [20, [6, 15]],
])('the median of %i values lies with 95 %% confidence between %j', (count, expected) => {
  const shuffled = Array.from({ length: count }, (_, index) => ((index * 7) % count) + 1);
  expect(intervalOfMedian(shuffled)).toEqual(expected);
});
