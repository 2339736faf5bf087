import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextTick, parseCron } from '@perdure/engine/time/cron.js';
import { fromQuartz } from '@perdure/lib/quartz-cron.js';

const translated = (text: string) => {
  const cron = fromQuartz(text);
  return cron?.kind === 'cron' ? cron.text : cron;
};

describe('a cron expression of Quartz', () => {
  it.each([
    ['0 0 9 ? * 2-6', '0 0 9 ? * MON-FRI'],
    ['0 0 9 ? * 1', '0 0 9 ? * SUN'],
    ['0 0 9 ? * 7', '0 0 9 ? * SAT'],
    ['0 0 9 ? * 2,4,6', '0 0 9 ? * MON,WED,FRI'],
    ['0 0 9 ? * 2/2', '0 0 9 ? * MON,WED,FRI'],
    ['0 0 9 ? * 1-5/2', '0 0 9 ? * SUN,TUE,THU'],
    ['0 0 9 ? * 6-2', '0 0 9 ? * FRI-SAT,SUN-MON'],
    ['0 0 9 ? * 7-1', '0 0 9 ? * SAT,SUN'],
    ['0 0 9 ? * FRI-MON', '0 0 9 ? * FRI-SAT,SUN-MON'],
    ['0 0 9 ? * MON-FRI', '0 0 9 ? * MON-FRI'],
    ['0 0 9 ? * mon', '0 0 9 ? * mon'],
    ['0 15 16 ? * * *', '0 15 16 ? * *'],
    ['0 0 22-2 * * ?', '0 0 22-23,0-2 * * ?'],
    ['0 0 22-4/2 * * ?', '0 0 22-23/2,0-4/2 * * ?'],
    ['0 0 0 30-2 NOV-FEB ?', '0 0 0 30-31,1-2 11-12,1-2 ?'],
    ['0 /15 * * * ?', '0 */15 * * * ?'],
    ['@daily', '@daily'],
  ])('%s is %s', (quartz, own) => {
    expect(translated(quartz)).toBe(own);
    expect(parseCron(own)).toBeDefined();
    expect(translated(own)).toBe(own);
  });

  it.each([
    ['0 0 9 ? * 2 2030', '"2030"'],
    ['0 0 9 ? * 2 2030-2032', '"2030-2032"'],
    ['0 0 9 L * ?', '"L" of the day of month'],
    ['0 0 9 LW * ?', '"LW" of the day of month'],
    ['0 0 9 L-3 * ?', '"L-3" of the day of month'],
    ['0 0 9 1,15W * ?', '"15W" of the day of month'],
    ['0 0 9 ? * 6L', '"6L" of the day of week'],
    ['0 0 9 ? * WEDL', '"WEDL" of the day of week'],
    ['0 0 9 ? * 2,6#3', '"6#3" of the day of week'],
    ['0 0 9 ? * 0', '"0" of the day of week'],
    ['0 0 9 ? * 2-8', '"2-8" of the day of week'],
    ['0 0 9 ? * MON/2', '"MON/2" of the day of week'],
    ['0 0 9 ? * 2/0', '"2/0" of the day of week'],
    ['0 0 9 1 JAN/3 ?', '"JAN/3" of the month'],
  ])('%s is refused, and the reason names the part', (quartz, part) => {
    expect(fromQuartz(quartz)).toMatchObject({ kind: 'refused', reason: expect.stringContaining(part) });
  });

  it.each(['R3/PT10M', 'PT5M', '', '0 0 9 * *', '0 0 9 ? * 2 * *'])('%j is none', (text) =>
    expect(fromQuartz(text)).toBeUndefined(),
  );

  it.each([
    ['0 0/5 * * * ?', false],
    ['0 0 * ? * *', false],
    ['@hourly', false],
    ['@daily', true],
    ['0 0 9 * * ?', true],
    ['0 0 */2 * * ?', true],
    ['0 0 * ? * MON', true],
  ])('%s depends on the zone: %s', (text, zoned) => expect(fromQuartz(text)).toMatchObject({ zoned }));
});

/** The days of one field, read the way Quartz reads it: 1 is Sunday, and a range may pass Saturday. */
function quartzDays(field: string): Set<number> {
  const names = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
  const number = (text: string) => (names.includes(text) ? names.indexOf(text) + 1 : Number(text));
  const days = new Set<number>();
  for (const part of field.split(',')) {
    const [values = '', step = '1'] = part.split('/');
    const [start = '', end] = values.split('-');
    const from = start === '*' || start === '?' ? 1 : number(start);
    let to = end !== undefined ? number(end) : start === '*' || start === '?' || part.includes('/') ? 7 : from;
    if (to < from) to += 7;
    for (let day = from; day <= to; day += Number(step)) days.add(((day - 1) % 7) + 1);
  }
  return days;
}

it('a translated cron expression comes on the days of Quartz, whatever its weekdays', () => {
  const day = fc.integer({ min: 1, max: 7 });
  const name = fc.constantFrom('SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT');
  const step = fc.integer({ min: 1, max: 7 });
  const part = fc.oneof(
    day.map(String),
    name,
    fc.constant('*'),
    fc.tuple(day, day).map(([from, to]) => `${from}-${to}`),
    fc.tuple(name, name).map(([from, to]) => `${from}-${to}`),
    fc.tuple(day, step).map(([from, every]) => `${from}/${every}`),
    step.map((every) => `*/${every}`),
    fc.tuple(day, day, step).map(([from, to, every]) => `${from}-${to}/${every}`),
  );
  const from = Date.UTC(2026, 0, 1) - 1;
  const until = Date.UTC(2029, 0, 1);
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
      const field = parts.join(',');
      const cron = parseCron(translated(`0 0 12 ? * ${field}`) as string)!;
      const expected = quartzDays(field);
      const found: number[] = [];
      for (let at = nextTick(cron, from)!; at < until; at = nextTick(cron, at)!) found.push(at);
      const wanted: number[] = [];
      for (let at = Date.UTC(2026, 0, 1, 12); at < until; at += 86_400_000)
        if (expected.has(new Date(at).getUTCDay() + 1)) wanted.push(at);
      expect(found, field).toEqual(wanted);
    }),
  );
});

it('a translated cron expression comes at the hours of Quartz, whatever range passes midnight', () => {
  const hour = fc.integer({ min: 0, max: 23 });
  fc.assert(
    fc.property(hour, hour, fc.integer({ min: 1, max: 23 }), (from, to, step) => {
      const wanted = new Set<number>();
      for (let at = from; at <= (to < from ? to + 24 : to); at += step) wanted.add(at % 24);
      const cron = parseCron(translated(`0 0 ${from}-${to}/${step} * * ?`) as string)!;
      expect(cron.hour).toEqual([...wanted].toSorted((a, b) => a - b));
    }),
  );
});

it('a translated cron expression is translated or refused, whatever is written', () => {
  const text = fc.array(fc.constantFrom(...'0123456789*?/,-#LWC SUNMO@ '), { maxLength: 60 }).map((c) => c.join(''));
  fc.assert(fc.property(text, (given) => void fromQuartz(given)));
});
