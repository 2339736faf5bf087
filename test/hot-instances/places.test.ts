import { expect, test } from 'vitest';
import { maxLingersAtOnce } from '../../hot-instances/places.js';

test.each([
  [2_300, 200],
  [200, 200],
  [182, 182],
  [100, 100],
  [45, 45],
  [10, 10],
])('with a cache of %i instances, waiting commits leave 40 of %i slots, or all if there are fewer', (cache, slots) => {
  for (const share of [0.01, 0.3, 0.9]) {
    const maxAtOnce = maxLingersAtOnce(share, cache);
    expect(maxAtOnce).toBeLessThanOrEqual(Math.max(0, slots - 40));
    expect(maxAtOnce).toBeLessThanOrEqual(slots * share);
  }
});

test('a large cache has room for 60 commits that wait', () => {
  expect(maxLingersAtOnce(0.3, 2_300)).toBe(60);
});
