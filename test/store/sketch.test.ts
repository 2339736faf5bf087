import { describe, expect, it } from 'vitest';
import { Sketch } from '../../store/statistics/sketch.js';
import { DAY, HOUR, partsOf, readsOf, stepsOf } from '../../store/statistics/range.js';

describe('a sketch', () => {
  it('is within 5 % of any single duration, from one millisecond to years', () => {
    const durations = [
      ...Array.from({ length: 5_000 }, (_, index) => index),
      ...Array.from({ length: 400 }, (_, index) => Math.round(1.07 ** index)),
    ];
    for (const duration of durations.filter((one) => one < 400 * 365 * DAY))
      expect(Math.abs(new Sketch().add(duration).quantile(0.5)! - duration), `${duration} ms`).toBeLessThanOrEqual(
        0.05 * duration,
      );
  });

  it('is empty, and has no quantiles, without durations', () => {
    expect(new Sketch().isEmpty()).toBe(true);
    expect(new Sketch().quantile(0.5)).toBeUndefined();
    expect(Sketch.decode(new Sketch().encode()).isEmpty()).toBe(true);
  });

  it('merges by addition, also after it was stored, and with counts beyond 32 bits', () => {
    const merged = new Sketch();
    for (let doubled = 0; doubled < 36; doubled += 1)
      merged.merge(doubled === 0 ? new Sketch().add(5) : Sketch.decode(merged.encode()));
    merged.add(100_000);
    const stored = Sketch.decode(merged.encode());
    expect(stored.encode()).toEqual(merged.encode());
    expect(stored.quantile(0.99)).toBe(5);
    expect(Math.abs(stored.quantile(1)! - 100_000)).toBeLessThan(5_000);
  });

  it('is the sum of several with separators between them', () => {
    const several = [[0, 5, 900_000], [0], [5, 7, 300 * DAY], []].map((durations) =>
      durations.reduce((sketch, duration) => sketch.add(duration), new Sketch()),
    );
    const bytes = several.map((one) => one.encode()).reduce((all, one) => Buffer.from([...all, 0, 0, ...one]));
    const merged = several.reduce((sum, one) => sum.merge(one), new Sketch());
    expect(Sketch.decode(bytes).encode()).toEqual(merged.encode());
  });
});

describe('a range', () => {
  const since = Date.parse('2026-03-04T05:00:00Z');

  it('is read as full days with the hours around them', () => {
    const until = since + 2 * DAY + 3 * HOUR;
    const midnight = Date.parse('2026-03-05T00:00:00Z');
    expect(partsOf({ since, until })).toEqual([
      { unit: 'hour', since, until: midnight },
      { unit: 'day', since: midnight, until: midnight + DAY },
      { unit: 'hour', since: midnight + DAY, until },
    ]);
    expect(partsOf({ since, until: since + HOUR })).toEqual([{ unit: 'hour', since, until: since + HOUR }]);
  });

  it('of a year is read in parts of about a month, without a gap', () => {
    const [, days] = partsOf({ since, until: since + 400 * DAY });
    const reads = readsOf(days!);
    expect(reads).toHaveLength(13);
    expect(Math.max(...reads.map((read) => read.until - read.since))).toBe(32 * DAY);
    expect(reads.map((read) => read.since).slice(1)).toEqual(reads.map((read) => read.until).slice(0, -1));
    expect([reads[0]!.since, reads.at(-1)!.until]).toEqual([days!.since, days!.until]);
  });

  it('has a shorter first step if it begins within a day', () => {
    expect(stepsOf({ since, until: since + DAY }, 'day')).toEqual([since, Date.parse('2026-03-05T00:00:00Z')]);
    expect(stepsOf({ since, until: since + 3 * HOUR }, 'hour')).toHaveLength(3);
  });
});
