/** Dates of timers in named zones, compared with the local time that `Intl` shows for the instant. */
import { describe, expect, it } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { planStartTimer } from '@perdure/engine/time/start-timer.js';
import { parseKnownZonedInstant, parseZonedInstant } from '@perdure/engine/time/zoned.js';
import { catchEvent, endEvent, on } from '@perdure/testkit/models';
import { MemoryHost } from '../../packages/testkit/memory-host.js';
import { simpleModel } from '../support/models.js';

const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'America/St_Johns', 'UTC'];
const STEP_MS = 1_800_000;
const instant = (text: string) => new Date(parseZonedInstant(text)!).toISOString();
const waiting = (date: string) =>
  simpleModel([catchEvent('later', on.date(date)), endEvent('e')], ['a: s -> later', 'b: later -> e']);

/** `2026-03-29T02:30:00` for an instant. */
function localClock(zone: string): (instant: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  return (at) => format.format(at).replace(' ', 'T');
}

it.each(ZONES.map((zone, index) => [zone, 2026 + (index % 2)] as const))(
  'the earliest instant at which clocks in %s show the time is the due time',
  (zone, year) => {
    const clock = localClock(zone);
    const seen = new Map<string, number>();
    for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += STEP_MS) {
      const local = clock(at);
      if (!seen.has(local)) seen.set(local, at);
    }
    const wrong = [...seen].filter(([local, at]) => parseZonedInstant(`${local}@${zone}`) !== at);
    expect(wrong).toEqual([]);
  },
);

describe('a change of clocks', () => {
  it('moves a time that it skips forward', () => {
    expect(instant('2026-03-29T02:30:00[Europe/Berlin]')).toBe('2026-03-29T01:30:00.000Z');
    expect(instant('2026-10-04T02:15:00@Australia/Lord_Howe')).toBe('2026-10-03T15:45:00.000Z');
  });

  it('gives a time that occurs twice its earlier instant', () => {
    expect(instant('2026-10-25T02:30[Europe/Berlin]')).toBe('2026-10-25T00:30:00.000Z');
  });
});

it.each([
  '2026-01-31T09:00:00@Nowhere/City',
  '2026-01-31T09:00:00[Nowhere/City]',
  '2026-01-31T09:00:00+01:00[Nowhere/City]',
  '2026-02-30T09:00:00[Europe/Berlin]',
  '2026-01-31T09:00:00[]',
  '2026-01-31T09:00:00[Europe/Berlin][Europe/Paris]',
  '-0001-01-31T09:00:00@Europe/Berlin',
  '2026-01-31T09:00:00',
  `2026-01-31T09:00:00[${'A'.repeat(100_000)}]`,
])('%.60s is not a date of a timer', async (date) => {
  expect(parseKnownZonedInstant(date)).toBeUndefined();
  expect(planStartTimer('date', date, 0).ok).toBe(false);
  const { problems } = await compile(waiting(date));
  expect(problems.filter(({ severity }) => severity === 'error')).not.toEqual([]);
});

describe('a timer whose expression returns a date in a named zone', () => {
  const model = waiting('=date and time(when)');

  it('is due at that time of its zone', async () => {
    const host = await MemoryHost.deploy(model);
    const instance = host.start('p', { when: '2030-03-01T10:00:00@Europe/Berlin' });
    expect(host.wait(instance, 'timer', 'later').due).toBe(Date.parse('2030-03-01T09:00:00Z'));
  });

  it('fails as before in an instance that a build without named zones has started', async () => {
    const host = await MemoryHost.deploy(model);
    const instance = host.start('p', { when: '2030-03-01T10:00:00@Europe/Berlin' }, { flags: [] });
    expect(JSON.stringify(host.facts(instance))).toContain(
      'must be an ISO 8601 date and time with a zone, such as 2026-01-31T09:00:00Z, but its expression',
    );
  });

  it.each(['@Nowhere/City', '+01:00[Nowhere/City]'])('fails if the zone of %s is unknown', async (zone) => {
    const host = await MemoryHost.deploy(waiting('=when'));
    const instance = host.start('p', { when: `2030-03-01T10:00:00${zone}` });
    expect(JSON.stringify(host.facts(instance))).toContain('INVALID_TIMER');
  });
});

it('a timer that starts a process takes a date in a named zone', () => {
  expect(planStartTimer('date', '2026-07-01T09:00:00[Europe/Berlin]', 0)).toEqual({
    ok: true,
    plan: { kind: 'once', at: Date.parse('2026-07-01T07:00:00Z') },
  });
});
