/** Numeric functions (DMN 1.5 table 74). */
import {
  absolute,
  isInteger,
  modulo,
  partsOf,
  round,
  sign,
  toDouble,
  type FeelNumber,
  type RoundingMode,
} from '../values/decimal.js';
import { exponential, logarithm, squareRoot } from '../values/decimal-functions.js';
import { inRange } from '../values/arithmetic.js';
import { isDuration, negateDuration, type Duration } from '../temporal/arithmetic.js';
import { DaysTimeDuration } from '../temporal/values.js';
import type { FeelValue } from '../values/values.js';
import { fail, form, invalid, number, oneOf, optional, type Builtin, type Call } from './define.js';

const MIN_SCALE = -6111;
const MAX_SCALE = 6176;
/** Cost of a function that computes a series. */
const SERIES_STEPS = 400;
const ROUND_STEPS = 8;
const MODULO_STEPS = 100;

function roundTo(mode: RoundingMode): (call: Call, value: FeelNumber, scale: FeelNumber | undefined) => FeelValue {
  return (call, value, scale = 0) => {
    call.run.charge(ROUND_STEPS, call.at);
    const places = Math.trunc(toDouble(scale));
    if (places < MIN_SCALE || places > MAX_SCALE)
      return invalid(call, `the scale must be between ${MIN_SCALE} and ${MAX_SCALE}.`);
    return inRange(call.run, call.at, round(value, places, mode));
  };
}

function series(compute: (value: FeelNumber) => FeelNumber | undefined): (call: Call, value: FeelNumber) => FeelValue {
  return (call, value) => {
    call.run.charge(SERIES_STEPS, call.at);
    return inRange(call.run, call.at, compute(value));
  };
}

/** Both numbers in terms of the smaller of their exponents. */
function chargeModulo(call: Call, dividend: FeelNumber, divisor: FeelNumber): void {
  const gap = Math.abs(partsOf(dividend).exponent - partsOf(divisor).exponent);
  call.run.charge(MODULO_STEPS + (gap >> 5), call.at);
}

function isOdd(value: FeelNumber): boolean {
  const { coefficient, exponent } = partsOf(value);
  return isInteger(value) && exponent === 0 && coefficient % 2n !== 0n;
}

function absoluteOf(value: FeelNumber | Duration): FeelValue {
  if (!isDuration(value)) return absolute(value);
  const isNegative = value instanceof DaysTimeDuration ? value.nanos < 0n : value.months < 0;
  return isNegative ? negateDuration(value) : value;
}

export const NUMBER_FUNCTIONS: Record<string, Builtin> = {
  decimal: [form([number('n'), number('scale')], roundTo('half-even'))],
  floor: [form([number('n'), optional(number('scale'))], roundTo('floor'))],
  ceiling: [form([number('n'), optional(number('scale'))], roundTo('ceiling'))],
  'round up': [form([number('n'), number('scale')], roundTo('up'))],
  'round down': [form([number('n'), number('scale')], roundTo('down'))],
  'round half up': [form([number('n'), number('scale')], roundTo('half-up'))],
  'round half down': [form([number('n'), number('scale')], roundTo('half-down'))],
  abs: [
    form(
      [oneOf<FeelNumber | Duration>('n', 'number', 'days and time duration', 'years and months duration')],
      (_call, value) => absoluteOf(value),
    ),
  ],
  modulo: [
    form([number('dividend'), number('divisor')], (call, dividend, divisor) => {
      if (divisor === 0) return fail(call, 'DIVISION_BY_ZERO', 'Division by zero.');
      if (!Number.isSafeInteger(dividend) || !Number.isSafeInteger(divisor)) chargeModulo(call, dividend, divisor);
      return inRange(call.run, call.at, modulo(dividend, divisor));
    }),
  ],
  sqrt: [
    form([number('number')], (call, value) =>
      sign(value) < 0 ? invalid(call, 'a negative number has no square root.') : series(squareRoot)(call, value),
    ),
  ],
  log: [
    form([number('number')], (call, value) =>
      sign(value) <= 0 ? invalid(call, 'only a positive number has a logarithm.') : series(logarithm)(call, value),
    ),
  ],
  exp: [form([number('number')], series(exponential))],
  odd: [form([number('number')], (_call, value) => isOdd(value))],
  even: [form([number('number')], (_call, value) => isInteger(value) && !isOdd(value))],
};
