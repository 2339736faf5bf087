import { expect, test } from 'vitest';
import { compileModel, LoadedModel, ModelCache, readContext } from '@perdure/dmn';
import { MODEL_VERSION } from '@perdure/dmn/model.js';
import type { StoredModel } from '@perdure/dmn/stored.js';
import { decision, dmn, evaluate, input, literal, load, NOW, problemsOf, table } from './support.js';

const knowledge = (name: string, body: string): string =>
  `<businessKnowledgeModel id="knowledge_${name}" name="${name}"><encapsulatedLogic><formalParameter name="x"/>${literal(body)}</encapsulatedLogic></businessKnowledgeModel>`;

test.each([
  [
    'loops in a cell',
    decision(
      'd',
      table({
        inputs: ['1'],
        outputs: ['o'],
        rules: [['some i in 1..100000 satisfies some j in 1..100000 satisfies i * j < 0', '1']],
      }),
    ),
  ],
  [
    'a loop that calls a function',
    knowledge('f', 'count(for i in 1..90000 return i)') +
      decision('d', literal('for i in 1..90000 return f(i)'), { requires: ['knowledge_f'] }),
  ],
  [
    'boxed loops',
    decision(
      'd',
      `<for iteratorVariable="i"><in>${literal('[1..90000]')}</in><return><for iteratorVariable="j"><in>${literal('[1..90000]')}</in><return>${literal('i * j')}</return></for></return></for>`,
    ),
  ],
  [
    'doubling through requirements',
    Array.from({ length: 40 }, (_, index) =>
      decision(
        index === 39 ? 'd' : `d${index}`,
        literal(index === 0 ? '[1]' : `concatenate(d${index - 1}, d${index - 1})`),
        { requires: index === 0 ? [] : [`d${index - 1}`] },
      ),
    ).join(''),
  ],
  [
    'a result that repeats itself',
    Array.from({ length: 40 }, (_, index) =>
      decision(index === 39 ? 'd' : `d${index}`, literal(index === 0 ? '[1]' : `[d${index - 1}, d${index - 1}]`), {
        requires: index === 0 ? [] : [`d${index - 1}`],
      }),
    ).join(''),
  ],
  [
    'one table after the other',
    decision('d', literal('for i in 1..90000 return t(i)'), { requires: ['knowledge_t'] }) +
      `<businessKnowledgeModel id="knowledge_t" name="t"><encapsulatedLogic><formalParameter name="x"/>${table({ inputs: ['x'], outputs: ['o'], rules: Array.from({ length: 100 }, (_, index) => [String(index), '1']) })}</encapsulatedLogic></businessKnowledgeModel>`,
  ],
])('%s end at the evaluation limit, in both modes', (_what, elements) => {
  for (const mode of ['strict', 'lenient'] as const) {
    expect(evaluate(dmn(elements), {}, { decisions: ['d'], mode })['d']).toMatchObject({
      value: null,
      error: expect.stringMatching(/limit|failed/),
    });
  }
});

test('large cells are charged by their size', () => {
  const cell = Array.from({ length: 300 }, (_, index) => `> ${index + 1000}`).join(', ');
  const xml = dmn(
    decision('d', table({ inputs: ['x'], outputs: ['o'], rules: Array.from({ length: 100 }, () => [cell, '1']) }), {
      requires: ['input_x'],
    }) + input('x'),
  );
  const within = (steps: number) =>
    load(xml).evaluateOne('d', readContext({ x: 1 }), { now: NOW, mode: 'strict', steps })!.error?.code;
  expect(within((100 * 300) / 64)).toBe('BUDGET');
  expect(within(100 * 300)).toBe(undefined);
});

test('inputs in named time zones are charged for the rules of their zone', () => {
  const typed = '<itemDefinition name="t" isCollection="true"><typeRef>dateTime</typeRef></itemDefinition>';
  const xml = dmn(typed + input('x', 't') + decision('d', literal('count(x)'), { requires: ['input_x'] }));
  const zoned = (count: number): string[] => Array.from({ length: count }, () => '2020-03-29T12:00:00@Europe/Berlin');
  expect(evaluate(xml, { x: zoned(1000) })['d']!.value).toBe(1000);
  expect(evaluate(xml, { x: zoned(5000) })['d']).toMatchObject({
    value: null,
    error: expect.stringContaining('limit'),
  });
  const tagged = (count: number): unknown[] => zoned(count).map((value) => ({ '@feel': 'date and time', value }));
  expect(evaluate(xml, { x: tagged(1000) })['d']!.value).toBe(1000);
  expect(() => readContext({ x: tagged(1001) })).toThrow(
    'The context has more than 1000 typed values in a named time zone. Use offsets instead, such as +02:00.',
  );
});

test('models that are kept loaded are bounded by their size together, and the one used last stays', async () => {
  const stored = (name: string): StoredModel => {
    const xml = dmn(decision(name, literal('1')));
    return { model: JSON.stringify(compileModel(xml, []).model).padEnd(12 * 1024 * 1024), xml, imported: [] };
  };
  const cache = new ModelCache();
  const read: string[] = [];
  const get = (key: string): Promise<unknown> => cache.get(key, () => (read.push(key), Promise.resolve(stored(key))));
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b', 'a']) await get(key);
  expect(read).toEqual(['a', 'b', 'c', 'b']);
});

test('names of JavaScript objects are names like any other', () => {
  const xml = dmn(
    input('constructor') +
      decision('__proto__', literal('{"__proto__": constructor, toString: 1}'), { requires: ['input_constructor'] }),
  );
  const results = evaluate(xml, { constructor: 'mine' });
  expect(Object.keys(results)).toEqual(['__proto__']);
  expect(JSON.stringify(results)).toContain('"value":{"__proto__":"mine","toString":1}');
  expect(evaluate(dmn(decision('d', literal('[toString, hasOwnProperty, __proto__]'))))['d']!.value).toEqual([
    null,
    null,
    null,
  ]);
});

test('a stored model of another version is compiled again from its source', async () => {
  const xml = dmn(decision('d', literal('1')));
  const outdated = JSON.stringify({ ...compileModel(xml).model, version: '1/1', elements: [] });
  const loaded = await new ModelCache().get('k', () => Promise.resolve({ model: outdated, xml, imported: [] }));

  expect(loaded?.model.version).toBe(MODEL_VERSION);
  expect(loaded?.model.elements).toHaveLength(1);
});

test('a stored model of another version whose source is refused today says why it cannot be loaded', async () => {
  const stored = { model: '{"version":"1/1"}', xml: '<definitions/>', imported: [] };

  await expect(new ModelCache().get('k', () => Promise.resolve(stored))).rejects.toThrow(
    /^The stored decision file no longer compiles: The file is not a DMN file: .*\. Deploy a corrected version\.$/,
  );
});

test('a model of an older version is never loaded as it is', () => {
  const { model } = compileModel(dmn(decision('d', literal('1'))));

  expect(() => new LoadedModel({ ...model!, version: '1/1' })).toThrow(
    `The compiled model has version 1/1, but this code reads version ${MODEL_VERSION}.`,
  );
});

test('an expression that is too long is refused with its element', () => {
  const problems = problemsOf(dmn(decision('d', literal(`"${'a'.repeat(16_383)}"`))));
  expect(problems).toEqual([
    expect.objectContaining({
      elementID: 'd',
      message:
        'The expression has 16385 characters as FEEL, but the limit is 16384. Split it into several expressions.',
    }),
  ]);
});
