import { describe, expect, test } from 'vitest';
import { decision, dmn, DMN_1_5, evaluate, input, literal, load, NOW, problemsOf } from './support.js';
import { compileModel, readContext } from '@perdure/dmn';
import { summarizeDecisions } from '@perdure/dmn/summary.js';

describe('decision requirements', () => {
  const graph = dmn(
    input('amount', 'number') +
      decision('net', literal('amount * 0.8'), { requires: ['input_amount'] }) +
      decision('gross', literal('net * 1.2'), { requires: ['net'] }) +
      decision('report', literal('{net: net, gross: gross}'), { requires: ['net', 'gross'] }),
  );

  test('a decision is evaluated with what it requires, which the answer shows', () => {
    const { report } = evaluate(graph, { amount: 100 }, { decisions: ['report'] });
    expect(report).toMatchObject({
      decisionID: 'report',
      type: 'DECISION',
      error: null,
      value: { net: 80, gross: 96 },
      dependencies: [
        { name: 'net', value: 80, dependencies: [{ name: 'amount', type: 'INPUT_DATA', value: 100 }] },
        { name: 'gross', value: 96, dependencies: [{ name: 'net', value: 80 }] },
      ],
    });
    expect(report!.dependencies![1]!.dependencies![0]).not.toHaveProperty('dependencies');
  });

  test('without names every decision is evaluated; unknown names are reported', () => {
    expect(Object.keys(evaluate(graph, { amount: 1 }))).toEqual(expect.arrayContaining(['net', 'gross', 'report']));
    expect(load(graph).evaluate({}, { decisions: ['report', 'nothing'] }, { now: NOW, mode: 'lenient' })).toEqual({
      ok: false,
      unknown: ['nothing'],
    });
  });

  test('names of the graph are seen through requirements alone; names it does not declare come from the caller', () => {
    const xml = dmn(input('amount') + decision('declared', literal('amount')) + decision('free', literal('season')));
    expect(evaluate(xml, { amount: 1, season: 'Winter' })).toMatchObject({
      declared: { value: null },
      free: { value: 'Winter' },
    });
    expect(problemsOf(xml)).toContainEqual(
      expect.objectContaining({
        severity: 'warning',
        elementID: 'declared',
        message: expect.stringContaining('not a requirement'),
      }),
    );
  });

  test('a failure is reported once where it happened, and by those that require it', () => {
    const results = evaluate(graph, { amount: 'much' }, { mode: 'strict' });
    expect(results['net']!.error).toContain('The required element "amount" failed');
    expect(results['report']!.error).toContain('The required element "net" failed');
  });

  test('missing input is null with a warning, or ends a strict evaluation', () => {
    expect(evaluate(graph, {})['net']).toMatchObject({
      value: null,
      error: null,
      warnings: [{ code: 'UNRESOLVED_VARIABLE', elementID: 'net' }, { code: 'TYPE_MISMATCH' }],
    });
    expect(evaluate(graph, {}, { mode: 'strict' })['net']!.error).toContain('no variable named "amount"');
  });

  test('a cycle is a problem', () => {
    const xml = dmn(
      decision('a', literal('b'), { requires: ['b'] }) + decision('b', literal('a'), { requires: ['a'] }),
    );
    expect(problemsOf(xml)).toContainEqual(
      expect.objectContaining({ severity: 'error', message: expect.stringContaining('requires itself') }),
    );
  });

  test('chains and diamonds of thousands of decisions are evaluated, with an answer of bounded size', () => {
    const count = 5000;
    const chain = dmn(
      Array.from({ length: count }, (_, index) =>
        decision(`d${index}`, literal(index === 0 ? '1' : `d${index - 1} + 1`), {
          requires: index === 0 ? [] : [`d${index - 1}`],
        }),
      ).join(''),
    );
    expect(evaluate(chain, {}, { decisions: [`d${count - 1}`] })[`d${count - 1}`]!.value).toBe(count);
    const diamonds = dmn(
      Array.from({ length: 60 }, (_, index) =>
        decision(`d${index}`, literal(index === 0 ? '1' : `d${index - 1}`), {
          requires: index < 2 ? (index === 0 ? [] : ['d0']) : [`d${index - 1}`, `d${index - 2}`],
        }),
      ).join(''),
    );
    expect(JSON.stringify(evaluate(diamonds)).length).toBeLessThan(100_000);
  });
});

