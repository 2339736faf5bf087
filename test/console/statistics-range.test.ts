import { describe, expect, it } from 'vitest';
import { endedIn, rangeOf, ranges, sayTime, spanOf } from '../../console/features/statistics/range.js';
import { asWritten, durationMs, sayDuration } from '../../console/features/statistics/duration.js';
import { firstHourOf } from '../../console/screens/dashboard/lists.js';

const hour = 3_600_000;
const now = Date.parse('2026-05-31T10:20:30.400Z');

describe('a range of statistics', () => {
  it('begins at a whole step in UTC, so that its first step is complete', () => {
    expect(spanOf(rangeOf('24h'), now)).toEqual({
      since: '2026-05-30T11:00:00.000Z',
      until: '2026-05-31T10:20:30.400Z',
      step: 'hour',
    });
    expect(spanOf(rangeOf('30d'), now)).toMatchObject({ since: '2026-05-02T00:00:00.000Z', step: 'day' });
  });

  it('is one that the API accepts', () => {
    for (const one of ranges) {
      const { since, step } = spanOf(one, now);
      const days = (now - Date.parse(since)) / (24 * hour);
      expect(days, one.id).toBeLessThanOrEqual(step === 'hour' ? 31 : 400);
    }
  });

  it('is the last 30 days where the address names none, or none that exists', () => {
    expect(rangeOf('forever').id).toBe('30d');
  });

  it('has lists whose windows neither overlap nor leave gaps', () => {
    const begin = Date.parse('2026-05-31T00:00:00Z');
    expect(endedIn(begin, begin + hour).completedBefore).toBe(endedIn(begin + hour, begin + 2 * hour).completedAfter);
  });

  it('names a day or an hour in UTC', () => {
    expect(sayTime(now, 'day')).toBe('2026-05-31');
    expect(sayTime(Date.parse('2026-05-31T10:00:00Z'), 'hour')).toBe('2026-05-31 10:00 UTC');
  });

  it('has as last 24 hours the current one and the 23 before it, also at a full hour', () => {
    expect(new Date(firstHourOf('2026-05-31T10:20:30Z')).toISOString()).toBe('2026-05-30T11:00:00.000Z');
    expect(new Date(firstHourOf('2026-05-31T10:00:00Z')).toISOString()).toBe('2026-05-30T11:00:00.000Z');
  });
});

describe('a duration of the API', () => {
  it.each([
    ['PT1H', hour, '1 h', '1h'],
    ['P1DT12H', 36 * hour, '1 d 12 h', '1d12h'],
    ['PT1M30.5S', 90_500, '1 min 30 s', '1m30.5s'],
  ])('%s is read, said, and typed', (text, length, said, written) => {
    expect(durationMs(text)).toBe(length);
    expect(sayDuration(text)).toBe(said);
    expect(asWritten(text)).toBe(written);
  });

  it('is shown as it is when it is none', () => {
    expect(durationMs('soon')).toBeUndefined();
    expect(sayDuration('soon')).toBe('soon');
  });
});
