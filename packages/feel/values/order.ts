/** Ordering of values (DMN 1.5 section 10.3.2.7). */
import { compare, isNumber } from './decimal.js';
import type { Span } from '../errors.js';
import type { Run } from '../run.js';
import { timeOfDayUtc } from '../temporal/arithmetic.js';
import { DaysTimeDuration, FeelDate, FeelDateTime, FeelTime, YearsMonthsDuration } from '../temporal/values.js';
import { describeType, type FeelValue } from './values.js';

/** Negative, zero or positive. */
type Ordering = number;

/** The order of two values, or null after a failure: they have different types, or a type without an order. */
export function compareValues(run: Run, at: Span, left: FeelValue, right: FeelValue): Ordering | null {
  chargeScalar(run, at, left);
  chargeScalar(run, at, right);
  const order = orderOf(left, right);
  if (order === 'zones')
    return run.fail(at, 'TYPE_MISMATCH', 'These values cannot be compared: only one has a time zone.');
  if (order !== undefined) return order;
  return run.fail(at, 'TYPE_MISMATCH', `The order of ${describeType(left)} and ${describeType(right)} is not defined.`);
}

const ZONE_STEPS = 100;

/**
 * Charges the cost of comparing or computing with a value beyond its node: long strings, and times in a zone whose
 * rules must be looked up.
 */
export function chargeScalar(run: Run, at: Span, value: FeelValue): void {
  if (typeof value === 'string') run.charge(value.length >> 5, at);
  else if (value instanceof FeelTime) chargeZone(run, at, value);
}

/**
 * Charges the cost of finding the offset of a named time zone. A date and time knows its offset, but a computed one has
 * to look it up.
 */
export function chargeZone(run: Run, at: Span, { zone }: FeelTime): void {
  if (zone !== undefined && 'name' in zone) run.charge(ZONE_STEPS, at);
}

/** The order without a failure: `undefined` if none exists, `zones` if only one side has a time zone. */
export function orderOf(left: FeelValue, right: FeelValue): Ordering | undefined | 'zones' {
  if (isNumber(left) && isNumber(right)) return compare(left, right);
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0;
  if (left instanceof FeelDate && right instanceof FeelDate) return left.epochDay - right.epochDay;
  if (left instanceof FeelDateTime && right instanceof FeelDateTime) {
    if (zonesDiffer(left.time, right.time)) return 'zones';
    return orderOfBigInts(left.epochNanos, right.epochNanos);
  }
  if (left instanceof FeelTime && right instanceof FeelTime) {
    return zonesDiffer(left, right) ? 'zones' : timeOfDayUtc(left) - timeOfDayUtc(right);
  }
  if (left instanceof DaysTimeDuration && right instanceof DaysTimeDuration)
    return orderOfBigInts(left.nanos, right.nanos);
  if (left instanceof YearsMonthsDuration && right instanceof YearsMonthsDuration) return left.months - right.months;
  return undefined;
}

function zonesDiffer(left: FeelTime, right: FeelTime): boolean {
  return (left.zone === undefined) !== (right.zone === undefined);
}

function orderOfBigInts(left: bigint, right: bigint): Ordering {
  return left < right ? -1 : left > right ? 1 : 0;
}
