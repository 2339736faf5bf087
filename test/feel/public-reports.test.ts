/** Bug reports of other FEEL engines: see docs/public-cases.md. */
import { expect, test } from 'vitest';
import { strict } from './support.js';

test.each([
  ['feel-scala#864', 'null = null', true],
  ['feel-scala#864', '1 = null', false],
  ['feel-scala#864', 'null in (null, 1)', true],
  ['feel-scala#801', 'substring("abc", 1, 10)', 'abc'],
  ['incubator-kie-issues#1546', '[1..3] = [1..3]', true],
  ['incubator-kie-issues#1546', '[1..3] = null', false],
])('%s: %s', (_report, text, expected) => {
  expect(strict(text)).toEqual(expected);
});
