/** The arithmetic operators on values of any type (DMN 1.5 section 10.3.2.3 and tables 55 to 59). */
import {
  add,
  divide,
  isNumber,
  multiply,
  negate,
  sign,
  subtract,
  fromParts,
  isInteger,
  toBigInt,
  type FeelNumber,
} from './decimal.js';
import { chargeScalar, chargeZone } from './order.js';
import { power } from './decimal-functions.js';
import type { Span } from '../errors.js';
import type { Run } from '../run.js';
import {
  addToMoment,
  addToTime,
  isDuration,
  isMoment,
  negateDuration,
  subtractMoments,
  subtractTimes,
  type Duration,
} from '../temporal/arithmetic.js';
import { DaysTimeDuration, FeelDateTime, FeelTime, YearsMonthsDuration } from '../temporal/values.js';
import { describeType, type FeelValue } from './values.js';

/** Operations outside the fast path cost about as much as this many others. */
const SLOW_STEPS = 6;
/** Nanoseconds of a duration are rarely a safe integer. */
const DURATION_STEPS = 12;
const POWER_STEPS = 400;

function mismatch(run: Run, at: Span, operator: string, left: FeelValue, right: FeelValue): null {
  return run.fail(
    at,
    'TYPE_MISMATCH',
    `"${operator}" does not work on ${describeType(left)} and ${describeType(right)}.`,
  );
}

/** The value, or a failure if it is out of range. */
export function inRange<T extends FeelValue>(run: Run, at: Span, value: T | undefined): T | null {
  if (value !== undefined) return value;
  return run.fail(at, 'NUMBER_OVERFLOW', 'The result is out of range: it exceeds the largest FEEL value.');
}

export function addValues(run: Run, at: Span, left: FeelValue, right: FeelValue): FeelValue {
  if (isNumber(left) && isNumber(right)) {
    run.charge(SLOW_STEPS, at);
    return inRange(run, at, add(left, right));
  }
  if (typeof left === 'string' && typeof right === 'string') {
    run.chargeString(left.length + right.length, at);
    return left + right;
  }
  if (isDuration(left)) return addToDuration(run, at, left, right);
  if (isDuration(right)) return addDuration(run, at, left, right, '+');
  return mismatch(run, at, '+', left, right);
}

function addToDuration(run: Run, at: Span, left: Duration, right: FeelValue): FeelValue {
  if (left instanceof DaysTimeDuration && right instanceof DaysTimeDuration)
    return inRange(run, at, DaysTimeDuration.of(left.nanos + right.nanos));
  if (left instanceof YearsMonthsDuration && right instanceof YearsMonthsDuration)
    return inRange(run, at, YearsMonthsDuration.of(left.months + right.months));
  if (isDuration(right)) return mismatch(run, at, '+', left, right);
  return addDuration(run, at, right, left, '+');
}

function addDuration(run: Run, at: Span, left: FeelValue, duration: Duration, operator: '+' | '-'): FeelValue {
  if (isMoment(left)) {
    if (left instanceof FeelDateTime) chargeZone(run, at, left.time);
    return inRange(run, at, addToMoment(left, duration));
  }
  if (left instanceof FeelTime && duration instanceof DaysTimeDuration) return addToTime(left, duration);
  return mismatch(run, at, operator, left, duration);
}

export function subtractValues(run: Run, at: Span, left: FeelValue, right: FeelValue): FeelValue {
  if (isNumber(left) && isNumber(right)) {
    run.charge(SLOW_STEPS, at);
    return inRange(run, at, subtract(left, right));
  }
  if (isDuration(right)) {
    if (left instanceof right.constructor) return addToDuration(run, at, left as Duration, negateDuration(right));
    return addDuration(run, at, left, negateDuration(right), '-');
  }
  const isMoments = isMoment(left) && isMoment(right);
  if (!isMoments && !(left instanceof FeelTime && right instanceof FeelTime))
    return mismatch(run, at, '-', left, right);
  chargeScalar(run, at, left);
  chargeScalar(run, at, right);
  const difference = isMoments ? subtractMoments(left, right) : subtractTimes(left as FeelTime, right as FeelTime);
  return difference ?? run.fail(at, 'TYPE_MISMATCH', '"-" needs a time zone on both sides or on neither.');
}

