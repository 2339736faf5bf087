import { expect, test } from 'vitest';
import { inWords, readCorrelation } from '../../console/screens/messages/correlation.js';

test.each([
  ['17', 17],
  ['1.5', 1.5],
  ['true', true],
  ['"17"', '17'],
  ['{ "orderID": "order-1" }', { orderID: 'order-1' }],
])('a correlation %s keeps its type', (typed, sent) => {
  expect(readCorrelation(typed)).toEqual(sent);
});

test.each(['order-1', '017', '1e999', '12345678901234567890', 'null', '[1]', '{ "orderID":', '"order', 'True'])(
  'a correlation %s is neither number, boolean, nor quoted, and is sent as plain text',
  (typed) => {
    expect(readCorrelation(` ${typed} `)).toBe(typed);
  },
);

test('empty text is not a correlation', () => {
  expect(readCorrelation('  ')).toBeUndefined();
});

test('a correlation is named with its type', () => {
  expect(inWords('17')).toBe('Sent as the text "17".');
  expect(inWords(17)).toBe('Sent as the number 17.');
});
