/**
 * Decimal numbers (DMN 1.5 section 10.3.2.3.1: decimal128, 34 significant digits, half-even).
 *
 * A JavaScript number represents its shortest decimal form, as in JSON: 0.1 is one tenth, not the binary fraction next
 * to it. A value that no JavaScript number represents is a `Decimal`. The form is canonical: a value with a JavaScript
 * number is never a `Decimal`, so two numbers are equal if both have the same kind and are equal. Integers and short
 * decimals take a floating-point fast path whose bounds prove it exact. Reasons and costs:
 * docs/adr/0010-feel-decimal-arithmetic.md.
 */
import { FeelObject } from './values.js';

/** `coefficient * 10 ** exponent`, without trailing zeros, for values that no JavaScript number represents. */
export class Decimal extends FeelObject {
  readonly type = 'number';

  constructor(
    readonly coefficient: bigint,
    readonly exponent: number,
  ) {
    super();
  }
}

export type FeelNumber = number | Decimal;

export type RoundingMode = 'half-even' | 'half-up' | 'half-down' | 'up' | 'down' | 'floor' | 'ceiling';

/** Significant digits of a result. */
const PRECISION = 34;

const MIN_EXPONENT = -6176;
/** Maximum characters of a numeric text; a longer one is not a number. */
export const MAX_TEXT_LENGTH = 1000;
const MAX_SHORT_COEFFICIENT = 1e15;
const MILLION = 1e6;
const THOUSAND = 1e3;

const KEPT_POWERS = 80;
const POWERS: bigint[] = [1n];

/** 10 to the power of a non-negative integer. */
export function powerOfTen(exponent: number): bigint {
  for (let next = POWERS.length; next <= exponent && next < KEPT_POWERS; next++)
    POWERS.push((POWERS[next - 1] ?? 1n) * 10n);
  return POWERS[exponent] ?? 10n ** BigInt(exponent);
}

export function isNumber(value: unknown): value is FeelNumber {
  return typeof value === 'number' || value instanceof Decimal;
}

/** Coefficient and exponent of any number, not normalized. */
export function partsOf(value: FeelNumber): { coefficient: bigint; exponent: number } {
  if (typeof value !== 'number') return value;
  if (Number.isSafeInteger(value)) return { coefficient: BigInt(value), exponent: 0 };
  return partsOfText(String(value));
}

function partsOfText(text: string): { coefficient: bigint; exponent: number } {
  const mark = text.search(/e/i);
  const mantissa = mark < 0 ? text : text.slice(0, mark);
  const exponent = mark < 0 ? 0 : Number(text.slice(mark + 1));
  const point = mantissa.indexOf('.');
  if (point < 0) return { coefficient: BigInt(mantissa), exponent };
  const fraction = mantissa.slice(point + 1);
  return { coefficient: BigInt(mantissa.slice(0, point) + fraction), exponent: exponent - fraction.length };
}

/** Number of decimal digits of an integer. */
export function digitCount(coefficient: bigint): number {
  return (coefficient < 0n ? -coefficient : coefficient).toString().length;
}

/** Divides by `10 ** drop` and rounds. */
export function dropDigits(coefficient: bigint, drop: number, mode: RoundingMode): bigint {
  if (drop >= KEPT_POWERS && drop > digitCount(coefficient)) return dropAllDigits(coefficient, mode);
  const divisor = powerOfTen(drop);
  const quotient = coefficient / divisor;
  const remainder = coefficient % divisor;
  if (remainder === 0n) return quotient;
  const sign = coefficient < 0n ? -1n : 1n;
  return roundsAway(quotient, remainder * sign * 2n, divisor, sign, mode) ? quotient + sign : quotient;
}

/** Rounds a value below one tenth, without computing the power of ten that it is divided by. */
function dropAllDigits(coefficient: bigint, mode: RoundingMode): bigint {
  if (coefficient === 0n) return 0n;
  const sign = coefficient < 0n ? -1n : 1n;
  return roundsAway(0n, 1n, 10n, sign, mode) ? sign : 0n;
}