export function multiplyValues(run: Run, at: Span, left: FeelValue, right: FeelValue): FeelValue {
  if (isNumber(left)) {
    if (isNumber(right)) {
      run.charge(SLOW_STEPS, at);
      return inRange(run, at, multiply(left, right));
    }
    if (isDuration(right)) return scaleDuration(run, at, right, (amount) => multiply(amount, left));
  }
  if (isDuration(left) && isNumber(right)) return scaleDuration(run, at, left, (amount) => multiply(amount, right));
  return mismatch(run, at, '*', left, right);
}

export function divideValues(run: Run, at: Span, left: FeelValue, right: FeelValue): FeelValue {
  if (isNumber(left) && isNumber(right)) {
    run.charge(SLOW_STEPS, at);
    return right === 0 ? byZero(run, at) : inRange(run, at, divide(left, right));
  }
  if (isDuration(left) && isNumber(right)) {
    return right === 0 ? byZero(run, at) : scaleDuration(run, at, left, (amount) => divide(amount, right));
  }
  if (left instanceof DaysTimeDuration && right instanceof DaysTimeDuration)
    return ratio(run, at, left.nanos, right.nanos);
  if (left instanceof YearsMonthsDuration && right instanceof YearsMonthsDuration)
    return ratio(run, at, BigInt(left.months), BigInt(right.months));
  return mismatch(run, at, '/', left, right);
}

function byZero(run: Run, at: Span): null {
  return run.fail(at, 'DIVISION_BY_ZERO', 'Division by zero.');
}

function ratio(run: Run, at: Span, left: bigint, right: bigint): FeelValue {
  run.charge(DURATION_STEPS, at);
  const numerator = fromParts(left, 0);
  const denominator = fromParts(right, 0);
  if (denominator === 0) return byZero(run, at);
  return inRange(run, at, divide(numerator as FeelNumber, denominator as FeelNumber));
}

/** Months and nanoseconds are whole numbers: fractions are truncated. */
function scaleDuration(
  run: Run,
  at: Span,
  duration: Duration,
  scale: (amount: FeelNumber) => FeelNumber | undefined,
): FeelValue {
  run.charge(DURATION_STEPS, at);
  const amount = scale(
    fromParts(duration instanceof DaysTimeDuration ? duration.nanos : BigInt(duration.months), 0) as FeelNumber,
  );
  const whole = amount === undefined ? undefined : toBigInt(amount);
  if (whole === undefined) return inRange(run, at, undefined);
  return inRange(
    run,
    at,
    duration instanceof DaysTimeDuration ? DaysTimeDuration.of(whole) : YearsMonthsDuration.of(Number(whole)),
  );
}

export function powerValues(run: Run, at: Span, left: FeelValue, right: FeelValue): FeelValue {
  if (!isNumber(left) || !isNumber(right)) return mismatch(run, at, '**', left, right);
  run.charge(POWER_STEPS, at);
  if (left === 0 && sign(right) < 0) return byZero(run, at);
  if (sign(left) < 0 && !isInteger(right)) {
    return run.fail(at, 'INVALID_ARGUMENT', 'A negative number cannot be raised to a fractional power.');
  }
  return inRange(run, at, power(left, right));
}

export function negateValue(run: Run, at: Span, value: FeelValue): FeelValue {
  if (isNumber(value)) return negate(value);
  if (isDuration(value)) return negateDuration(value);
  return run.fail(at, 'TYPE_MISMATCH', `The sign "-" does not work on ${describeType(value)}.`);
}