describe('decision services', () => {
  const service = (name: string, parts: string): string =>
    `<decisionService id="knowledge_${name}" name="${name}"><variable name="${name}"/>${parts}</decisionService>`;
  const elements =
    input('amount', 'number') +
    decision('rate', literal('0.1')) +
    decision('tax', literal('amount * rate'), { requires: ['input_amount', 'rate'] }) +
    service('taxes', '<outputDecision href="#tax"/><inputDecision href="#rate"/><inputData href="#input_amount"/>') +
    service('both', '<outputDecision href="#tax"/><outputDecision href="#rate"/><inputData href="#input_amount"/>');

  test('is evaluated with given results of its input decisions', () => {
    expect(evaluate(dmn(elements), { amount: 100, rate: 0.5 }, { services: ['taxes'] })).toMatchObject({
      taxes: { type: 'DECISION_SERVICE', value: 50 },
    });
  });

  test('with several outputs answers a context', () => {
    expect(evaluate(dmn(elements), { amount: 100 }, { services: ['both'] })['both']!.value).toEqual({
      tax: 10,
      rate: 0.1,
    });
  });

  test('without an output decision is a warning until something calls it, and has no result', () => {
    const unused = dmn(elements + service('empty', '<inputData href="#input_amount"/>'));
    expect(problemsOf(unused)).toEqual([
      {
        severity: 'warning',
        elementID: 'knowledge_empty',
        message: 'The decision service "empty" needs an output decision before anything can call it',
      },
    ]);
    expect(evaluate(unused, { amount: 100 })).toMatchObject({ tax: { value: 10 } });
    expect(evaluate(unused, { amount: 100 }, { services: ['empty'], mode: 'strict' })['empty']).toMatchObject({
      value: null,
      error: expect.stringContaining('has no output decision'),
    });
    const caller = decision('d', literal('empty(1)'), { requires: ['knowledge_empty'] });
    expect(problemsOf(dmn(elements + service('empty', '') + caller))).toContainEqual({
      severity: 'error',
      elementID: 'knowledge_empty',
      message: 'The decision service "empty" needs an output decision',
    });
  });

  test('is a function of its input data, then its input decisions', () => {
    const caller = decision(
      'd',
      literal('[taxes(100, 0.2), taxes(rate: 0.3, amount: 100), taxes(100), taxes("a", 1)]'),
      { requires: ['knowledge_taxes'] },
    );
    expect(evaluate(dmn(elements + caller), {}, { decisions: ['d'] })['d']!.value).toEqual([20, 30, null, null]);
  });
});

describe('imports', () => {
  const importing = (name: string, body: string): string =>
    dmn(`<import namespace="https://example.org/base" name="${name}" importType="${DMN_1_5}"/>${body}`);
  const base = dmn(
    `<itemDefinition name="tRate"><typeRef>number</typeRef><allowedValues><text>[0..1]</text></allowedValues></itemDefinition>${input('base amount', 'number')}${decision('half amount', literal('base amount / 2'), { requires: ['input_base amount'] }).replaceAll('#input_base amount', '#input_base')}`
      .replace('id="input_base amount"', 'id="input_base"')
      .replace('id="half amount"', 'id="half"'),
    { target: 'https://example.org/base' },
  );
  const requires =
    '<informationRequirement><requiredDecision href="https://example.org/base#half"/></informationRequirement>';

  test('show the elements of a file under the name of the import', () => {
    const xml = importing('base', `<decision id="d" name="d">${requires}${literal('base.half amount + 1')}</decision>`);
    expect(evaluate(xml, { 'base amount': 10 }, { imported: [base] })['d']!.value).toBe(6);
    expect(evaluate(xml, { base: { 'base amount': 20 } }, { imported: [base] })['d']!.value).toBe(11);
  });

  test('without a name show them as own', () => {
    const xml = importing(
      '',
      `<decision id="d" name="d"><variable name="d" typeRef="tRate"/><informationRequirement><requiredDecision href="#half"/></informationRequirement>${literal('half amount')}</decision>`,
    );
    expect(evaluate(xml, { 'base amount': 1 }, { imported: [base] })['d']!.value).toBe(0.5);
    expect(evaluate(xml, { 'base amount': 8 }, { imported: [base] })['d']!.value).toBe(null);
  });

  test('of types go by the name of the import', () => {
    const xml = importing(
      'base',
      `<decision id="d" name="d"><variable name="d" typeRef="base.tRate"/>${literal('2')}</decision>`,
    );
    expect(evaluate(xml, {}, { imported: [base] })['d']!.value).toBe(null);
  });

  test('that are not given are a problem, and nothing is fetched', () => {
    const xml = dmn(
      `<import namespace="https://example.org/nowhere" name="x" locationURI="http://127.0.0.1:9/x.dmn" importType="${DMN_1_5}"/>${decision('d', literal('1'))}`,
    );
    expect(problemsOf(xml)).toContainEqual(
      expect.objectContaining({ severity: 'error', message: expect.stringContaining('not among the given files') }),
    );
  });
});

