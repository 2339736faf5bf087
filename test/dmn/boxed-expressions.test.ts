import { describe, expect, test } from 'vitest';
import { decision, dmn, evaluate, input, literal, valueOf } from './support.js';

const entry = (name: string, logic: string): string =>
  `<contextEntry><variable name="${name}"/>${logic}</contextEntry>`;

describe('boxed expressions', () => {
  test('a context: each entry sees those before it, and a last one without a name is the value', () => {
    const entries = entry('net', literal('amount')) + entry('tax due', literal('net * 0.2'));
    expect(valueOf(`<context>${entries}</context>`, { amount: 100 })).toEqual({ net: 100, 'tax due': 20 });
    expect(
      valueOf(`<context>${entries}<contextEntry>${literal('net + tax due')}</contextEntry></context>`, { amount: 100 }),
    ).toBe(120);
  });

  test('a list and a relation', () => {
    expect(valueOf(`<list>${literal('1')}${literal('amount')}</list>`, { amount: 2 })).toEqual([1, 2]);
    const row = (name: string, age: string): string => `<row>${literal(name)}${literal(age)}</row>`;
    expect(
      valueOf(
        `<relation><column name="name"/><column name="age"/>${row('"Ann"', '30')}${row('"Bob"', '40')}</relation>`,
      ),
    ).toEqual([
      { name: 'Ann', age: 30 },
      { name: 'Bob', age: 40 },
    ]);
  });

  test.each([
    ['true', 'yes'],
    ['false', 'no'],
    ['null', null],
    ['"yes"', null],
  ])('a conditional on %s', (condition, expected) => {
    expect(
      valueOf(
        `<conditional><if>${literal(condition)}</if><then>${literal('"yes"')}</then><else>${literal('"no"')}</else></conditional>`,
      ),
    ).toBe(expected);
  });

  test('for, some and every go through lists and ranges', () => {
    const iterator = (kind: string, source: string, name: string, body: string): string =>
      `<${kind} iteratorVariable="i"><in>${literal(source)}</in><${name}>${literal(body)}</${name}></${kind}>`;
    expect(valueOf(iterator('for', '[1..4]', 'return', 'i * i'))).toEqual([1, 4, 9, 16]);
    expect(valueOf(iterator('for', '[1, 2, 3]', 'return', 'i + count(partial)'))).toEqual([1, 3, 5]);
    expect(valueOf(iterator('some', '[1, 5]', 'satisfies', 'i > 4'))).toBe(true);
    expect(valueOf(iterator('every', '[1, 5]', 'satisfies', 'i > 4'))).toBe(false);
    expect(valueOf(iterator('every', '[5, null]', 'satisfies', 'i > 4'))).toBe(null);
  });

  test.each([
    ['some', '[1, 2]', 'if i = 2 then true else "no boolean"', null],
    ['some', '[1, 2]', 'if i = 1 then true else "no boolean"', true],
    ['some', '[null]', 'i', null],
    ['some', 'null', 'true', null],
    ['some', '[]', '"no boolean"', false],
    ['every', '[1, 2]', 'if i = 2 then false else null', null],
    ['every', '[1, 2]', 'if i = 1 then false else null', false],
    ['every', 'null', 'true', null],
    ['every', '[]', '"no boolean"', true],
  ])(
    '%s over %s with %s is %s: a condition that is not a boolean decides nothing',
    (kind, source, condition, expected) => {
      expect(
        valueOf(
          `<${kind} iteratorVariable="i"><in>${literal(source)}</in><satisfies>${literal(condition)}</satisfies></${kind}>`,
        ),
      ).toBe(expected);
    },
  );

  test.each<[string, string, unknown]>([
    ['[3..1]', 'i', null],
    ['[3, 2, 1]', 'if i = 3 then null else partial[-1]', [null, null, null]],
    ['[3, 2, 1]', 'if i = 2 then null else i', [3, null, 1]],
    ['[3, 2, 1]', 'sum(partial)', [null, null, null]],
    ['[3, 2, 1]', 'partial', [[], [[]], [[], [[]]]]],
    ['[4, 3, 2, 1]', 'if i = 4 then i else i * partial[-1]', [4, 12, 24, 24]],
    [
      '[3, 2, 1]',
      '[count(partial), i]',
      [
        [0, 3],
        [1, 2],
        [2, 1],
      ],
    ],
  ])('for i in %s return %s', (source, body, expected) => {
    expect(
      valueOf(`<for iteratorVariable="i"><in>${literal(source)}</in><return>${literal(body)}</return></for>`),
    ).toEqual(expected);
  });

  test('a running total over thousands of items is within the limit', () => {
    const sums = valueOf(
      `<for iteratorVariable="i"><in>${literal('[1..4000]')}</in><return>${literal('if i = 1 then i else i + partial[-1]')}</return></for>`,
    ) as number[];
    expect(sums.at(-1)).toBe(8_002_000);
  });

  test('a filter sees the item and its entries', () => {
    const filter = (condition: string): string =>
      `<filter><in>${literal('[{n: 1}, {n: 2}]')}</in><match>${literal(condition)}</match></filter>`;
    expect(valueOf(filter('n > 1'))).toEqual([{ n: 2 }]);
    expect(valueOf(filter('item.n = 1'))).toEqual([{ n: 1 }]);
    expect(valueOf(filter('"no boolean"'))).toBe(null);
  });

  test('a function definition closes over the entries before it, and an invocation binds by name', () => {
    const scale = `<functionDefinition><formalParameter name="x" typeRef="number"/>${literal('x * factor')}</functionDefinition>`;
    const invocation = (parameter: string, argument: string): string =>
      `<invocation>${literal('scale')}<binding><parameter name="${parameter}"/>${literal(argument)}</binding></invocation>`;
    const context = (call: string): string =>
      `<context>${entry('factor', literal('3'))}${entry('scale', scale)}<contextEntry>${call}</contextEntry></context>`;
    expect(valueOf(context(invocation('x', '4')))).toBe(12);
    expect(valueOf(context(invocation('y', '4')))).toBe(null);
    expect(valueOf(context(invocation('x', '"four"')))).toBe(null);
  });

  test('external functions cannot be called', () => {
    const logic = `<context>${entry('f', `<functionDefinition kind="Java">${literal('{class: "java.lang.Math"}')}</functionDefinition>`)}<contextEntry>${literal('f()')}</contextEntry></context>`;
    expect(evaluate(dmn(decision('d', logic)), {}, { mode: 'strict' })['d']!.error).toContain('External functions');
  });
});

