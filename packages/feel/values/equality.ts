/** Equality (DMN 1.5 table 53). */
import { Decimal, isNumber } from './decimal.js';
import type { Span } from '../errors.js';
import { FeelFunction } from '../functions.js';
import { chargeScalar } from './order.js';
import { FeelRange } from './range.js';
import type { Run } from '../run.js';
import { timeOfDayUtc } from '../temporal/arithmetic.js';
import {
  DaysTimeDuration,
  FeelDate,
  FeelDateTime,
  FeelTime,
  NANOS_PER_SECOND,
  YearsMonthsDuration,
} from '../temporal/values.js';
import { describeType, isContext, typeOf, type FeelContext, type FeelValue } from './values.js';

/**
 * Whether two values are equal, or null after a failure: values of different types are not comparable, unless one is
 * null.
 */
export function equalValues(run: Run, at: Span, left: FeelValue, right: FeelValue): boolean | null {
  if (left === null || right === null) return left === right;
  const type = typeOf(left);
  if (type !== typeOf(right)) {
    return run.fail(at, 'TYPE_MISMATCH', `"=" cannot compare ${describeType(left)} with ${describeType(right)}.`);
  }
  if (Array.isArray(left)) return equalLists(run, at, left, right as FeelValue[]);
  if (isContext(left)) return equalContexts(run, at, left, right as FeelContext);
  if (left instanceof FeelRange) return equalRanges(run, at, left, right as FeelRange);
  if (left instanceof FeelFunction)
    return left === right ? true : run.fail(at, 'TYPE_MISMATCH', '"=" cannot compare functions.');
  chargeScalar(run, at, left);
  chargeScalar(run, at, right);
  return (
    equalScalars(left, right) ??
    run.fail(at, 'TYPE_MISMATCH', 'These values cannot be compared: only one has a time zone.')
  );
}

/** Equality without a failure: values that cannot be compared are not equal. */
export function areEqual(run: Run, at: Span, left: FeelValue, right: FeelValue): boolean {
  if (typeOf(left) !== typeOf(right)) return false;
  return run.quietly(() => equalValues(run, at, left, right)) === true;
}

function equalScalars(left: FeelValue, right: FeelValue): boolean | undefined {
  if (isNumber(left)) return equalNumbers(left, right);
  if (left instanceof FeelDate) return left.epochDay === (right as FeelDate).epochDay;
  if (left instanceof DaysTimeDuration) return left.nanos === (right as DaysTimeDuration).nanos;
  if (left instanceof YearsMonthsDuration) return left.months === (right as YearsMonthsDuration).months;
  if (left instanceof FeelTime) return equalTimes(left, right as FeelTime);
  if (left instanceof FeelDateTime) return equalDateTimes(left, right as FeelDateTime);
  return left === right;
}

function equalNumbers(left: FeelValue, right: FeelValue): boolean {
  if (!(left instanceof Decimal) || !(right instanceof Decimal)) return left === right;
  return left.coefficient === right.coefficient && left.exponent === right.exponent;
}

/** Times are equal if hour, minute and second are: fractions of a second are ignored. */
function equalTimes(left: FeelTime, right: FeelTime): boolean | undefined {
  if ((left.zone === undefined) !== (right.zone === undefined)) return undefined;
  return Math.floor(timeOfDayUtc(left) / NANOS_PER_SECOND) === Math.floor(timeOfDayUtc(right) / NANOS_PER_SECOND);
}

function equalDateTimes(left: FeelDateTime, right: FeelDateTime): boolean | undefined {
  if ((left.time.zone === undefined) !== (right.time.zone === undefined)) return undefined;
  return left.epochSeconds === right.epochSeconds;
}

function equalLists(run: Run, at: Span, left: FeelValue[], right: FeelValue[]): boolean | null {
  if (left.length !== right.length) return false;
  run.charge(left.length, at);
  let unknown = false;
  for (let index = 0; index < left.length; index++) {
    const equal = equalValues(run, at, left[index] ?? null, right[index] ?? null);
    if (equal === false) return false;
    if (equal === null) unknown = true;
  }
  return unknown ? null : true;
}

function equalContexts(run: Run, at: Span, left: FeelContext, right: FeelContext): boolean | null {
  const keys = Object.keys(left);
  run.charge(keys.length, at);
  if (keys.length !== Object.keys(right).length || !keys.every((key) => Object.hasOwn(right, key))) return false;
  let unknown = false;
  for (const key of keys) {
    const equal = equalValues(run, at, left[key] ?? null, right[key] ?? null);
    if (equal === false) return false;
    if (equal === null) unknown = true;
  }
  return unknown ? null : true;
}

function equalRanges(run: Run, at: Span, left: FeelRange, right: FeelRange): boolean | null {
  if (
    left.operator !== right.operator ||
    left.startIncluded !== right.startIncluded ||
    left.endIncluded !== right.endIncluded
  )
    return false;
  const starts = equalValues(run, at, left.start, right.start);
  const ends = equalValues(run, at, left.end, right.end);
  if (starts === false || ends === false) return false;
  return starts === null || ends === null ? null : true;
}
