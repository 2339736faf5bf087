/** Bug reports of other FEEL engines: see docs/public-cases.md. */
import { expect, test } from 'vitest';
import { toJson } from '@perdure/feel/evaluate.js';
import { run, strict } from './support.js';

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

test.each([
  ['feelin#164', '"a" < 1', null],
  ['feelin#164', '1 >= "1"', null],
  ['feelin#164', 'date("2026-01-01") < 1', null],
  ['feelin#20', '[{x: 1, y: 2}, {x: null, y: 3}][x < 2] = [{x: 1, y: 2}]', true],
  ['feelin#20', '[1, null, 3][item > 1]', [3]],
])('%s, as in a decision: %s', (_report, text, expected) => {
  const result = run(text, {}, { mode: 'lenient' });
  expect(result.ok && toJson(result.value)).toEqual(expected);
});
