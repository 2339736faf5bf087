/**
 * Powers, roots, exponentials and logarithms to 34 digits.
 *
 * Implemented here instead of with `Math`, because `Math.exp` and similar functions have 16 digits and may differ
 * between machines, which a replay would detect. Working values are integers scaled by 10 ** 50.
 */
import {
  absolute,
  compare,
  digitCount,
  divide,
  dropDigits,
  fromParts,
  isInteger,
  multiply,
  partsOf,
  powerOfTen,
  sign,
  toDouble,
  type FeelNumber,
} from './decimal.js';

const SCALE = 50;
const ONE = 10n ** 50n;
const LN_10 = 230258509299404568401799145468436420760110148862877297603n / 10n ** 6n;
/** Beyond this power of ten every result is out of range or zero. */
const MAX_POWER = 7000;

/** Square root of a non-negative number. */
export function squareRoot(value: FeelNumber): FeelNumber {
  const { coefficient, exponent } = partsOf(value);
  let shift = Math.max(0, 80 - digitCount(coefficient));
  if ((exponent - shift) % 2 !== 0) shift += 1;
  return fromParts(integerRoot(coefficient * powerOfTen(shift)), (exponent - shift) / 2) as FeelNumber;
}

function integerRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = powerOfTen(Math.ceil(digitCount(value) / 2) + 1);
  for (;;) {
    const next = (root + value / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}

/** e to the power of a number; `undefined` if too large. */
export function exponential(value: FeelNumber): FeelNumber | undefined {
  const size = toDouble(value);
  if (size > MAX_POWER) return undefined;
  if (size < -MAX_POWER * 3) return 0;
  return exponentialOfScaled(toScaled(value));
}

function exponentialOfScaled(scaled: bigint): FeelNumber | undefined {
  const tens = scaled / LN_10;
  return fromParts(exponentialOfSmall(scaled - tens * LN_10), Number(tens) - SCALE);
}

/** Taylor series of a repeatedly halved argument, squared back: the argument is below ln 10. */
function exponentialOfSmall(scaled: bigint): bigint {
  const halvings = 8n;
  const argument = scaled / 2n ** halvings;
  let term = ONE;
  let sum = ONE;
  for (let index = 1n; term !== 0n; index++) {
    term = (term * argument) / ONE / index;
    sum += term;
  }
  for (let step = 0n; step < halvings; step++) sum = (sum * sum) / ONE;
  return sum;
}

/** Natural logarithm of a positive number. */
export function logarithm(value: FeelNumber): FeelNumber {
  return fromParts(scaledLogarithm(value), -SCALE) as FeelNumber;
}

/**
 * Halley's method on `e ** y = m` for the mantissa m in [1, 10): each iteration triples the correct digits of the
 * initial double.
 */
function scaledLogarithm(value: FeelNumber): bigint {
  const { coefficient, exponent } = partsOf(value);
  const digits = digitCount(coefficient);
  const mantissa =
    (coefficient * powerOfTen(Math.max(0, SCALE + 1 - digits))) / powerOfTen(Math.max(0, digits - SCALE - 1));
  let result = BigInt(Math.round(Math.log(Number(mantissa) / Number(ONE)) * 1e15)) * powerOfTen(SCALE - 15);
  for (let round = 0; round < 3; round++) {
    const power = exponentialOfSmall(result);
    result += (2n * (mantissa - power) * ONE) / (mantissa + power);
  }
  return result + BigInt(exponent + digits - 1) * LN_10;
}

/** `base ** exponent`; a negative base requires an integer exponent, and a zero base a non-negative one. */
export function power(base: FeelNumber, exponent: FeelNumber): FeelNumber | undefined {
  if (exponent === 0) return 1;
  if (base === 0 || base === 1) return base;
  const magnitude = (Number(scaledLogarithm(absolute(base))) / Number(LN_10)) * toDouble(exponent);
  if (magnitude > 310) return undefined;
  if (magnitude < -MAX_POWER) return 0;
  if (isInteger(exponent) && compare(absolute(exponent), 100_000) <= 0) return integerPower(base, toDouble(exponent));
  const result = exponentialOfScaled((scaledLogarithm(absolute(base)) * toScaled(exponent)) / ONE);
  const isOdd = isInteger(exponent) && partsOf(exponent).coefficient % 2n !== 0n && partsOf(exponent).exponent === 0;
  return result !== undefined && sign(base) < 0 && isOdd ? multiply(result, -1) : result;
}

function integerPower(base: FeelNumber, exponent: number): FeelNumber | undefined {
  let { coefficient: factor, exponent: factorExponent } = partsOf(base);
  let result = 1n;
  let resultExponent = 0;
  for (let left = Math.abs(exponent); left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) [result, resultExponent] = shorten(result * factor, resultExponent + factorExponent);
    [factor, factorExponent] = shorten(factor * factor, factorExponent * 2);
  }
  if (exponent > 0) return fromParts(result, resultExponent);
  const inverse = divide(1, fromParts(result, 0) as FeelNumber);
  const parts = partsOf(inverse as FeelNumber);
  return fromParts(parts.coefficient, parts.exponent - resultExponent);
}

/** Truncates a long product to the working digits. */
function shorten(coefficient: bigint, exponent: number): [bigint, number] {
  const drop = digitCount(coefficient) - SCALE;
  return drop <= 0 ? [coefficient, exponent] : [dropDigits(coefficient, drop, 'half-even'), exponent + drop];
}

function toScaled(value: FeelNumber): bigint {
  const { coefficient, exponent } = partsOf(value);
  const shift = exponent + SCALE;
  return shift >= 0 ? coefficient * powerOfTen(shift) : dropDigits(coefficient, -shift, 'half-even');
}
