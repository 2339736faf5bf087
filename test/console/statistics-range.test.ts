import { describe, expect, it } from 'vitest';
import { endedIn, rangeOf, ranges, sayTime, spanOf } from '../../console/features/statistics/range.js';
import { asWritten, durationMs, sayDuration } from '../../console/features/statistics/duration.js';
import { isolatedValues } from '../../console/features/chart/isolated.js';
import { busySteps, endsOf } from '../../console/features/statistics/series.js';
import type { StatisticsStep } from '../../console/features/statistics/types.js';
import {
  endedBetween,
  firstHourOf,
  incidentsLike,
  raisedBetween,
  startedBetween,
  statisticsOf,
} from '../../console/screens/dashboard/lists.js';

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

describe('the numbers of an hour', () => {
  const step = (more: Partial<StatisticsStep>): StatisticsStep => ({
    time: '2026-05-31T10:00:00Z',
    started: 0,
    completed: 0,
    canceled: 0,
    failed: 0,
    incidents: 0,
    ...more,
  });

  it('count every end of an instance', () => {
    expect(endsOf(step({ completed: 3, canceled: 2, failed: 1, started: 9 }))).toBe(6);
  });

  it('are left out if nothing happened', () => {
    const busy = [step({ started: 1 }), step({ canceled: 1 }), step({ incidents: 1 })];
    expect(busySteps([step({}), ...busy, step({})])).toEqual(busy);
  });

  it('lead to the list of what they count', () => {
    const begin = Date.parse('2026-05-31T10:00:00Z');
    const window = 'After=2026-05-31T09%3A59%3A59.999Z';
    expect(startedBetween(begin, begin + hour, 'a b')).toContain(`instances?processId=a+b&created${window}`);
    expect(endedBetween(begin, begin + hour, { status: 'FAILED' })).toContain(`status=FAILED&completed${window}`);
    expect(raisedBetween(begin, begin + hour)).toBe(
      'incidents?since=2026-05-31T10%3A00%3A00.000Z&until=2026-05-31T10%3A59%3A59.999Z',
    );
  });

  it('lead to the incidents and the statistics of a process', () => {
    expect(incidentsLike({ processID: 'p', nodeID: 'n', errorType: 'FeelError' })).toBe(
      'incidents?processId=p&nodeID=n&errorType=FeelError',
    );
    expect(statisticsOf('a/b', 'time', '7d')).toBe('processes/a%2Fb?view=time&range=7d');
  });
});

describe('a line of a chart', () => {
  it.each([
    [[1, 2, 3], []],
    [
      [1, null, 3, 4, null, 6],
      [0, 5],
    ],
    [[null, 0, null], [1]],
    [[7], [0]],
    [[null, null], []],
  ])('of %j has points for the values that no line shows', (values, indexes) => {
    expect(isolatedValues(values)).toEqual(indexes);
  });
});
