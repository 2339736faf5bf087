import { describe, expect, test } from 'vitest';
import { compileModel, importedNamespaces } from '@perdure/dmn';
import { decision, dmn, evaluate, input, literal, problemsOf, table } from './support.js';

describe('reading', () => {
  test.each([
    ['1.1', 'http://www.omg.org/spec/DMN/20151101/dmn.xsd'],
    ['1.2', 'http://www.omg.org/spec/DMN/20180521/MODEL/'],
    ['1.3', 'https://www.omg.org/spec/DMN/20191111/MODEL/'],
    ['1.4', 'https://www.omg.org/spec/DMN/20211108/MODEL/'],
    ['1.5', 'https://www.omg.org/spec/DMN/20230324/MODEL/'],
  ])('files of DMN %s are read', (_version, namespace) => {
    expect(evaluate(dmn(decision('d', literal('1 + 1')), { namespace }))['d']!.value).toBe(2);
  });

  test('prefixes, character references, CDATA, diagrams and vendor extensions are accepted', () => {
    const xml = `<dmn:definitions xmlns:dmn="https://www.omg.org/spec/DMN/20191111/MODEL/" xmlns:dmndi="https://www.omg.org/spec/DMN/20191111/DMNDI/" xmlns:modeler="http://camunda.org/schema/modeler/1.0" id="m" name="m" namespace="n" modeler:executionPlatform="Camunda Cloud">
      <dmn:decision id="d" name="Compare &#38; choose"><dmn:extensionElements><modeler:decision id="hidden"/></dmn:extensionElements>
        <dmn:literalExpression><dmn:text><![CDATA[1 < 2 and "ü" != "&"]]></dmn:text></dmn:literalExpression></dmn:decision>
      <dmndi:DMNDI><dmndi:DMNDiagram id="d"/></dmndi:DMNDI></dmn:definitions>`;
    expect(evaluate(xml)['Compare & choose']).toMatchObject({ decisionID: 'd', value: true });
  });

  test('a decision as a modeler for Camunda writes it: no variables, no input data', () => {
    const dish = `<decision id="dish" name="Dish">${table({
      inputs: ['season', 'guestCount'],
      outputs: [{ name: 'desiredDish', type: 'string' }],
      rules: [
        ['"Winter"', '<= 8', '"Roastbeef"'],
        ['not("Winter")', '', '"Salad"'],
      ],
    })}</decision>`;
    const drink = `<decision id="drink" name="Drink"><informationRequirement><requiredDecision href="#dish"/></informationRequirement>${literal('"Water with " + Dish')}</decision>`;
    expect(evaluate(dmn(dish + drink), { season: 'Winter', guestCount: 4 })).toMatchObject({
      Dish: { value: 'Roastbeef' },
      Drink: { value: 'Water with Roastbeef' },
    });
  });

  test('names with spaces and signs are read as whole names', () => {
    const xml = dmn(
      input('due date', 'date').replace('input_due date', 'input_due') +
        `<decision id="d" name="d"><informationRequirement><requiredInput href="#input_due"/></informationRequirement>${literal('due date + @"P1D"')}</decision>`,
    );
    expect(evaluate(xml, { 'due date': '2026-11-21' })['d']!.value).toBe('2026-11-22');
  });

  test('imports are named without reading more', () => {
    expect(
      importedNamespaces(
        dmn('<import namespace="urn:a" name="a" importType="x"/><import namespace="urn:b" name="b" importType="y"/>'),
      ),
    ).toEqual(['urn:a', 'urn:b']);
    expect(importedNamespaces('<')).toEqual([]);
  });
});