describe('types', () => {
  const person = `<itemDefinition name="tAge"><typeRef>number</typeRef><allowedValues><text>[0..150]</text></allowedValues></itemDefinition>
    <itemDefinition name="tPerson"><itemComponent name="name"><typeRef>string</typeRef></itemComponent><itemComponent name="born"><typeRef>date</typeRef></itemComponent><itemComponent name="age"><typeRef>tAge</typeRef></itemComponent></itemDefinition>
    <itemDefinition name="tPeople" isCollection="true"><typeRef>tPerson</typeRef></itemDefinition>`;
  const xml = dmn(
    person +
      input('people', 'tPeople') +
      decision('years', literal('for p in people return p.born.year'), { requires: ['input_people'] }),
  );

  test('strings of a typed input are read as dates where the type says so', () => {
    expect(evaluate(xml, { people: [{ name: 'Ann', born: '1990-05-01', age: 36 }] })['years']!.value).toEqual([1990]);
    expect(evaluate(xml, { people: { name: 'Ann', born: '1990-05-01', age: 36 } })['years']!.value).toEqual([1990]);
  });

  test.each([
    ['a component of another type', { name: 'Ann', born: 'yesterday', age: 36 }],
    ['a value that is not allowed', { name: 'Ann', born: '1990-05-01', age: 200 }],
    ['a missing component', { name: 'Ann', age: 20 }],
  ])('%s is refused', (_what, who) => {
    expect(evaluate(xml, { people: [who] }, { mode: 'strict' })['years']!.error).toContain('people');
    expect(evaluate(xml, { people: [who] })['years']!.dependencies![0]).toMatchObject({
      value: null,
      warnings: [{ elementID: 'input_people' }],
    });
  });

  test('a typed value may stand where no type is declared', () => {
    const free = dmn(input('when') + decision('d', literal('when.year'), { requires: ['input_when'] }));
    expect(evaluate(free, { when: { '@feel': 'date', value: '2026-01-31' } })['d']!.value).toBe(2026);
    expect(() => readContext({ when: { '@feel': 'date', value: 'P1D' } })).toThrow('date');
    expect(() => readContext({ when: { '@feel': 'money', value: '1' } })).toThrow('typed value');
  });

  test('results are fitted to the type of the decision', () => {
    const list = dmn(
      `<itemDefinition name="tList" isCollection="true"><typeRef>number</typeRef></itemDefinition>${decision('one', literal('[1]'), { type: 'number' })}${decision('many', literal('1'), { type: 'tList' })}${decision('wrong', literal('"a"'), { type: 'number' })}`,
    );
    expect(evaluate(list)).toMatchObject({
      one: { value: 1 },
      many: { value: [1] },
      wrong: { value: null, warnings: [{ code: 'TYPE_MISMATCH', elementID: 'wrong' }] },
    });
  });

  test('an unknown type is a problem at its element', () => {
    expect(problemsOf(dmn(decision('d', literal('1'), { type: 'tNothing' })))).toContainEqual(
      expect.objectContaining({ severity: 'error', elementID: 'd', message: expect.stringContaining('tNothing') }),
    );
  });

  test('allowed values of a derived type take the place of those it is derived from', () => {
    const types = `<itemDefinition name="tFirst"><typeRef>string</typeRef><allowedValues><text>"a", "b"</text></allowedValues></itemDefinition>
      <itemDefinition name="tCopy"><typeRef>tFirst</typeRef></itemDefinition>
      <itemDefinition name="tOther"><typeRef>tFirst</typeRef><allowedValues><text>"c"</text></allowedValues></itemDefinition>`;
    const results = evaluate(
      dmn(
        types +
          decision('copied', literal('"a"'), { type: 'tCopy' }) +
          decision('not copied', literal('"c"'), { type: 'tCopy' }) +
          decision('replaced', literal('"c"'), { type: 'tOther' }),
      ),
    );
    expect(results).toMatchObject({ copied: { value: 'a' }, 'not copied': { value: null }, replaced: { value: 'c' } });
  });

  test('types that contain themselves, or long chains of them, end', () => {
    const tree =
      '<itemDefinition name="tTree" isCollection="false"><itemComponent name="children" isCollection="true"><typeRef>tTree</typeRef></itemComponent></itemDefinition>';
    expect(evaluate(dmn(tree + decision('d', literal('{children: []}'), { type: 'tTree' })))['d']!.value).toEqual({
      children: [],
    });
    const chain = Array.from(
      { length: 5000 },
      (_, index) => `<itemDefinition name="t${index}"><typeRef>t${index + 1}</typeRef></itemDefinition>`,
    ).join('');
    expect(problemsOf(dmn(chain))).toContainEqual(
      expect.objectContaining({ severity: 'error', message: expect.stringContaining('has more than') }),
    );
  });
});

