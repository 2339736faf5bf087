import { expect, it } from 'vitest';
import { readPrices, writePrices } from '../../console/screens/settings/price-lines.js';

const PRICES = [
  { model: 'small', inputPerMillion: 0.000001, outputPerMillion: 1_000_000, currency: 'EUR' },
  { model: 'a model 4 2', inputPerMillion: 0, outputPerMillion: 10, currency: 'USD' },
];

it('a price list is the same after it was written as lines and read', () => {
  expect(writePrices(PRICES)).toBe('small 0.000001 1000000 EUR\na model 4 2 0 10 USD');
  expect(readPrices(`\n ${writePrices(PRICES)}\n\n`)).toEqual({ prices: PRICES });
  expect(readPrices('')).toEqual({ prices: [] });
});

it.each(['small', 'small 1 EUR', 'small 1 2 euro', 'small -1 2 EUR', 'small 1,5 2 EUR', 'small 0.0000001 2 EUR'])(
  'a line without a price is refused: %s',
  (line) => {
    expect(readPrices(`large 3 15 USD\n${line}`)).toEqual({
      prices: [],
      problem: `Expected a model, two prices, and a currency such as EUR, not: ${line}`,
    });
  },
);
