/** A cost audit: what a built-in function is charged grows with what it is given, so that no argument makes it work for free. */
import { describe, expect, test } from 'vitest';
import { builtinNames } from '@perdure/feel/builtins/index.js';
import { compile, evaluate } from '@perdure/feel/evaluate.js';
import { NOON, treeOf } from './support.js';

/** Characters of `text`, items of the lists, entries of `context`, digits of `digits`. */
const SMALL = 64;
const LARGE = 32_768;
/** Characters, items or entries that one step pays for at most. */
const MAX_PER_STEP = 64;

function variables(size: number): Record<string, unknown> {
  const text = 'a'.repeat(size);
  const numbers = Array.from({ length: size }, (_, index) => index + 0.5);
  const strings = numbers.map((_, index) => `s${index}`);
  const context = Object.fromEntries(strings.map((name) => [name, 1]));
  return {
    text,
    numbers,
    strings,
    context,
    surrogates: '🐎'.repeat(size / 2),
    spaces: ' '.repeat(size),
    booleans: numbers.map(() => true),
    entries: strings.slice(0, size / 2).map((key) => ({ key, value: 1 })),
    contexts: numbers.map(() => ({})),
    json: JSON.stringify(strings),
    nested: [numbers],
  };
}

/** The costliest argument of each function that is not too large for it. */
const CALLS: Record<string, string[]> = {
  date: ['is(null, date(text))'],
  time: ['is(null, time(text))'],
  'date and time': ['is(null, date and time(text))'],
  duration: ['is(null, duration(text))'],
  number: ['is(null, number(text))', 'is(null, number(text, ",", "."))'],
  string: ['string(text)', 'string(numbers)', 'string(strings)', 'string(context)', 'string([text])'],
  context: ['context(entries)'],
  range: ['is(null, range(text))'],
  substring: ['substring(text, 2)', 'substring(surrogates, 2)', 'substring(surrogates, -1)'],
  'string length': ['string length(text)', 'string length(surrogates)'],
  'upper case': ['upper case(text)'],
  'lower case': ['lower case(text)'],
  'substring before': ['substring before(text, "b")'],
  'substring after': ['substring after(text, "b")'],
  contains: ['contains(text, "b")', 'contains("b", text)'],
  'starts with': ['starts with(text, text)'],
  'ends with': ['ends with(text, text)'],
  matches: ['matches(text, "b")', 'matches(surrogates, "b")', 'is(null, matches("a", text))'],
  replace: ['replace(text, "b", "c")', 'replace(text, "a", "")', 'replace("a", "b", text)'],
  split: ['split(text, "b")', 'split(text, "a")'],
  extract: ['extract(text, "b")', 'extract(text, "a")'],
  'string join': [
    'string join(strings)',
    'string join(strings, ",")',
    'string join([text, text], text)',
    'string join([text], "", text, text)',
  ],
  trim: ['trim(spaces)'],
  'is blank': ['is blank(spaces)'],
  'to base64': ['to base64(text)', 'to base64(surrogates)'],
  'list contains': ['list contains(numbers, -1)', 'list contains(nested, numbers)'],
  min: ['min(numbers)', 'min(strings)'],
  max: ['max(numbers)'],
  sum: ['sum(numbers)'],
  mean: ['mean(numbers)'],
  product: ['is(null, product(numbers))'],
  median: ['median(numbers)'],
  stddev: ['is(null, stddev(numbers))'],
  mode: ['mode(numbers)'],
  all: ['all(booleans)'],
  any: ['any(booleans)'],
  sublist: ['sublist(numbers, 1)', 'sublist(numbers, 1, 1)'],
  append: ['append(numbers, 1)'],
  concatenate: ['concatenate(numbers, [1])'],
  'insert before': ['insert before(numbers, 1, 1)'],
  remove: ['remove(numbers, 1)'],
  'list replace': ['list replace(numbers, 1, 1)', 'is(null, list replace(numbers, function(item, newItem) false, 1))'],
  reverse: ['reverse(numbers)'],
  'index of': ['index of(numbers, -1)'],
  union: ['union(numbers, [1])'],
  'distinct values': ['distinct values(numbers)'],
  'duplicate values': ['is(null, duplicate values(numbers))'],
  flatten: ['flatten(nested)'],
  partition: ['partition(numbers, 1)', 'partition(numbers, 100000)'],
  sort: ['is(null, sort(numbers, function(a, b) a < b))'],
  'get value': ['get value({}, strings)'],
  'get entries': ['get entries(context)'],
  'context put': ['context put(context, "a", 1)', 'is(null, context put({}, strings, 1))'],
  'context merge': ['context merge([context])', 'context merge(contexts)'],
  is: ['is(text, text + "")', 'is(numbers, numbers)', 'is(context, context)'],
  'to json': ['to json(numbers)', 'to json(text)', 'to json(context)'],
  'from json': ['from json(json)'],
  assert: ['assert(text, true)'],
};

