import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nextTick, parseCron, type Cron } from '@perdure/engine/time/cron.js';

const next = (text: string, after: string) => new Date(nextTick(parseCron(text)!, Date.parse(after))!).toISOString();

it.each([
  ['0 0 9 * * MON-FRI', '2026-11-20T09:00:00Z', '2026-11-23T09:00:00.000Z'],
  ['*/15 * * * * *', '2026-11-21T23:59:50Z', '2026-11-22T00:00:00.000Z'],
  ['0 0 0 29 2 ?', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ['0 30 8 ? * 7', '2026-11-21T00:00:00Z', '2026-11-22T08:30:00.000Z'],
  ['0 0 12 1 JAN,JUL *', '2026-03-01T00:00:00Z', '2026-07-01T12:00:00.000Z'],
  ['@hourly', '2026-11-21T10:00:00Z', '2026-11-21T11:00:00.000Z'],
  ['5/20 0 0 1 1 *', '2026-12-31T23:59:59.999Z', '2027-01-01T00:00:05.000Z'],
])('%s after %s comes at %s', (text, after, expected) => expect(next(text, after)).toBe(expected));

it.each([
  '',
  '* * * * *',
  '0 0 9 * * * 2026',
  '60 * * * * *',
  '0 0 24 * * *',
  '0 0 0 32 * *',
  '0 0 0 30 2 *',
  '0 0 0 L * *',
  '0 0 0 * * MON#2',
  '0 0 0 15W * *',
  '0 0 5-3 * * *',
  '0 */0 * * * *',
  '@reboot',
  '0 ? * * * *',
  '- - - - - -',
  `${'0,'.repeat(200)}0 * * * * *`,
])('the cron parser refuses %s', (text) => expect(parseCron(text)).toBeUndefined());

it('the next tick of a cron schedule is the first second with only allowed fields', () => {
  const some = (first: number, last: number) =>
    fc
      .uniqueArray(fc.integer({ min: first, max: last }), { minLength: 1, maxLength: 3 })
      .map((list) => list.toSorted((a, b) => a - b));
  const crons = fc.record<Cron>({
    second: some(0, 59),
    minute: some(0, 59),
    hour: some(0, 23),
    dayOfMonth: some(1, 28),
    month: some(1, 12),
    dayOfWeek: some(0, 6),
  });
  const fits = (cron: Cron, at: Date) =>
    cron.second.includes(at.getUTCSeconds()) &&
    cron.minute.includes(at.getUTCMinutes()) &&
    cron.hour.includes(at.getUTCHours()) &&
    cron.dayOfMonth.includes(at.getUTCDate()) &&
    cron.month.includes(at.getUTCMonth() + 1) &&
    cron.dayOfWeek.includes(at.getUTCDay());
  fc.assert(
    fc.property(
      crons,
      fc.integer({ min: 0, max: Date.UTC(2090, 0, 1) }),
      fc.integer({ min: 1, max: 400_000 }),
      (cron, after, back) => {
        const tick = nextTick(cron, after)!;
        expect(tick > after && fits(cron, new Date(tick))).toBe(true);
        // Whatever lies between, tried where the answer would be wrong first: just before it, and just after the beginning.
        for (const between of [tick - 1000 * back, Math.ceil((after + 1) / 1000) * 1000 + 1000 * back]) {
          if (between > after && between < tick) expect(fits(cron, new Date(between))).toBe(false);
        }
      },
    ),
  );
});
