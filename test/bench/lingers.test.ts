import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Lingers } from '../../bench/floor/lingers.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a result reaches the activity that lingers for its workflow', async () => {
  const lingers = new Lingers();
  const result = lingers.untilGiven('one');
  expect(lingers.give('other')).toBe(false);
  expect(lingers.give('one')).toBe(true);
  expect(await result).toBe(true);
});

test('a result that comes after a second, or twice, finds no waiting commit', async () => {
  const lingers = new Lingers();
  const result = lingers.untilGiven('one');
  vi.advanceTimersByTime(1_000);
  expect(await result).toBe(false);
  expect(lingers.give('one')).toBe(false);
});
