/** Sums, differences, products and quotients with dates, times and durations (DMN 1.5 tables 55 to 59). `undefined`: out of range. */
import {
  DAY,
  DaysTimeDuration,
  FeelDate,
  FeelDateTime,
  FeelTime,
  floorDivide,
  NANOS_PER_SECOND,
  YearsMonthsDuration,
} from './values.js';
import { offsetAtLocal, offsetBefore, UTC } from './zone.js';

export type Duration = DaysTimeDuration | YearsMonthsDuration;
type Moment = FeelDate | FeelDateTime;

export function isDuration(value: unknown): value is Duration {
  return value instanceof DaysTimeDuration || value instanceof YearsMonthsDuration;
}

export function isMoment(value: unknown): value is Moment {
  return value instanceof FeelDate || value instanceof FeelDateTime;
}

export function negateDuration(value: Duration): Duration {
  const negated =
    value instanceof DaysTimeDuration ? DaysTimeDuration.of(-value.nanos) : YearsMonthsDuration.of(0 - value.months);
  return negated as Duration;
}

/** A date plus hours stays a date: the one that contains the moment that long after its midnight. */
export function addToMoment(moment: Moment, duration: Duration): Moment | undefined {
  if (moment instanceof FeelDate) {
    if (duration instanceof YearsMonthsDuration) return moment.plusMonths(duration.months);
    return FeelDate.ofEpochDay(Number(floorDivide(BigInt(moment.epochDay) * DAY + duration.nanos, DAY)));
  }
  const { zone } = moment.time;
  if (duration instanceof YearsMonthsDuration) {
    const date = moment.date.plusMonths(duration.months);
    return date && FeelDateTime.of(date, moment.time);
  }
  if (zone === undefined || 'offset' in zone)
    return FeelDateTime.ofLocalNanos(moment.localNanos + duration.nanos, zone);
  return FeelDateTime.ofEpochNanos(moment.epochNanos + duration.nanos, zone);
}

/** The clock wraps around. */
export function addToTime(time: FeelTime, duration: DaysTimeDuration): FeelTime {
  const nanos = (BigInt(time.nanos) + duration.nanos) % DAY;
  return new FeelTime(Number(nanos < 0n ? nanos + DAY : nanos), time.zone);
}

/** A date counts as midnight UTC. `undefined` if only one of the two has a time zone. */
export function subtractMoments(left: Moment, right: Moment): DaysTimeDuration | undefined {
  if (left instanceof FeelDate && right instanceof FeelDate)
    return DaysTimeDuration.of(BigInt(left.epochDay - right.epochDay) * DAY);
  const from = left instanceof FeelDate ? FeelDateTime.atMidnight(left, UTC) : left;
  const to = right instanceof FeelDate ? FeelDateTime.atMidnight(right, UTC) : right;
  if ((from.time.zone === undefined) !== (to.time.zone === undefined)) return undefined;
  return DaysTimeDuration.of(from.epochNanos - to.epochNanos);
}

/** Nanoseconds since midnight UTC. A named time zone counts with its offset on 1970-01-01. */
export function timeOfDayUtc(time: FeelTime): number {
  const { zone } = time;
  if (zone === undefined) return time.nanos;
  const seconds = Math.floor(time.nanos / NANOS_PER_SECOND);
  return time.nanos - (offsetAtLocal(zone, seconds) ?? offsetBefore(zone, seconds)) * NANOS_PER_SECOND;
}

/** `undefined` if only one of the two has a time zone. */
export function subtractTimes(left: FeelTime, right: FeelTime): DaysTimeDuration | undefined {
  if ((left.zone === undefined) !== (right.zone === undefined)) return undefined;
  return DaysTimeDuration.of(BigInt(timeOfDayUtc(left) - timeOfDayUtc(right)));
}

/** Whole months between two dates, rounded toward zero (DMN 1.5 table 73). */
export function monthsBetween(from: FeelDate, to: FeelDate): number {
  const months = (to.year - from.year) * 12 + to.month - from.month;
  if (months > 0 && to.day < from.day) return months - 1;
  if (months < 0 && to.day > from.day) return months + 1;
  return months;
}