/** These take the same time for every argument: they look at a length, at numbers and moments, or at nothing. */
const CONSTANT = new Set([
  'abs',
  'after',
  'before',
  'ceiling',
  'coincides',
  'count',
  'day of week',
  'day of year',
  'decimal',
  'during',
  'even',
  'exp',
  'finished by',
  'finishes',
  'floor',
  'fromAi',
  'get or else',
  'includes',
  'is defined',
  'is empty',
  'last day of month',
  'log',
  'meets',
  'met by',
  'modulo',
  'month of year',
  'not',
  'now',
  'odd',
  'overlaps',
  'overlaps after',
  'overlaps before',
  'random number',
  'round down',
  'round half down',
  'round half up',
  'round up',
  'sqrt',
  'started by',
  'starts',
  'today',
  'uuid',
  'week of year',
  'years and months duration',
]);

function operations(call: string, size: number): number {
  // The result is not charged: only the call is measured.
  return evaluate(compile(treeOf(`is(${call}, null)`)), variables(size), { now: NOON, mode: 'lenient' }).operations;
}

test('every built-in function is audited, or takes the same time for every argument', () => {
  expect([...Object.keys(CALLS), ...CONSTANT].toSorted()).toEqual(builtinNames().toSorted());
});

describe.each(Object.entries(CALLS))('%s', (_name, calls) => {
  test.each(calls)('%s is charged by the size of its arguments', (call) => {
    expect(operations(call, LARGE) - operations(call, SMALL)).toBeGreaterThanOrEqual((LARGE - SMALL) / MAX_PER_STEP);
  });
});

describe('operators', () => {
  test.each([
    'text = text + ""',
    'text < text + "a"',
    'text + "a"',
    '"a" + text',
    'text between "a" and text',
    'text in (text + "")',
    'text in [text..text + "a"]',
    'numbers = numbers',
    'context = context',
    'numbers[item > 0]',
    'for i in numbers return 1',
    'some i in numbers satisfies false',
    'every i in numbers satisfies true',
    '-1 in numbers',
    '-1 in (numbers)',
    'numbers instance of list<number>',
    'contexts.a',
    'numbers[1] in numbers',
    '[numbers] = [numbers]',
    '(function(x: list<number>) 1)(numbers)',
    '[text..text] = [text..text + ""]',
  ])('%s is charged by the size of its operands', (expression) => {
    expect(operations(expression, LARGE) - operations(expression, SMALL)).toBeGreaterThanOrEqual(
      (LARGE - SMALL) / MAX_PER_STEP,
    );
  });

  test.each<[string, string]>([
    ['string(1e-6000 / 3)', 'string(1 / 3)'],
    ['modulo(1e308, 1e-6000 / 3)', 'modulo(1e308, 1e300 / 3)'],
    ['range("[" + text + "..1]")', 'range("[1..1]")'],
  ])('%s is charged more than %s', (large, small) => {
    expect(operations(large, LARGE)).toBeGreaterThan(operations(small, LARGE));
  });
});

describe('regular expressions', () => {
  const text = 'a'.repeat(500);
  const steps = (pattern: string) =>
    evaluate(compile(treeOf('matches(text, pattern)')), { text, pattern }, { now: NOON, mode: 'strict' }).operations;

  test('are charged for the groups that they keep at each character', () => {
    const groups = (count: number) => `${'('.repeat(count)}a${')'.repeat(count)}*b`;
    expect(steps(groups(40)) - steps(groups(1))).toBeGreaterThanOrEqual((text.length * 40 * 40) / MAX_PER_STEP);
  });

  test('are charged for places that take no character', () => {
    expect(steps('(?:(?:){900}a)*b')).toBeGreaterThanOrEqual(steps('(?:a)*b'));
    expect(steps(`(?:${'()'.repeat(100)}a)*b`) - steps('(?:a)*b')).toBeGreaterThanOrEqual(
      (text.length * 100) / MAX_PER_STEP,
    );
  });
});
