import { afterEach, expect, test, vi } from 'vitest';
import { Clock } from '../../workflows/instance/clock.js';

afterEach(() => vi.useRealTimers());

test('timers are due by recorded times alone, although the clock of a replay may be ahead', () => {
  vi.useFakeTimers();
  const clock = new Clock();
  clock.advanceTo(5_000);
  vi.setSystemTime(9_000);
  expect([clock.now(), clock.reached]).toEqual([9_000, 5_000]);
  clock.advanceTo(4_000);
  expect(clock.reached).toBe(5_000);
});
