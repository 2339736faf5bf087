import { describe, expect, it } from 'vitest';
import {
  axisOf,
  barOf,
  incidentsByElement,
  nest,
  placeOf,
  ticksOf,
  type Activity,
  type Nested,
} from '../../console/screens/instance/tabs/waterfall/layout.js';
import { sayBar } from '../../console/screens/instance/tabs/waterfall/words.js';
import { durationIncrements } from '../../console/features/statistics/increments.js';

const start = Date.parse('2026-05-31T10:00:00Z');
const at = (seconds: number) => new Date(start + seconds * 1_000).toISOString();
const axis = axisOf(start, start + 100_000, start + 500_000);

function activity(elementInstanceID: string, scopeID: string, more: Partial<Activity> = {}): Activity {
  return { elementInstanceID, scopeID, startTime: at(0), ...more };
}

describe('the waterfall of an instance', () => {
  const shape = (nested: readonly Nested<Activity>[]): unknown[] =>
    nested.map(({ activity: { elementInstanceID }, inner }) => [elementInstanceID, ...shape(inner)]);

  it('nests element instances by their scopes, in the order in which they started', () => {
    const activities = [
      activity('2', '1'),
      activity('3', '1'),
      activity('4', '3'),
      activity('5', '4'),
      activity('6', '1'),
      activity('7', '3'),
    ];
    expect(shape(nest(activities))).toEqual([['2'], ['3', ['4', ['5']], ['7']], ['6']]);
  });

  it('shows an element instance whose scope is unknown at the top', () => {
    expect(shape(nest([activity('9', '8'), activity('10', '9')]))).toEqual([['9', ['10']]]);
  });

  it('has one bar for what is not work, in percent of the axis', () => {
    const { segments, isOpen, lengthMs } = barOf(activity('2', '1', { startTime: at(25), endTime: at(75) }), axis);
    expect(segments).toEqual([{ phase: 'active', left: 25, width: 50, lengthMs: 50_000 }]);
    expect([isOpen, lengthMs]).toEqual([false, 50_000]);
  });

  it('divides work into waiting and working', () => {
    const job = activity('2', '1', { executionKey: 'k', startTime: at(10), workStartedAt: at(40), endTime: at(60) });
    expect(barOf(job, axis).segments).toEqual([
      { phase: 'waiting', left: 10, width: 30, lengthMs: 30_000 },
      { phase: 'working', left: 40, width: 20, lengthMs: 20_000 },
    ]);
  });

  it('shows work that has not begun as waiting, up to now while it is open', () => {
    const job = activity('2', '1', { executionKey: 'k', startTime: at(90) });
    expect(barOf(job, axis)).toEqual({
      segments: [{ phase: 'waiting', left: 90, width: 10, lengthMs: 10_000 }],
      isOpen: true,
      lengthMs: 10_000,
    });
  });

  it('has no negative lengths where clocks differ', () => {
    const job = activity('2', '1', { executionKey: 'k', startTime: at(10), workStartedAt: at(9), endTime: at(20) });
    expect(barOf(job, axis).segments.map(({ lengthMs }) => lengthMs)).toEqual([0, 10_000]);
    const later = barOf(activity('3', '1', { startTime: at(120) }), axis);
    expect(later).toMatchObject({ lengthMs: 0, segments: [{ left: 100, width: 0 }] });
  });

  it('cuts off what is outside of the axis', () => {
    expect(placeOf(axis, start - 5_000, start + 200_000)).toEqual({ left: 0, width: 100 });
  });

  it('ends now while the instance runs, and is never empty', () => {
    expect(axisOf(start, undefined, start + 5_000)).toEqual({ startMs: start, endMs: start + 5_000 });
    expect(axisOf(start, start, start)).toEqual({ startMs: start, endMs: start + 1 });
    expect(axisOf(start, undefined, start - 60_000)).toEqual({ startMs: start, endMs: start + 1 });
  });

  it.each([
    [1, [0]],
    [100, [0, 20, 40, 60, 80, 100]],
    [45_000, [0, 10_000, 20_000, 30_000, 40_000]],
    [86_400_000, [0, 21_600_000, 43_200_000, 64_800_000, 86_400_000]],
  ])('has round distances on an axis of %i ms', (length, offsets) => {
    const ticks = ticksOf({ startMs: 0, endMs: length }, durationIncrements, 5);
    expect(ticks.map(({ offsetMs }) => offsetMs).slice(0, offsets.length)).toEqual(offsets);
    expect(ticks.length).toBeLessThanOrEqual(6);
    for (const { left } of ticks) expect(left).toBeLessThanOrEqual(100);
  });

  it('has few distances on an axis of ten years', () => {
    expect(ticksOf({ startMs: 0, endMs: 3_650 * 86_400_000 }, durationIncrements, 5).length).toBeLessThanOrEqual(6);
  });

  it('finds incidents by their element instances', () => {
    const [first, second] = [at(1), at(2)].map((raisedAt) => ({ elementInstanceID: '4', raisedAt }));
    expect(incidentsByElement([first!, second!]).get('4')).toEqual([first, second]);
  });
});

describe('a bar in words', () => {
  it('says when it started, how long it waited and was worked on, and how it ended', () => {
    const job = activity('2', '1', { executionKey: 'k', startTime: at(10), workStartedAt: at(40), endTime: at(60) });
    expect(sayBar({ ...job, status: 'Completed' }, barOf(job, axis), axis, [])).toBe(
      'Started after 10 s, waited 30 s, worked 20 s. Completed.',
    );
  });

  it('names incidents, and what still runs', () => {
    const call = activity('2', '1', { startTime: at(0) });
    const incidents = [
      { elementInstanceID: '2', raisedAt: at(10), resolvedAt: at(20) },
      { elementInstanceID: '2', raisedAt: at(30) },
    ];
    expect(sayBar({ ...call, status: 'Started' }, barOf(call, axis), axis, incidents)).toBe(
      'Started after 0 ms, took 1 min 40 s. Still running. Incident raised after 10 s, resolved after 20 s. ' +
        'Open incident, raised after 30 s.',
    );
  });
});
