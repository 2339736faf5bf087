import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { dayOfWeek, fromEpochDay, toEpochDay, weekOfYear } from '@perdure/feel/temporal/calendar.js';
import { parseDate, parseDateTime, parseDuration, parseTime } from '@perdure/feel/temporal/parse.js';
import {
  DaysTimeDuration,
  FeelDate,
  FeelDateTime,
  FeelTime,
  YearsMonthsDuration,
} from '@perdure/feel/temporal/values.js';
import { UTC } from '@perdure/feel/temporal/zone.js';
import { lenient, NOON, strict } from './support.js';

/** Hundreds of cases, or costly ones, on a busy machine too. */
vi.setConfig({ testTimeout: 60_000 });

const epochDays = fc.integer({ min: -365_000_000_000, max: 365_000_000_000 });
const zones = fc.oneof(
  fc.constant(undefined),
  fc.constant(UTC),
  fc.integer({ min: -14 * 60, max: 14 * 60 }).map((minutes) => ({ offset: minutes * 60 + 0 })),
  fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Etc/UTC').map((name) => ({ name })),
);
const times = fc
  .tuple(fc.integer({ min: 0, max: 86_399 }), fc.integer({ min: 0, max: 999_999_999 }), zones)
  .map(([second, nano, zone]) => new FeelTime(second * 1e9 + nano, zone));
const dates = epochDays.map((day) => FeelDate.ofEpochDay(day) as FeelDate);

describe('the text of a temporal value', () => {
  test('is read back as the same date', () => {
    fc.assert(
      fc.property(dates, (date) => {
        expect(parseDate(String(date))).toEqual(date);
      }),
    );
  });

  test('is read back as the same time', () => {
    fc.assert(
      fc.property(times, (time) => {
        expect(parseTime(String(time))).toEqual(time);
      }),
    );
  });

  test('is read back as the same date and time', () => {
    fc.assert(
      fc.property(dates, times, (date, time) => {
        const value = FeelDateTime.of(date, time) as FeelDateTime;
        expect(parseDateTime(String(value))).toEqual(value);
      }),
    );
  });

  test('is read back as the same duration', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), (nanos) => {
        const value = DaysTimeDuration.of(nanos) as DaysTimeDuration;
        expect(parseDuration(String(value))).toEqual(value);
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), (months) => {
        const value = YearsMonthsDuration.of(months) as YearsMonthsDuration;
        expect(parseDuration(String(value))).toEqual(value);
      }),
    );
  });

  test('survives the way through JSON and a conversion function', () => {
    for (const [expression, convert] of [
      ['@"2026-11-21"', 'date'],
      ['@"10:15:30.5+02:00"', 'time'],
      ['@"2026-11-21T10:15:30@Europe/Berlin"', 'date and time'],
      ['@"-P1DT2H"', 'duration'],
      ['@"P1Y2M"', 'duration'],
    ] as const) {
      const stored = strict(expression);
      expect(strict(`${convert}(stored) = original`, { stored, original: parsedValue(expression) })).toBe(true);
    }
  });
});

function parsedValue(expression: string): unknown {
  const text = expression.slice(2, -1);
  return parseDate(text) ?? parseTime(text) ?? parseDateTime(text) ?? parseDuration(text);
}

describe('the calendar', () => {
  test('agrees with that of JavaScript where that has one', () => {
    fc.assert(
      fc.property(fc.integer({ min: -50_000_000, max: 50_000_000 }), (day) => {
        const date = new Date(day * 86_400_000);
        expect(fromEpochDay(day)).toEqual([date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]);
        expect(dayOfWeek(day)).toBe(date.getUTCDay() === 0 ? 7 : date.getUTCDay());
      }),
    );
  });

  test('counts days there and back', () => {
    fc.assert(
      fc.property(epochDays, (day) => {
        expect(toEpochDay(...fromEpochDay(day))).toBe(day);
      }),
    );
  });

  test.each([
    [2005, 1, 1, 53],
    [2003, 12, 29, 1],
    [2004, 1, 4, 1],
    [2026, 11, 21, 47],
  ])('%i-%i-%i is in week %i', (year, month, day, week) => {
    expect(weekOfYear(toEpochDay(year, month, day))).toBe(week);
  });
});