describe('refusals', () => {
  test.each([
    ['no XML', 'hello', 'MALFORMED'],
    ['an open tag', '<definitions>', 'MALFORMED'],
    ['a DOCTYPE', '<!DOCTYPE d [<!ENTITY e SYSTEM "file:///etc/passwd">]><definitions/>', 'MALFORMED'],
    [
      'entities that multiply',
      `<!DOCTYPE d [<!ENTITY l0 "ha">${Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('')}]>${dmn('<description>&l9;</description>')}`,
      'MALFORMED',
    ],
    [
      'a parameter entity',
      '<!DOCTYPE d [<!ENTITY % e SYSTEM "http://127.0.0.1:1/e.dtd"> %e;]><definitions/>',
      'MALFORMED',
    ],
    ['a control character', dmn('\u0001'), 'MALFORMED'],
    ['depth', dmn(`${'<list>'.repeat(200)}${'</list>'.repeat(200)}`), 'TOO_LARGE'],
    ['many elements', dmn('<description/>'.repeat(100_001)), 'TOO_LARGE'],
    ['size', dmn(`<!-- ${'x'.repeat(4 * 1024 * 1024)} -->`), 'TOO_LARGE'],
  ])('a file with %s is refused', (_what, xml, reason) => {
    expect(compileModel(xml).refusal?.reason).toBe(reason);
  });

  test('another language than DMN', () => {
    expect(compileModel('<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"/>')).toEqual({
      problems: [{ severity: 'error', message: expect.stringContaining('DMN 1.1 to 1.5') }],
    });
  });
});

test('every problem of a file is named at once, with its element', () => {
  const xml = dmn(
    decision('syntax', literal('1 +')) +
      decision('language', literal('x', 'expressionLanguage="javascript"')) +
      decision('empty', literal(' ')) +
      decision('twice', literal('1')).replace('<variable', '<variable id="syntax"') +
      decision('lost', literal('1'), { requires: ['nothing'] }) +
      decision('ragged', table({ inputs: ['a', 'b'], outputs: ['o'], rules: [['1']] })) +
      decision('policy', table({ hitPolicy: 'SOMETIMES', inputs: ['a'], outputs: ['o'], rules: [] })) +
      decision('unknown function', literal('frobnicate(1)')) +
      decision('no date', literal('@"2026-02-30"')),
  );
  const found = problemsOf(xml);
  const messages = (severity: string): string[] =>
    found
      .filter((problem) => problem.severity === severity)
      .map(({ elementID, message }) => `${elementID}: ${message}`);
  expect(messages('error')).toEqual([
    expect.stringMatching(/^syntax: The id syntax is used twice/),
    expect.stringMatching(/^lost: .*no such element/),
    expect.stringMatching(/^syntax: .*not valid FEEL at line 1, column 4/),
    expect.stringMatching(/^language: .*"javascript" is not supported/),
    expect.stringMatching(/^empty: .*needs a text/),
    expect.stringMatching(/^r1: The rule has 1 input and 0 output entries/),
    expect.stringMatching(/^policy: The hit policy "SOMETIMES" does not exist/),
  ]);
  expect(messages('warning')).toEqual([
    expect.stringMatching(/^unknown function: .*frobnicate/),
    expect.stringMatching(/^no date: .*not a date, time, date and time, or duration/),
  ]);
});

test('the expression language of a file is that of every expression without its own (incubator-kie-issues#2099)', () => {
  const attributes = 'expressionLanguage="https://www.omg.org/spec/DMN/20240513/B-FEEL/"';
  const own = literal('2', 'expressionLanguage="feel"');
  expect(problemsOf(dmn(decision('a', literal('1')) + decision('b', literal('1')), { attributes }))).toEqual([
    { severity: 'error', elementID: 'model', message: expect.stringContaining('B-FEEL/" of "definitions"') },
  ]);
  const tests = decision('t', table({ inputs: ['1'], outputs: ['o'], rules: [['< 2', '3']] }));
  expect(problemsOf(dmn(tests, { attributes }))).toHaveLength(1);
  expect(problemsOf(dmn(decision('a', own), { attributes }))).toEqual([]);
  expect(problemsOf(dmn(decision('a', literal('1')), { attributes: 'expressionLanguage="FEEL"' }))).toEqual([]);
});

test('the type json of Camunda 7 is any value, and an unknown type is refused', () => {
  const typed = (type: string) => dmn(decision('a', literal('{b: 1}'), { type }));

  expect(problemsOf(typed('json'))).toEqual([]);
  expect(evaluate(typed('json'))['a']!.value).toEqual({ b: 1 });
  expect(problemsOf(typed('jsn'))).toEqual([
    { severity: 'error', elementID: 'a', message: 'There is no type named "jsn"' },
  ]);
});

test('a file with broken parts works but for them', () => {
  const compiled = compileModel(dmn(decision('broken', literal('1 +')) + decision('fine', literal('2'))));
  expect(compiled.model).toBeDefined();
  expect(compiled.problems).toHaveLength(1);
});
