import { expect, it } from 'vitest';
import { costsOf, pricesByModel } from '../../api/operations/ad-hoc/shared/costs.js';

const price = (model: string, inputPerMillion: number, outputPerMillion: number, currency = 'EUR') => ({
  model,
  inputPerMillion,
  outputPerMillion,
  currency,
});
const used = (model: string | null, inputTokens: number | null, outputTokens: number | null) => ({
  model,
  inputTokens,
  outputTokens,
});

it('a cost has no trace of binary fractions, however small or large', () => {
  const prices = pricesByModel([
    price('small', 0.1, 0.2),
    price('tiny', 0.000001, 0),
    price('huge', 1_000_000, 999_999.999999),
  ]);
  expect(costsOf([used('small', 1, 1)], prices)).toEqual([{ amount: '0.0000003', currency: 'EUR' }]);
  expect(costsOf([used('tiny', 1, 1)], prices)).toEqual([{ amount: '0.000000000001', currency: 'EUR' }]);
  expect(costsOf([used('huge', 9_007_199_254_740_991, 1)], prices)).toEqual([
    { amount: '9007199254740991.999999999999', currency: 'EUR' },
  ]);
  expect(costsOf([used('huge', 1_000_000, 0)], prices)).toEqual([{ amount: '1000000', currency: 'EUR' }]);
});

it('a hundred thousand small costs add up exactly', () => {
  const prices = pricesByModel([price('small', 0.1, 0.3)]);
  const turns = Array.from({ length: 100_000 }, () => used('small', 3, 1));
  expect(costsOf(turns, prices)).toEqual([{ amount: '0.06', currency: 'EUR' }]);
});

it('currencies are added apart, and what has no price or no tokens is in no sum', () => {
  const prices = pricesByModel([price('a', 1, 1, 'USD'), price('b', 2, 2, 'CHF'), price('free', 0, 0, 'EUR')]);
  const turns = [
    used('a', 1, 0),
    used('b', 0, 1),
    used('a', 0, 1),
    used('c', 9, 9),
    used(null, 9, 9),
    used('a', null, 9),
  ];
  expect(costsOf(turns, prices)).toEqual([
    { amount: '0.000002', currency: 'CHF' },
    { amount: '0.000002', currency: 'USD' },
  ]);
  expect(costsOf([used('free', 5, 5)], prices)).toEqual([{ amount: '0', currency: 'EUR' }]);
  expect(costsOf([], prices)).toEqual([]);
});
