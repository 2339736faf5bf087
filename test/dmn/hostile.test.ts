import { expect, test } from 'vitest';
import { decision, dmn, evaluate, input, literal, table } from './support.js';

const knowledge = (name: string, body: string): string =>
  `<businessKnowledgeModel id="knowledge_${name}" name="${name}"><encapsulatedLogic><formalParameter name="x"/>${literal(body)}</encapsulatedLogic></businessKnowledgeModel>`;

test.each([
  ['loops in a cell', decision('d', table({ inputs: ['1'], outputs: ['o'], rules: [['some i in 1..100000 satisfies some j in 1..100000 satisfies i * j < 0', '1']] }))],
  ['a loop that calls a function', knowledge('f', 'count(for i in 1..90000 return i)') + decision('d', literal('for i in 1..90000 return f(i)'), { requires: ['knowledge_f'] })],
  ['boxed loops', decision('d', `<for iteratorVariable="i"><in>${literal('[1..90000]')}</in><return><for iteratorVariable="j"><in>${literal('[1..90000]')}</in><return>${literal('i * j')}</return></for></return></for>`)],
  ['doubling through requirements', Array.from({ length: 40 }, (_, index) => decision(index === 39 ? 'd' : `d${index}`, literal(index === 0 ? '[1]' : `concatenate(d${index - 1}, d${index - 1})`), { requires: index === 0 ? [] : [`d${index - 1}`] })).join('')],
  ['a result that repeats itself', Array.from({ length: 40 }, (_, index) => decision(index === 39 ? 'd' : `d${index}`, literal(index === 0 ? '[1]' : `[d${index - 1}, d${index - 1}]`), { requires: index === 0 ? [] : [`d${index - 1}`] })).join('')],
  ['one table after the other', decision('d', literal('for i in 1..90000 return t(i)'), { requires: ['knowledge_t'] }) + `<businessKnowledgeModel id="knowledge_t" name="t"><encapsulatedLogic><formalParameter name="x"/>${table({ inputs: ['x'], outputs: ['o'], rules: Array.from({ length: 100 }, (_, index) => [String(index), '1']) })}</encapsulatedLogic></businessKnowledgeModel>`],
])('%s end at the evaluation limit, in both modes', (_what, elements) => {
  for (const mode of ['strict', 'lenient'] as const) {
    expect(evaluate(dmn(elements), {}, { decisions: ['d'], mode })['d']).toMatchObject({ value: null, error: expect.stringMatching(/limit|failed/) });
  }
});

test('names of JavaScript objects are names like any other', () => {
  const xml = dmn(input('constructor') + decision('__proto__', literal('{"__proto__": constructor, toString: 1}'), { requires: ['input_constructor'] }));
  const results = evaluate(xml, { constructor: 'mine' });
  expect(Object.keys(results)).toEqual(['__proto__']);
  expect(JSON.stringify(results)).toContain('"value":{"__proto__":"mine","toString":1}');
  expect(evaluate(dmn(decision('d', literal('[toString, hasOwnProperty, __proto__]'))))['d']!.value).toEqual([null, null, null]);
});
