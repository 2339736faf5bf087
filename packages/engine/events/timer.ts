/**
 * Timers: BPMN 2.0.2 section 10.5.5.1. A date, a duration or a cycle, each a FEEL expression or ISO 8601 text. The due
 * time is computed once, when the timer starts.
 */
import { failed } from '../failure.js';
import { value } from '../feel.js';
import type { Expression } from '../model/graph.js';
import { nextID, record } from '../run.js';
import { dueAfter, lastTick, type TimerPlan } from '../behaviors/waiting/timer-ticks.js';
import { parseCron } from '../time/cron.js';
import { isEnabled } from '../state/flags.js';
import type { State } from '../state/state.js';
import { followsCalendar, parseZonedCycle } from '../time/cycle.js';
import { addDuration, LATEST_INSTANT, parseCycle, parseDuration, parseInstant, parsePeriod } from '../time/iso8601.js';
import { parseKnownZonedInstant, parseZonedInstant, type CycleStart } from '../time/zoned.js';
import type { TriggerBehavior } from './trigger.js';

export interface TimerTrigger {
  kind: 'timer';
  at: 'date' | 'duration' | 'cycle';
  expression: Expression;
}

const FORMS = [
  ['timeDate', 'date'],
  ['timeDuration', 'duration'],
  ['timeCycle', 'cycle'],
] as const;

export const timer: TriggerBehavior<TimerTrigger> = {
  compile(definition, compiler, event) {
    const given = FORMS.flatMap(([child, at]) => definition.children(child).map((source) => ({ at, source })));
    const [first] = given;
    if (!first || given.length > 1) {
      compiler.problem(
        'error',
        event,
        `A timer needs exactly one of timeDate, timeDuration and timeCycle, but has ${given.length}`,
      );
      return undefined;
    }
    const { at, source } = first;
    if (at === 'cycle' && event.type === 'intermediateCatchEvent') {
      compiler.problem(
        'error',
        event,
        'An intermediate timer event fires once. Use timeDate or timeDuration instead of timeCycle.',
      );
    }
    const text = at === 'cycle' ? compiler.cycle(event, source.text) : source.text;
    if (text === undefined) return undefined;
    const expression = compiler.expression(event, text, `timer ${at}`);
    checkLiteral(at, expression, (message) => compiler.problem('error', event, message));
    return { kind: 'timer', at, expression };
  },

  listen(run, element, node, trigger) {
    const given = value(run, element, trigger.expression, `timer ${trigger.at} of ${node.id}`);
    if (!given.ok) return failed({ ...given.failure, errorType: 'TimerResolution' });
    const reader = readerOf(run.state);
    const plan = planOf(trigger.at, given.value, run.now, reader);
    if (!plan) {
      return failed({
        errorType: 'TimerResolution',
        errorCode: 'INVALID_TIMER',
        message: `The timer ${trigger.at} of ${node.id} must be ${expectedOf(trigger.at, reader)}, but its expression returned something else. Correct the variables it uses, then resolve this incident.`,
      });
    }
    if (plan.due > LATEST_INSTANT) {
      return failed({
        errorType: 'TimerResolution',
        errorCode: 'TIMER_TOO_LATE',
        message: `The timer ${trigger.at} of ${node.id} must be due before the year 10000. Correct the variables it uses, then resolve this incident.`,
      });
    }
    // Ticks before the start of the timer count as missed, like those of a pause.
    const missed = lastTick(plan, run.now);
    record(run, { kind: 'TIMER_STARTED', timer: nextID(run), element: element.id, node: node.id, ...plan, ...missed });
    return { ok: true, value: undefined };
  },
};

/** How instances with the same flags read timers. */
interface Reader {
  date(text: string): number | undefined;
  cycle(text: string, now: number): TimerPlan | undefined;
  /** Parts of the messages for other values. */
  expected: { date: string; cycle: string };
}

const CURRENT: Reader = {
  date: parseKnownZonedInstant,
  cycle: planCycle,
  expected: {
    date: 'an ISO 8601 date and time with a known zone, such as 2026-01-31T09:00:00Z or 2026-01-31T09:00:00[Europe/Berlin]',
    cycle:
      'an ISO 8601 repetition with an interval longer than zero, such as R3/PT10M or R/2026-01-31T09:00:00[Europe/Berlin]/P1D (a start needs an offset or a known zone), or a cron expression of six fields, such as 0 0 9 * * MON-FRI',
  },
};