function roundsAway(quotient: bigint, twice: bigint, divisor: bigint, sign: bigint, mode: RoundingMode): boolean {
  switch (mode) {
    case 'up':
      return true;
    case 'down':
      return false;
    case 'floor':
      return sign < 0n;
    case 'ceiling':
      return sign > 0n;
    case 'half-up':
      return twice >= divisor;
    case 'half-down':
      return twice > divisor;
    case 'half-even':
      return twice > divisor || (twice === divisor && quotient % 2n !== 0n);
  }
}

/**
 * The number `coefficient * 10 ** exponent`, rounded to 34 digits and in canonical form. `undefined` if it is too
 * large: the range is that of JSON numbers, up to about 1.8e308.
 */
export function fromParts(coefficient: bigint, exponent: number): FeelNumber | undefined {
  if (coefficient === 0n) return 0;
  if (exponent === 0 && coefficient <= 9007199254740991n && coefficient >= -9007199254740991n)
    return Number(coefficient);
  let digits = digitCount(coefficient);
  if (digits > PRECISION) {
    const drop = digits - PRECISION;
    coefficient = dropDigits(coefficient, drop, 'half-even');
    exponent += drop;
  }
  while (coefficient % 10n === 0n) {
    coefficient /= 10n;
    exponent += 1;
  }
  digits = digitCount(coefficient);
  if (digits + exponent > 310) return undefined;
  if (exponent < MIN_EXPONENT) return 0;
  if (digits > 17)
    return digits + exponent > 308 && !Number.isFinite(Number(`${coefficient}e${exponent}`))
      ? undefined
      : new Decimal(coefficient, exponent);
  const near = Number(`${coefficient}e${exponent}`);
  if (!Number.isFinite(near)) return undefined;
  if (digits <= 15 && near !== 0 && Math.abs(near) > 1e-300) return near;
  return standsFor(near, coefficient, exponent) ? near : new Decimal(coefficient, exponent);
}

function standsFor(near: number, coefficient: bigint, exponent: number): boolean {
  if (near === 0) return false;
  const parts = partsOfText(String(near));
  const gap = parts.exponent - exponent;
  if (gap >= 0) return parts.coefficient * powerOfTen(gap) === coefficient;
  return parts.coefficient === coefficient * powerOfTen(-gap);
}

/** Parses a numeric literal (digits, one decimal point, an exponent). `undefined` if it is too large or invalid. */
export function parseNumber(text: string): FeelNumber | undefined {
  if (text.length > MAX_TEXT_LENGTH || !/^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,6})?$/.test(text)) return undefined;
  const short = text.length <= 15 ? Number(text) : Number.NaN;
  if (Number.isFinite(short) && (short !== 0 || !/[1-9]/.test(text))) return short + 0;
  const { coefficient, exponent } = partsOfText(text.replace(/^\+/, '').replace(/^(-?)\./, '$10.'));
  if (coefficient !== 0n && digitCount(coefficient) + exponent > 400) return undefined;
  return fromParts(coefficient, exponent);
}

/** Maximum characters of the text form. */
export function maxTextLength(value: FeelNumber): number {
  if (typeof value !== 'number') return Math.abs(value.exponent) + PRECISION + 3;
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-6 || size >= 1e21) ? 345 : 25;
}

