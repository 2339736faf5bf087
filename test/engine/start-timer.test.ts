/** Timers that start processes, at the edges of what a scheduler can count. */
import { describe, expect, it } from 'vitest';
import { isOver, planStartTimer, tickAfter } from '@perdure/engine/time/start-timer.js';

const DEPLOYED = Date.parse('2026-03-01T12:00:00Z');
const LATEST = Date.parse('2100-01-01T00:00:00Z');
const plan = (text: string) => planStartTimer('cycle', text, DEPLOYED);

it('a repetition that began before the deployment is counted from its next tick', () => {
  expect(plan('R/2020-01-01T09:00:00Z/P1D')).toEqual({
    ok: true,
    plan: { kind: 'every', intervalMs: 86_400_000, first: Date.parse('2026-03-02T09:00:00Z') },
  });
  expect(plan('R/0001-01-01T00:00:00Z/PT1S')).toMatchObject({ ok: true, plan: { first: DEPLOYED } });
});

it('a repetition whose second tick would come too late is a date', () => {
  expect(plan('R/2026-04-01T00:00:00Z/P9999999D')).toEqual({
    ok: true,
    plan: { kind: 'once', at: Date.parse('2026-04-01T00:00:00Z') },
  });
});

it.each([
  'R/2020-01-01T09:00:00Z/P9999999D',
  'R3/2020-01-01T09:00:00Z/P1D',
  'R2/2020-01-01T09:00:00Z/P20000D',
  'R1/0001-01-01T00:00:00Z/P9999999D',
])('%s has no tick after the deployment but those it is to have', (text) => {
  const planned = plan(text);
  if (!planned.ok) throw new Error(planned.expected);
  const { plan: found } = planned;
  if (text.startsWith('R2'))
    expect(found).toEqual({ kind: 'once', at: Date.parse('2020-01-01T09:00:00Z') + 20_000 * 86_400_000 });
  else expect(isOver(found, DEPLOYED)).toBe(true);
});

it.each([
  'R/0000-12-31T00:00:00Z/P1D',
  'R/0000-12-31T00:00:00Z/P1M',
  'R/P9999999D',
  'R/P999999Y',
  'R/PT0S',
  'R/-P1D',
  'R/2026-01-01T00:00:00Z/-P1Y',
  'R/2026-01-01T00:00:00Z/-PT9999999999S',
])('%s is refused', (text) => {
  expect(plan(text).ok).toBe(false);
});

it('the schedule of a start timer gives whole, finite instants that a scheduler can represent for every repetition it accepts', () => {
  const starts = [
    '',
    '0001-01-01T00:00:00Z/',
    '1969-12-31T23:59:59.999Z/',
    '2026-02-28T09:00:00+14:00/',
    '2096-02-29T00:00:00Z/',
    '9999-12-31T23:59:59Z/',
  ];
  const intervals = [
    'PT1S',
    'P1D',
    'P1M',
    'P4M',
    'P1Y',
    'P4Y',
    'P7Y',
    'P999999Y',
    'P999999W',
    'P9999999D',
    'PT99999999H',
    'PT9999999999S',
    'PT0.0001S',
    'PT1.5S',
  ];
  for (const count of ['', '1', '2', '999999999'])
    for (const start of starts)
      for (const interval of intervals) {
        const planned = plan(`R${count}/${start}${interval}`);
        if (!planned.ok || planned.plan.kind === 'cron') continue;
        const { plan: found } = planned;
        const instants =
          found.kind === 'once' ? [found.at] : [found.first, ...(found.last === undefined ? [] : [found.last])];
        for (const instant of instants)
          expect(Number.isSafeInteger(instant) && instant <= LATEST, `R${count}/${start}${interval}: ${instant}`).toBe(
            true,
          );
        if (found.kind === 'every')
          expect(found.intervalMs, `R${count}/${start}${interval}`).toBeLessThanOrEqual(LATEST - DEPLOYED);
      }
});

describe('the tick after an instant', () => {
  const at = (text: string, instant: string, type: 'cycle' | 'date' = 'cycle') => {
    const planned = planStartTimer(type, text, DEPLOYED);
    if (!planned.ok) throw new Error(planned.expected);
    const tick = tickAfter(planned.plan, Date.parse(instant));
    return tick === undefined ? undefined : new Date(tick).toISOString();
  };

  it.each([
    ['R/PT10M', '2026-03-01T12:00:00Z', '2026-03-01T12:10:00.000Z'],
    ['R/PT10M', '2026-03-01T12:10:00Z', '2026-03-01T12:20:00.000Z'],
    ['R2/PT10M', '2026-03-01T12:19:59Z', '2026-03-01T12:20:00.000Z'],
    ['R/2026-01-31T09:00:00Z/P1M', '2026-03-01T00:00:00Z', '2026-03-31T09:00:00.000Z'],
    ['R/2026-01-31T09:00:00Z/P1M', '2026-03-31T09:00:00Z', '2026-04-30T09:00:00.000Z'],
    ['R/2026-01-31T09:00:00Z/P1M', '2080-02-01T00:00:00Z', '2080-02-29T09:00:00.000Z'],
    ['R/2026-03-28T09:00:00[Europe/Berlin]/P1D', '2026-03-28T08:00:00Z', '2026-03-29T07:00:00.000Z'],
    ['0 0 9 * * MON-FRI', '2026-03-06T09:00:00Z', '2026-03-09T09:00:00.000Z'],
  ])('of %s after %s is %s', (text, instant, expected) => {
    expect(at(text, instant)).toBe(expected);
  });

  it('of a date is the date, once', () => {
    expect(at('2026-05-01T00:00:00Z', '2026-03-02T00:00:00Z', 'date')).toBe('2026-05-01T00:00:00.000Z');
    expect(at('2026-05-01T00:00:00Z', '2026-05-01T00:00:00Z', 'date')).toBeUndefined();
  });

  it('does not exist after the last repetition', () => {
    expect(at('R2/PT10M', '2026-03-01T12:20:00Z')).toBeUndefined();
    expect(at('R2/2026-01-31T09:00:00Z/P1M', '2026-03-01T00:00:00Z')).toBeUndefined();
  });
});