/** Of instances without the flag `cyclesCountFromTheirStart`, whose recorded incidents contain these texts. */
const CYCLES_IN_UTC: Reader = {
  date: parseZonedInstant,
  cycle: planCycleInUtc,
  expected: {
    date: CURRENT.expected.date,
    cycle:
      'an ISO 8601 repetition with an interval longer than zero, such as R3/PT10M, or a cron expression of six fields, such as 0 0 9 * * MON-FRI',
  },
};

/** Of instances without the flag `timersInNamedZones`, whose recorded incidents contain these texts. */
const DATES_WITH_OFFSET: Reader = {
  date: parseInstant,
  cycle: planCycleInUtc,
  expected: {
    date: 'an ISO 8601 date and time with a zone, such as 2026-01-31T09:00:00Z',
    cycle: CYCLES_IN_UTC.expected.cycle,
  },
};

function readerOf(state: State): Reader {
  if (isEnabled(state, 'cyclesCountFromTheirStart')) return CURRENT;
  return isEnabled(state, 'timersInNamedZones') ? CYCLES_IN_UTC : DATES_WITH_OFFSET;
}

function expectedOf(at: TimerTrigger['at'], { expected }: Reader): string {
  return at === 'duration' ? 'an ISO 8601 duration, such as PT15M' : expected[at];
}

function planOf(at: TimerTrigger['at'], given: unknown, now: number, reader: Reader): TimerPlan | undefined {
  if (typeof given !== 'string') return undefined;
  switch (at) {
    case 'date': {
      const due = reader.date(given);
      return due === undefined ? undefined : { due };
    }
    case 'duration': {
      const duration = parseDuration(given);
      return duration && { due: Math.max(now, addDuration(now, duration)) };
    }
    case 'cycle':
      return reader.cycle(given, now);
  }
}

function planCycle(given: string, now: number): TimerPlan | undefined {
  const cron = planCron(given, now);
  const cycle = cron ? undefined : parseZonedCycle(given);
  if (!cycle) return cron;
  const { start, interval, repetitions } = cycle;
  const first = firstTickOf(start, interval, now);
  return { ...first, interval, ...(repetitions !== undefined && { remaining: repetitions }) };
}

/** A cycle without a start counts from now, so its first tick is tick 1. */
function firstTickOf(
  start: CycleStart | undefined,
  interval: string,
  now: number,
): Pick<TimerPlan, 'due' | 'calendar'> {
  const { local, zone } = start ?? { local: now, zone: 'Z' };
  const due = start?.instant ?? addDuration(now, parseDuration(interval)!);
  if (!followsCalendar(parsePeriod(interval)!, zone)) return { due };
  return { due, calendar: { local, zone, tick: start ? 0 : 1 } };
}

function planCron(given: string, now: number): TimerPlan | undefined {
  const due = parseCron(given) && dueAfter(now, given);
  return due === undefined ? undefined : { due, interval: given };
}

function planCycleInUtc(given: string, now: number): TimerPlan | undefined {
  const cron = planCron(given, now);
  if (cron) return cron;
  const cycle = parseCycle(given);
  const interval = cycle && parseDuration(cycle.interval);
  if (!cycle || !interval || addDuration(now, interval) <= now) return undefined;
  return {
    due: cycle.start ?? addDuration(now, interval),
    interval: cycle.interval,
    ...(cycle.repetitions !== undefined && { remaining: cycle.repetitions }),
  };
}

function checkLiteral(at: TimerTrigger['at'], expression: Expression, report: (message: string) => void): void {
  if (!('literal' in expression)) return;
  const plan = planOf(at, expression.literal, 0, CURRENT);
  const found = JSON.stringify(expression.literal);
  if (!plan) report(`The timer ${at} must be ${expectedOf(at, CURRENT)}, but is ${found}`);
  else if (plan.due > LATEST_INSTANT) report(`The timer ${at} must be due before the year 10000, but is ${found}`);
}