describe('knowledge', () => {
  const knowledge = (name: string, parameters: string[], body: string, requires: string[] = []): string => {
    const formal = parameters.map((parameter) => `<formalParameter name="${parameter}"/>`).join('');
    const required = requires
      .map((id) => `<knowledgeRequirement><requiredKnowledge href="#${id}"/></knowledgeRequirement>`)
      .join('');
    return `<businessKnowledgeModel id="knowledge_${name}" name="${name}"><variable name="${name}"/><encapsulatedLogic>${formal}${literal(body)}</encapsulatedLogic>${required}</businessKnowledgeModel>`;
  };

  test('a business knowledge model is called by name, uses those it requires, and is a value', () => {
    const models =
      knowledge('double', ['x'], 'x * 2') + knowledge('quadruple', ['x'], 'double(double(x))', ['knowledge_double']);
    const d = decision('d', literal('quadruple(5)'), { requires: ['knowledge_quadruple'] });
    const sorted = decision('sorted', literal('sort([3, 1, 2], before)'), { requires: ['knowledge_before'] });
    const results = evaluate(dmn(models + knowledge('before', ['a', 'b'], 'a < b') + d + sorted));
    expect(results).toMatchObject({ d: { value: 20 }, sorted: { value: [1, 2, 3] } });
  });

  test('a decision does not see results that it does not require', () => {
    const models =
      input('amount') +
      knowledge('peek', [], 'amount') +
      decision('d', literal('peek()'), { requires: ['input_amount', 'knowledge_peek'] });
    expect(evaluate(dmn(models), { amount: 1 })['d']!.value).toBe(null);
  });

  test('functions that call each other forever end at the limit', () => {
    const models =
      knowledge('again', ['f'], 'f(f)') + decision('d', literal('again(again)'), { requires: ['knowledge_again'] });
    expect(evaluate(dmn(models))['d']).toMatchObject({ value: null, error: expect.stringContaining('limit') });
  });
});
