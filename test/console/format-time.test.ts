import { expect, it } from 'vitest';
import {
  dayOf,
  relativeTime,
  timeOfDay,
  toMillisecond,
  toSecond,
} from '../../console/components/values/format-time.js';

const instant = new Date(2026, 2, 9, 8, 5, 2, 7);

it('writes times to the second, and the milliseconds where they are asked for', () => {
  expect([dayOf(instant), timeOfDay(instant)]).toEqual(['2026-03-09', '08:05:02']);
  expect(toSecond(instant)).toBe('2026-03-09 08:05:02');
  expect(toMillisecond(instant)).toBe('2026-03-09 08:05:02.007');
});

it.each([
  [0, 'just now'],
  [4_999, 'just now'],
  [-4_999, 'just now'],
  [29_999, '25 s ago'],
  [-30_000, 'in 30 s'],
  [59_999, '55 s ago'],
  [60_000, '1 min ago'],
  [3_600_000, '1 h ago'],
  [-172_800_000, 'in 2 d'],
])('says how far an instant that was %s ms ago is', (distance, text) => {
  expect(relativeTime(instant.getTime(), instant.getTime() + distance)).toBe(text);
});
