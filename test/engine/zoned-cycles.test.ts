/** Cycles on the clock of a zone, compared with a search of the local times that `Intl` shows. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { instantOfTick, lastTickBy } from '@perdure/engine/time/cycle.js';
import { parsePeriod } from '@perdure/engine/time/iso8601.js';
import { planStartTimer, zonedTicks } from '@perdure/engine/time/start-timer.js';
import { boundaryEvent, endEvent, on, serviceTask } from '@perdure/testkit/models';
import { MemoryHost, type MemoryInstance } from '../../packages/testkit/memory-host.js';
import { simpleModel } from '../support/models.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'America/St_Johns', 'UTC'];

/** Local time at an instant, in epoch milliseconds as if it were UTC. */
const clocks = new Map(
  ZONES.map((zone) => {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    return [zone, (at: number) => Date.parse(`${format.format(at).replace(' ', 'T')}Z`)];
  }),
);

/** The earliest instant with the local time, searched in steps of half an hour; one that clocks skip moves forward. */
function searched(local: number, clock: (at: number) => number): number {
  const step = HOUR / 2;
  for (let at = local - 15 * HOUR; at <= local + 15 * HOUR; at += step) if (clock(at) === local) return at;
  for (let at = local - 15 * HOUR; ; at += step) if (clock(at) > local) return at + (local - clock(at - step)) - step;
}

/** The date `months` later, by walking month by month, with the day cut to the length of the last one. */
function monthsLater(local: number, months: number): number {
  const date = new Date(local);
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
  const length = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return first.getTime() + (Math.min(date.getUTCDate(), length) - 1) * DAY + (local % DAY);
}

it('a tick is the start plus n times the period, on the clock of its zone', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      fc.integer({ min: Date.UTC(2020, 0, 1) / (HOUR / 2), max: Date.UTC(2028, 0, 1) / (HOUR / 2) }),
      fc.record({ months: fc.integer({ min: 0, max: 14 }), days: fc.integer({ min: 0, max: 40 }), hours: fc.nat(30) }),
      fc.integer({ min: 1, max: 60 }),
      (zone, halfHours, { months, days, hours }, tick) => {
        const local = halfHours * (HOUR / 2);
        const period = parsePeriod(`P${months}M${days}DT${hours}H`)!;
        const moved = monthsLater(local, months * tick) + days * tick * DAY;
        expect(instantOfTick({ local, zone: `@${zone}`, tick }, period)).toBe(
          searched(moved, clocks.get(zone)!) + hours * tick * HOUR,
        );
      },
    ),
    { numRuns: 300 },
  );
});

it('the last due tick is the one before the first that is not due', () => {
  fc.assert(
    fc.property(fc.nat(40), fc.nat(2_000), fc.constantFrom('P1D', 'P1M', 'P1DT1S'), (most, days, interval) => {
      const from = { local: Date.UTC(2026, 0, 31, 2, 30), zone: '@Europe/Berlin', tick: 3 };
      const period = parsePeriod(interval)!;
      const now = instantOfTick(from, period)! + days * HOUR * 7;
      let { tick } = from;
      while (tick - from.tick < most && instantOfTick({ ...from, tick: tick + 1 }, period)! <= now) tick += 1;
      expect(lastTickBy(from, period, now, most).tick).toBe(tick);
    }),
  );
});

it('no tick is later than the year 9999', () => {
  const from = { local: Date.UTC(9999, 10, 30), zone: '@Europe/Berlin', tick: 1 };
  expect(instantOfTick(from, parsePeriod('P1M')!)).toBe(Date.UTC(9999, 11, 29, 23));
  expect(instantOfTick({ ...from, tick: 2 }, parsePeriod('P1M')!)).toBeUndefined();
  expect(instantOfTick({ ...from, tick: 999_999_999 }, parsePeriod('P999999Y')!)).toBeUndefined();
});

const beside = (cycle: string) =>
  simpleModel(
    [
      serviceTask('work'),
      boundaryEvent('tick', 'work', on.cycle(cycle), { interrupting: false }),
      endEvent('e'),
      endEvent('ticked'),
    ],
    ['a: s -> work', 'b: work -> e', 'c: tick -> ticked'],
  );
const due = (host: MemoryHost, instance: MemoryInstance) =>
  new Date(host.wait(instance, 'timer', 'tick').due).toISOString();

/** The due times of the first ticks of a boundary event. */
async function ticks(cycle: string, count: number, flags?: [], now?: string): Promise<string[]> {
  const host = await MemoryHost.deploy(beside(cycle));
  if (now !== undefined) host.now = Date.parse(now);
  const instance = host.start('p', {}, flags && { flags });
  const found: string[] = [];
  while (found.length < count) {
    found.push(due(host, instance));
    host.advance(host.wait(instance, 'timer', 'tick').due - host.now);
  }
  return found;
}