describe('the result of a required decision without a variable', () => {
  const unnamed = (id: string, name: string, logic: string, variable = ''): string =>
    `<decision id="${id}" name="${name}">${variable}${literal(logic)}</decision>`;
  const season = unnamed('season', 'Season', '"Winter"');
  const dish = (logic: string, requires: string[] = ['season']): string =>
    decision('dish', literal(logic), { requires });

  test.each(['season', 'Season'])('is %s, its id or its name, whatever variable has that name', (name) => {
    const xml = dmn(season + dish(name));
    expect(problemsOf(xml)).toEqual([]);
    expect(evaluate(xml, {}, { mode: 'strict' })['dish']!.value).toBe('Winter');
    expect(evaluate(xml, { season: 'Summer', Season: 'Summer' })['dish']!.value).toBe('Winter');
  });

  test('is not among the inputs of the decision that requires it', () => {
    const { model } = compileModel(dmn(season + dish('season + month')));
    expect(summarizeDecisions(model!).map(({ inputFields }) => inputFields)).toEqual([[], [{ name: 'month' }]]);
  });

  test('has the name of a declared variable alone', () => {
    const declared = unnamed('season', 'Season', '"Winter"', '<variable name="time of year"/>');
    const xml = dmn(declared + dish('[time of year, season]'));
    expect(evaluate(xml, { season: 'Summer' })['dish']!.value).toEqual(['Winter', 'Summer']);
  });

  test.each([
    ['a variable', decision('season', literal('"Fall"')).replace('id="season"', 'id="fall"')],
    ['a name', unnamed('fall', 'season', '"Fall"')],
  ])('leaves its id to another requirement that has it as %s', (_, other) => {
    for (const requires of [
      ['season', 'fall'],
      ['fall', 'season'],
    ])
      expect(evaluate(dmn(season + other + dish('[season, Season]', requires)))['dish']!.value).toEqual([
        'Fall',
        'Winter',
      ]);
  });

  test('leaves its id to input data of that name, given or not', () => {
    const xml = dmn(input('season') + season + dish('season', ['input_season', 'season']));
    expect(evaluate(xml, { season: 'Fall' })['dish']!.value).toBe('Fall');
    expect(evaluate(xml)['dish']!.value).toBeNull();
  });

  test('does not make a name of a subtraction, but of an id in backticks', () => {
    const xml = dmn(
      unnamed('net', 'Net', '5') + unnamed('net-1', 'Last', '9') + dish('[net-1, net - 1, `net-1`]', ['net', 'net-1']),
    );
    expect(evaluate(xml)['dish']!.value).toEqual([4, 4, 9]);
  });

  test('is an entry of the name of its import too', () => {
    const base = dmn(season, { target: 'urn:base' });
    const xml = dmn(
      `<import namespace="urn:base" name="base" importType="${DMN_1_5}"/>` +
        dish('[base.season, base.Season]', ['x']).replace('#x', 'urn:base#season'),
    );
    expect(evaluate(xml, {}, { imported: [base] })['dish']!.value).toEqual(['Winter', 'Winter']);
  });
});
