import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  add,
  compare,
  divide,
  formatNumber,
  fromParts,
  multiply,
  parseNumber,
  round,
  subtract,
  type FeelNumber,
} from '@perdure/feel/values/decimal.js';
import { exponential, logarithm, power, squareRoot } from '@perdure/feel/values/decimal-functions.js';
import { strict } from './support.js';

/** Hundreds of cases, or costly ones, on a busy machine too. */
vi.setConfig({ testTimeout: 60_000 });

const text = (value: FeelNumber | undefined): string => (value === undefined ? 'too large' : formatNumber(value));
const number = (value: string): FeelNumber => parseNumber(value) as FeelNumber;

describe('decimal arithmetic', () => {
  test.each([
    ['0.1 + 0.2 = 0.3', true],
    ['0.1 * 3 = 0.3', true],
    ['1.1 + 2.2 = 3.3', true],
    ['0.3 - 0.1 = 0.2', true],
    ['4.35 * 100 = 435', true],
    ['1.005 * 1000 = 1005', true],
    ['10 / 4 = 2.5', true],
    ['1 / 3 = 0.3333333333333333333333333333333333', true],
    ['2 / 3 = 0.6666666666666666666666666666666667', true],
    ['1 / 3 * 3 = 1', false],
    ['12345678901234567890 + 1 = 12345678901234567891', true],
    ['9007199254740993 = 9007199254740992', false],
    ['9007199254740992 + 1 = 9007199254740993', true],
    ['9999999999999999999999999999999999 + 1 = 10000000000000000000000000000000000', true],
    ['1e3 = 1000', true],
    ['1.5E-2 = 0.015', true],
    ['.5 = 0.5', true],
    ['-0 = 0', true],
    ['2 ** 10 = 1024', true],
    ['2 ** -2 = 0.25', true],
    ['4 ** 0.5 = 2', true],
    ['10 ** 20 = 100000000000000000000', true],
    ['1.1 ** 2 = 1.21', true],
    ['(-2) ** 3 = -8', true],
    ['0 ** 0 = 1', true],
    ['0.1 + 0.2 < 0.30000000000000001', true],
  ])('%s is %s', (expression, expected) => {
    expect(strict(expression)).toBe(expected);
  });

  test.each([
    ['string(1 / 3)', '0.3333333333333333333333333333333333'],
    ['string(1e21)', '1000000000000000000000'],
    ['string(0.0000001)', '0.0000001'],
    ['string(1.50)', '1.5'],
    ['string(123456789012345678901234567890.12345)', '123456789012345678901234567890.1234'],
    ['string(2 ** 100)', '1267650600228229401496703205376'],
  ])('%s gives %s', (expression, expected) => {
    expect(strict(expression)).toBe(expected);
  });

  const decimals = fc
    .tuple(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }), fc.integer({ min: -12, max: 6 }))
    .map(([coefficient, exponent]) => ({
      coefficient,
      exponent,
      value: fromParts(coefficient, exponent) as FeelNumber,
    }));

  test('sums, differences and products of decimals are those of the scaled integers', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        const [left, right] = [
          a.coefficient * 10n ** BigInt(a.exponent + 12),
          b.coefficient * 10n ** BigInt(b.exponent + 12),
        ];
        expect(text(add(a.value, b.value))).toBe(text(fromParts(left + right, -12)));
        expect(text(subtract(a.value, b.value))).toBe(text(fromParts(left - right, -12)));
        expect(text(multiply(a.value, b.value))).toBe(text(fromParts(left * right, -24)));
        expect(Math.sign(compare(a.value, b.value))).toBe(left < right ? -1 : left > right ? 1 : 0);
      }),
    );
  });

  test('the short way through floating point gives what the long way gives', () => {
    const short = fc.tuple(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), fc.integer({ min: 0, max: 6 }));
    fc.assert(
      fc.property(short, short, ([a, aPlaces], [b, bPlaces]) => {
        const [left, right] = [a / 10 ** aPlaces, b / 10 ** bPlaces];
        const scaled = BigInt(a) * 10n ** BigInt(6 - aPlaces) + BigInt(b) * 10n ** BigInt(6 - bPlaces);
        expect(add(left, right)).toBe(fromParts(scaled, -6));
        expect(text(multiply(left, right))).toBe(text(fromParts(BigInt(a) * BigInt(b), -aPlaces - bPlaces)));
        if (b !== 0) {
          const product = multiply(left, right) as FeelNumber;
          expect(text(divide(product, right))).toBe(text(left));
        }
      }),
    );
  });

  test('a quotient times its divisor is the dividend within the last of 34 digits', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        fc.pre(b.coefficient !== 0n && a.coefficient !== 0n);
        const back = multiply(divide(a.value, b.value) as FeelNumber, b.value) as FeelNumber;
        const ratio = divide(back, a.value) as FeelNumber;
        const error = subtract(ratio, 1) as FeelNumber;
        expect(compare(error, number('1e-32'))).toBeLessThan(0);
        expect(compare(error, number('-1e-32'))).toBeGreaterThan(0);
      }),
    );
  });

  test('the text of a number is read back as the number', () => {
    fc.assert(
      fc.property(decimals, ({ value }) => {
        expect(compare(number(formatNumber(value)), value)).toBe(0);
      }),
    );
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(number(formatNumber(value))).toBe(value + 0);
      }),
    );
  });

  test.each([
    ['half-even', '2.5', '2'],
    ['half-even', '3.5', '4'],
    ['half-up', '-2.5', '-3'],
    ['half-down', '2.5', '2'],
    ['up', '2.1', '3'],
    ['down', '-2.9', '-2'],
    ['floor', '-2.1', '-3'],
    ['ceiling', '-2.9', '-2'],
  ] as const)('rounding %s takes %s to %s', (mode, value, expected) => {
    expect(text(round(number(value), 0, mode))).toBe(expected);
  });
});

describe('functions of decimals', () => {
  test.each([
    ['sqrt 2', squareRoot(2), '1.414213562373095048801688724209698'],
    ['sqrt 0.0001', squareRoot(0.0001), '0.01'],
    ['sqrt 1e100', squareRoot(1e100), `1${'0'.repeat(50)}`],
    ['e', exponential(1), '2.718281828459045235360287471352662'],
    ['e ** -1', exponential(-1), '0.3678794411714423215955237701614609'],
    ['e ** 100', exponential(100), '26881171418161354484126255515800140000000000'],
    ['ln 2', logarithm(2), '0.6931471805599453094172321214581766'],
    ['ln 10', logarithm(10), '2.302585092994045684017991454684364'],
    ['ln 0.5', logarithm(0.5), '-0.6931471805599453094172321214581766'],
    ['2 ** 0.5', power(2, 0.5), '1.414213562373095048801688724209698'],
    ['27 ** (1/3)', power(27, divide(1, 3) as FeelNumber), '3'],
    ['1.0001 ** 10000', power(1.0001, 10_000), '2.718145926825224864037664674913147'],
    ['10 ** 400', power(10, 400), 'too large'],
    ['10 ** -7000', power(10, -7000), '0'],
  ])('%s', (_name, actual, expected) => {
    expect(text(actual)).toBe(expected);
  });

  test('a logarithm undoes an exponential', () => {
    fc.assert(
      fc.property(fc.double({ min: -100, max: 100, noNaN: true }), (value) => {
        const back = logarithm(exponential(value) as FeelNumber);
        const error = subtract(back, value) as FeelNumber;
        expect(compare(multiply(error, error) as FeelNumber, number('1e-60'))).toBeLessThan(0);
      }),
    );
  });
});