describe('a cycle of a boundary event', () => {
  it('follows the clock of its zone', async () => {
    expect(await ticks('R/2026-03-27T02:30[Europe/Berlin]/P1D', 4)).toEqual([
      '2026-03-27T01:30:00.000Z',
      '2026-03-28T01:30:00.000Z',
      '2026-03-29T01:30:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
  });

  it('starts at the instant of its offset, and then follows the clock of its zone', async () => {
    expect(await ticks('R/2026-10-25T02:30:00+01:00[Europe/Berlin]/P1D', 2)).toEqual([
      '2026-10-25T01:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
  });

  it('has a tick on the last day of each month, unless an earlier build has started the instance', async () => {
    const days = async (flags?: []) =>
      (await ticks('R/2026-01-31T09:00:00Z/P1M', 4, flags)).map((at) => at.slice(5, 10));
    expect(await days()).toEqual(['01-31', '02-28', '03-31', '04-30']);
    expect(await days([])).toEqual(['01-31', '02-28', '03-28', '04-28']);
  });

  it('fires once when clocks skip a day, which counts among its repetitions', async () => {
    const cycle = 'R4/2011-12-29T09:00[Pacific/Apia]/P1D';
    expect(await ticks(cycle, 3, undefined, '2011-12-28T00:00:00Z')).toEqual([
      '2011-12-29T19:00:00.000Z',
      '2011-12-30T19:00:00.000Z',
      '2011-12-31T19:00:00.000Z',
    ]);
    const host = await MemoryHost.deploy(beside(cycle));
    host.now = Date.parse('2011-12-28T00:00:00Z');
    const instance = host.start('p');
    host.advance(30 * DAY);
    expect(host.completed(instance).filter((node) => node === 'ticked')).toHaveLength(3);
  });

  it('continues with the tick of its schedule after a pause in which it missed ticks', async () => {
    const host = await MemoryHost.deploy(beside('R9/2026-01-31T09:00:00[Europe/Berlin]/P1M'));
    const instance = host.start('p');
    host.advance(Date.parse('2026-02-10T00:00:00Z') - host.now);
    host.suspend(instance);
    host.advance(Date.parse('2026-05-10T00:00:00Z') - host.now);
    host.resume(instance);
    expect(due(host, instance)).toBe('2026-05-31T07:00:00.000Z');
    expect(host.wait(instance, 'timer', 'tick')).toMatchObject({ remaining: 5, calendar: { tick: 4 } });
  });
});

it.each(['R/2026-01-31T09:00:00[Nowhere/City]/P1D', 'R/2026-01-31T09:00:00+01:00[Nowhere/City]/P1D'])(
  'the cycle %s is refused because its zone is unknown',
  async (cycle) => {
    const { problems } = await compile(beside(cycle));
    expect(problems.map(({ message }) => message)).toContainEqual(expect.stringContaining('a known zone'));
    expect(planStartTimer('cycle', cycle, 0)).toMatchObject({
      ok: false,
      expected: expect.stringContaining('known zone'),
    });
  },
);

it('a timer that starts a process has the ticks of its zone', () => {
  const planned = planStartTimer('cycle', 'R3/2026-01-31T09:00:00[Europe/Berlin]/P1M', 0);
  if (!planned.ok || planned.plan.kind !== 'zoned') throw new Error(JSON.stringify(planned));
  const of = (from: string, most: number) =>
    zonedTicks(planned.plan as never, Date.parse(from), most).map((at) => new Date(at).toISOString());
  const all = ['2026-01-31T08:00:00.000Z', '2026-02-28T08:00:00.000Z', '2026-03-31T07:00:00.000Z'];
  expect(of('2020-01-01T00:00:00Z', 10)).toEqual(all);
  expect(of('2026-02-28T08:00:00Z', 1)).toEqual(all.slice(1, 2));
  expect(of('2026-02-28T08:00:01Z', 10)).toEqual(all.slice(2));
});

it.each([
  ['R4/2026-01-31T09:00:00Z/P5M', ['2026-01-31T09', '2026-06-30T09', '2026-11-30T09', '2027-04-30T09']],
  ['R3/P7M', ['2026-08-31T12', '2027-03-31T12', '2027-10-31T12']],
  ['R2/2026-01-31T09:00:00Z/P1M10D', ['2026-01-31T09', '2026-03-10T09']],
])('a timer that starts a process in UTC has the ticks of %s', (cycle, expected) => {
  const planned = planStartTimer('cycle', cycle, Date.parse('2026-01-31T12:00:00Z'));
  if (!planned.ok || planned.plan.kind !== 'zoned') throw new Error(JSON.stringify(planned));
  const found = zonedTicks(planned.plan, 0, 10).map((at) => new Date(at).toISOString());
  expect(found).toEqual(expected.map((hour) => `${hour}:00:00.000Z`));
  expect(planned.plan.last).toBe(Date.parse(found.at(-1)!));
});

it('a monthly timer that starts a process on the 31st, counted from its deployment, has the day of each month end', () => {
  const deployed = Date.parse('2026-01-31T12:00:00Z');
  expect(planStartTimer('cycle', 'R3/P1M', deployed)).toEqual({
    ok: true,
    plan: {
      kind: 'monthly',
      months: 1,
      start: deployed,
      first: Date.parse('2026-02-28T12:00:00Z'),
      last: Date.parse('2026-04-30T12:00:00Z'),
    },
  });
});