describe('temporal arithmetic', () => {
  test('a moment plus a duration minus the moment is the duration', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1_000_000, max: 1_000_000 }),
        times,
        fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
        (day, time, seconds) => {
          const moment = FeelDateTime.of(FeelDate.ofEpochDay(day) as FeelDate, time) as FeelDateTime;
          expect(
            strict('moment + d - moment = d', { moment, d: DaysTimeDuration.of(BigInt(seconds) * 1_000_000_000n) }),
          ).toBe(true);
        },
      ),
      { numRuns: 50 },
    );
  });

  test.each([
    ['@"2026-01-31" + @"P1M"', '2026-02-28'],
    ['@"2024-02-29" + @"P1Y"', '2025-02-28'],
    ['@"2026-01-01" - @"PT1S"', '2025-12-31'],
    ['@"2026-03-29T01:30:00@Europe/Berlin" + @"PT1H"', '2026-03-29T03:30:00@Europe/Berlin'],
    ['@"2026-10-25T02:30:00@Europe/Berlin" + @"P1D"', '2026-10-26T01:30:00@Europe/Berlin'],
    ['@"23:30:00" + @"PT1H"', '00:30:00'],
    ['@"2026-01-01T00:00:00+09:00" - @"2026-01-01T00:00:00Z"', '-PT9H'],
    ['@"10:00:00+01:00" - @"09:00:00Z"', 'PT0S'],
    ['@"P1Y" / 5', 'P2M'],
    ['1.5 * @"P1D"', 'P1DT12H'],
    ['@"P1D" / @"PT1H"', 24],
    ['years and months duration(@"2024-02-29", @"2025-02-28")', 'P11M'],
    ['@"2026-01-01T24:00:00"', '2026-01-02T00:00:00'],
    ['date(-1, 1, 1)', '-0001-01-01'],
    ['date and time(2026, 1, 2, 3, 4, 5.25, @"PT2H")', '2026-01-02T03:04:05.25+02:00'],
  ])('%s is %s', (expression, expected) => {
    expect(strict(expression)).toBe(expected);
  });

  test('a wall clock between two zones compares by the moment', () => {
    expect(strict('@"2026-07-01T12:00:00@Europe/Berlin" = @"2026-07-01T06:00:00@America/New_York"')).toBe(true);
    expect(strict('@"2026-07-01T12:00:00@Europe/Berlin" < @"2026-07-01T11:00:00Z"')).toBe(true);
  });
});

describe('text that is not temporal', () => {
  test.each([
    '2026-02-29',
    '2026-13-01',
    '26-01-01',
    '02026-01-01',
    '+2026-01-01',
    '9999999999-01-01',
    '2026-1-1',
    '24:00:01',
    '23:59:60',
    '7:00:00',
    '10:00:00+5:00',
    '10:00:00+15:00',
    '10:00:00+02:00@Europe/Berlin',
    '10:00:00@Nowhere',
    '2026-01-01T',
    'P',
    'PT',
    'P1DT',
    'P1H',
    'P1Y1D',
    '1D',
    `P${'9'.repeat(40)}D`,
    '',
  ])('%s', (text) => {
    expect(lenient(`@"${text}"`)).toBe(null);
  });
});

describe('the clock', () => {
  test('is the moment and zone that the host gives', () => {
    expect(strict('now()')).toBe('2026-11-21T12:00:00Z');
    expect(strict('today()')).toBe('2026-11-21');
    expect(strict('now()', {}, { zone: '+05:30' })).toBe('2026-11-21T17:30:00+05:30');
    expect(strict('today()', {}, { zone: 'Pacific/Kiritimati' })).toBe('2026-11-22');
    expect(strict('now() = date and time("2026-11-21T12:00:00Z")', {}, { zone: 'Europe/Berlin', now: NOON })).toBe(
      true,
    );
  });
});

describe('the hours that daylight saving repeats and skips', () => {
  test.each<[string, unknown]>([
    ['(@"2020-10-25T00:30:00@Europe/Berlin" + @"PT3H") - @"2020-10-25T00:30:00@Europe/Berlin"', 'PT3H'],
    ['@"2020-10-25T02:30:00@Europe/Berlin" + @"PT1H" > @"2020-10-25T02:30:00@Europe/Berlin"', true],
    ['@"2020-10-25T02:30:00@Europe/Berlin" + @"PT1H" = @"2020-10-25T02:30:00@Europe/Berlin"', false],
    ['is(@"2020-10-25T02:30:00@Europe/Berlin" + @"PT1H", @"2020-10-25T02:30:00@Europe/Berlin")', false],
    ['@"2020-10-25T03:30:00@Europe/Berlin" - @"PT1H" = @"2020-10-25T01:30:00Z"', true],
    ['@"2020-10-25T02:30:00@Europe/Berlin" = @"2020-10-25T00:30:00Z"', true],
    ['@"2020-10-25T02:30:00@Europe/Berlin" + @"PT1H" + @"PT1H" = @"2020-10-25T02:30:00Z"', true],
    ['string(@"2020-10-25T02:30:00@Europe/Berlin" + @"PT1H")', '2020-10-25T02:30:00@Europe/Berlin'],
    [
      '[(@"2020-10-25T02:30:00@Europe/Berlin" + @"PT1H").time offset, @"2020-10-25T02:30:00@Europe/Berlin".time offset]',
      ['PT1H', 'PT2H'],
    ],
    ['@"2020-03-29T02:30:00@Europe/Berlin".hour', 3],
    ['@"2020-02-29T02:30:00@Europe/Berlin" + @"P1M"', '2020-03-29T03:30:00@Europe/Berlin'],
    ['date and time(@"2020-03-29", time("02:30:00@Europe/Berlin"))', '2020-03-29T03:30:00@Europe/Berlin'],
    ['@"2020-03-29T01:30:00@Europe/Berlin" + @"PT1H"', '2020-03-29T03:30:00@Europe/Berlin'],
  ])('%s gives %s', (expression, expected) => {
    expect(strict(expression)).toEqual(expected);
  });

  test('the moment of an evaluation is kept in the second of two equal hours', () => {
    const now = Date.UTC(2020, 9, 25, 1, 30);
    expect(strict('now() = @"2020-10-25T01:30:00Z"', {}, { now, zone: 'Europe/Berlin' })).toBe(true);
  });
});