/** The decimal form without an exponent. Canonical numbers have no trailing zeros to remove. */
export function formatNumber(value: FeelNumber): string {
  if (typeof value === 'number') {
    const text = String(value);
    if (!text.includes('e')) return text;
  }
  const { coefficient, exponent } = partsOf(value);
  if (exponent >= 0) return `${coefficient * powerOfTen(exponent)}`;
  const sign = coefficient < 0n ? '-' : '';
  const digits = (coefficient < 0n ? -coefficient : coefficient).toString().padStart(1 - exponent, '0');
  return `${sign}${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
}

/** The nearest JavaScript number. */
export function toDouble(value: FeelNumber): number {
  return typeof value === 'number' ? value : Number(`${value.coefficient}e${value.exponent}`);
}

/**
 * The integer `value * scale` if the number is a decimal with that many places and at most fifteen digits, otherwise
 * NaN. Exact: division of two exactly represented integers is correctly rounded, and fifteen digits survive the
 * conversion to a double.
 */
function scaled(value: number, scale: number): number {
  const integer = Math.round(value * scale);
  return integer / scale === value && isShort(integer) ? integer : Number.NaN;
}

/** False for NaN too. */
function isShort(integer: number): boolean {
  return integer <= MAX_SHORT_COEFFICIENT && integer >= -MAX_SHORT_COEFFICIENT;
}

function alignedSum(left: FeelNumber, right: FeelNumber, sign: 1n | -1n): FeelNumber | undefined {
  const a = partsOf(left);
  const b = partsOf(right);
  const exponent = Math.min(a.exponent, b.exponent);
  // With such different magnitudes, the smaller one is lost in rounding.
  if (a.coefficient === 0n || b.coefficient === 0n || Math.abs(a.exponent - b.exponent) > 3 * PRECISION) {
    const larger = a.coefficient === 0n || (b.coefficient !== 0n && b.exponent > a.exponent) ? b : a;
    return fromParts(larger === b ? sign * larger.coefficient : larger.coefficient, larger.exponent);
  }
  return fromParts(
    a.coefficient * powerOfTen(a.exponent - exponent) + sign * b.coefficient * powerOfTen(b.exponent - exponent),
    exponent,
  );
}

/** Sum; `undefined` if too large, as in all operations here. */
export function add(left: FeelNumber, right: FeelNumber): FeelNumber | undefined {
  if (typeof left === 'number' && typeof right === 'number') {
    const sum = left + right;
    if (Number.isSafeInteger(left) && Number.isSafeInteger(right) && Number.isSafeInteger(sum)) return sum;
    const millionths = scaled(left, MILLION) + scaled(right, MILLION);
    if (isShort(millionths)) return millionths / MILLION;
  }
  return alignedSum(left, right, 1n);
}

export function subtract(left: FeelNumber, right: FeelNumber): FeelNumber | undefined {
  if (typeof left === 'number' && typeof right === 'number') {
    const difference = left - right;
    if (Number.isSafeInteger(left) && Number.isSafeInteger(right) && Number.isSafeInteger(difference))
      return difference;
    const millionths = scaled(left, MILLION) - scaled(right, MILLION);
    if (isShort(millionths)) return millionths / MILLION;
  }
  return alignedSum(left, right, -1n);
}

export function multiply(left: FeelNumber, right: FeelNumber): FeelNumber | undefined {
  if (typeof left === 'number' && typeof right === 'number') {
    const product = left * right;
    // The product of safe integers is exact if it is safe itself; adding 0 turns -0 into 0.
    if (Number.isSafeInteger(left) && Number.isSafeInteger(right) && Number.isSafeInteger(product)) return product + 0;
    const millionths = scaled(left, THOUSAND) * scaled(right, THOUSAND);
    if (isShort(millionths)) return millionths / MILLION + 0;
  }
  const a = partsOf(left);
  const b = partsOf(right);
  return fromParts(a.coefficient * b.coefficient, a.exponent + b.exponent);
}

/** Quotient to 34 digits. The divisor is not zero. */
export function divide(left: FeelNumber, right: FeelNumber): FeelNumber | undefined {
  if (typeof left === 'number' && typeof right === 'number') {
    const quotient = shortQuotient(left, right);
    if (quotient !== undefined) return quotient;
  }
  const a = partsOf(left);
  const b = partsOf(right);
  return divideParts(a.coefficient, a.exponent, b.coefficient, b.exponent);
}

/** The quotient if it is a decimal with at most six places, which integer multiplication verifies. */
function shortQuotient(left: number, right: number): number | undefined {
  const [dividend, divisor] = [scaled(left, THOUSAND), scaled(right, THOUSAND)];
  const millionths = Math.round((left / right) * MILLION);
  const isExact = isShort(dividend * MILLION) && isShort(millionths) && dividend * MILLION === millionths * divisor;
  return isExact ? millionths / MILLION + 0 : undefined;
}

function divideParts(a: bigint, aExponent: number, b: bigint, bExponent: number): FeelNumber | undefined {
  const shift = Math.max(0, PRECISION + 2 + digitCount(b) - digitCount(a));
  const numerator = a * powerOfTen(shift);
  let quotient = numerator / b;
  // A remainder must not look like an exact half: one more digit distinguishes them.
  quotient *= 10n;
  if (numerator % b !== 0n) quotient += a < 0n === b < 0n ? 1n : -1n;
  return fromParts(quotient, aExponent - bExponent - shift - 1);
}

export function negate(value: FeelNumber): FeelNumber {
  if (typeof value === 'number') return 0 - value;
  return new Decimal(-value.coefficient, value.exponent);
}

export function absolute(value: FeelNumber): FeelNumber {
  return sign(value) < 0 ? negate(value) : value;
}

export function sign(value: FeelNumber): number {
  if (typeof value === 'number') return Math.sign(value);
  return value.coefficient < 0n ? -1 : 1;
}

/** Negative, zero or positive, as for sorting. */
export function compare(left: FeelNumber, right: FeelNumber): number {
  if (typeof left === 'number' && typeof right === 'number') return left < right ? -1 : left > right ? 1 : 0;
  const a = partsOf(left);
  const b = partsOf(right);
  if (sign(left) !== sign(right)) return sign(left) - sign(right);
  const exponent = Math.min(a.exponent, b.exponent);
  if (Math.abs(a.exponent - b.exponent) > 3 * PRECISION) return (a.exponent - b.exponent) * sign(left);
  const difference =
    a.coefficient * powerOfTen(a.exponent - exponent) - b.coefficient * powerOfTen(b.exponent - exponent);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function isInteger(value: FeelNumber): boolean {
  return typeof value === 'number' ? Number.isInteger(value) : value.exponent >= 0;
}

/** Rounds to a number of decimal places (negative: to tens, hundreds ...). */
export function round(value: FeelNumber, scale: number, mode: RoundingMode): FeelNumber | undefined {
  const { coefficient, exponent } = partsOf(value);
  const drop = -scale - exponent;
  if (drop <= 0) return value;
  return fromParts(dropDigits(coefficient, drop, mode), -scale);
}

/** Remainder with the sign of the divisor: `dividend - divisor * floor(dividend / divisor)` (DMN 1.5 table 75). */
export function modulo(dividend: FeelNumber, divisor: FeelNumber): FeelNumber | undefined {
  const a = partsOf(dividend);
  const b = partsOf(divisor);
  const exponent = Math.min(a.exponent, b.exponent);
  const left = a.coefficient * powerOfTen(a.exponent - exponent);
  const right = b.coefficient * powerOfTen(b.exponent - exponent);
  const remainder = left % right;
  const crosses = remainder !== 0n && remainder < 0n !== right < 0n;
  return fromParts(crosses ? remainder + right : remainder, exponent);
}

/** The integer part. `undefined` if it has more digits than any use allows. */
export function toBigInt(value: FeelNumber): bigint | undefined {
  const { coefficient, exponent } = partsOf(value);
  if (exponent > 40) return undefined;
  return exponent >= 0 ? coefficient * powerOfTen(exponent) : dropDigits(coefficient, -exponent, 'down');
}
