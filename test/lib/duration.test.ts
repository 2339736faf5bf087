import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTimeToLive } from '@perdure/engine/time/time-to-live.js';
import { formatDuration, parseDuration, parseUnits } from '@perdure/lib/duration.js';

test.each([
  ['1h30m', 5_400_000],
  ['500ms', 500],
  ['1.5s', 1500],
  ['0.0005s', 1],
  ['PT30S', 30_000],
  ['P1W2DT3H', 788_400_000],
  ['PT0.0004S', 0],
])('%s is %i ms', (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});

test.each(['', '1', '-1s', '1h 30m', '1M', 'P1M', 'P1Y', 'P', 'PT', '-PT1S', '1e3s', '1.s', '1.0000000001s'])(
  '%j is not a duration of a fixed length',
  (text) => expect(parseDuration(text)).toBeUndefined(),
);

test('a formatted duration has the length that it was formatted from', () => {
  fc.assert(
    fc.property(fc.nat({ max: 1e12 }), (milliseconds) => {
      expect(parseDuration(formatDuration(milliseconds))).toBe(milliseconds);
    }),
  );
});

test('numbers with units mean the same in the time to live of a message', () => {
  const part = fc
    .tuple(fc.nat({ max: 1e6 }), fc.option(fc.nat({ max: 999 })), fc.constantFrom('ms', 's', 'm', 'h', 'd'))
    .map(([whole, fraction, unit]) => `${whole}${fraction === null ? '' : `.${fraction}`}${unit}`);
  const text = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''));
  fc.assert(fc.property(text, (given) => parseTimeToLive(given, 0) === parseUnits(given)));
});
