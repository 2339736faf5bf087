import { describe, expect, test } from 'vitest';
import { compileModel } from '@perdure/dmn';
import { decision, dmn, evaluate, input, table, valueOf, type TableText } from './support.js';

const discount = (hitPolicy: string, more: Partial<TableText> = {}): string =>
  table({
    hitPolicy,
    inputs: ['amount'],
    outputs: [{ name: 'discount', values: '"gold", "silver", "bronze"' }],
    rules: [
      ['> 10', '"bronze"'],
      ['> 100', '"silver"'],
      ['> 1000', '"gold"'],
      ['> 1000', '"gold"'],
    ],
    ...more,
  });

describe('hit policies', () => {
  test.each([
    ['UNIQUE', 50, 'bronze'],
    ['UNIQUE', 1, null],
    ['FIRST', 5000, 'bronze'],
    ['PRIORITY', 5000, 'gold'],
    ['PRIORITY', 500, 'silver'],
    ['ANY', 50, 'bronze'],
    ['RULE ORDER', 5000, ['bronze', 'silver', 'gold', 'gold']],
    ['OUTPUT ORDER', 5000, ['gold', 'gold', 'silver', 'bronze']],
    ['COLLECT', 500, ['bronze', 'silver']],
    ['COLLECT', 1, null],
  ])('%s gives for %d', (hitPolicy, amount, expected) => {
    expect(valueOf(discount(hitPolicy), { amount })).toEqual(expected);
  });

  test.each([
    ['SUM', 60],
    ['COUNT', 3],
    ['MIN', 10],
    ['MAX', 30],
  ])('COLLECT with %s', (aggregation, expected) => {
    const collected = table({
      hitPolicy: 'COLLECT',
      inputs: ['amount'],
      outputs: ['points'],
      attributes: `aggregation="${aggregation}"`,
      rules: [
        ['> 1', '10'],
        ['> 2', '20'],
        ['-', '30'],
        ['> 99', '40'],
      ],
    });
    expect(valueOf(collected, { amount: 5 })).toBe(expected);
  });

  test.each([
    ['UNIQUE', '3 rules match'],
    ['ANY', 'different outputs'],
  ])('%s says when rules contradict it', (hitPolicy, message) => {
    const rules = [
      ['> 1', '1'],
      ['> 2', '2'],
      ['> 3', '2'],
    ];
    const xml = dmn(
      input('amount') +
        decision('d', table({ hitPolicy, inputs: ['amount'], outputs: ['o'], rules }), { requires: ['input_amount'] }),
    );
    const lenient = evaluate(xml, { amount: 9 })['d']!;
    expect(lenient).toMatchObject({
      value: null,
      error: null,
      warnings: [{ code: 'HIT_POLICY', message: expect.stringContaining(message), elementID: 'd' }],
    });
    const strict = evaluate(xml, { amount: 9 }, { mode: 'strict' })['d']!;
    expect(strict).toMatchObject({ value: null, error: expect.stringContaining(message) });
  });

  test('ANY accepts rules that agree', () => {
    expect(
      valueOf(
        discount('ANY', {
          rules: [
            ['> 1', '"gold"'],
            ['> 2', '"gold"'],
          ],
        }),
        { amount: 9 },
      ),
    ).toBe('gold');
  });

  test('several outputs are a context, and the first column weighs most in PRIORITY', () => {
    const logic = table({
      hitPolicy: 'PRIORITY',
      inputs: ['amount'],
      rules: [
        ['-', '"low"', '"a"'],
        ['-', '"high"', '"b"'],
        ['-', '"high"', '"a"'],
      ],
      outputs: [
        { name: 'risk', values: '"high", "low"' },
        { name: 'route', values: '"a", "b"' },
      ],
    });
    expect(valueOf(logic, { amount: 1 })).toEqual({ risk: 'high', route: 'a' });
  });
});

test('the default output applies if no rule matches', () => {
  const outputs = [
    { name: 'risk', fallback: '"none"' },
    { name: 'score', fallback: '0' },
  ];
  expect(valueOf(table({ inputs: ['amount'], outputs, rules: [['> 100', '"high"', '9']] }), { amount: 1 })).toEqual({
    risk: 'none',
    score: 0,
  });
});

test('matched rules are reported with their outputs', () => {
  const xml = dmn(input('amount') + decision('d', discount('RULE ORDER'), { requires: ['input_amount'] }));
  expect(evaluate(xml, { amount: 500 })['d']!.hitRules).toEqual([
    { ruleID: 'r1', outputs: 'bronze' },
    { ruleID: 'r2', outputs: 'silver' },
  ]);
});

describe('cells', () => {
  test.each([
    ['-', 5, true],
    ['5', 5, true],
    ['not(5)', 5, false],
    ['3, 5, 7', 5, true],
    ['[1..5)', 5, false],
    ['? > 2 and ? < 9', 5, true],
    ['"a", "b"', 'b', true],
    ['null', null, true],
    ['not(null)', null, false],
    ['< limit', 5, true],
  ])('%s tests %s', (cell, amount, expected) => {
    const logic = table({
      hitPolicy: 'FIRST',
      inputs: ['amount'],
      outputs: ['o'],
      rules: [
        [cell, 'true'],
        ['-', 'false'],
      ],
    });
    expect(valueOf(logic, { amount, limit: 9 })).toBe(expected);
  });

  test('an empty cell tests nothing', () => {
    expect(valueOf(table({ inputs: ['amount'], outputs: ['o'], rules: [['', '1']] }), { amount: 5 })).toBe(1);
  });

  test('a null input skips tests that do not apply to null, in strict mode too', () => {
    const logic = table({
      inputs: ['amount'],
      outputs: ['o'],
      rules: [
        ['< 5', '"small"'],
        ['null', '"unknown"'],
      ],
    });
    expect(valueOf(logic, { amount: null }, { mode: 'strict' })).toBe('unknown');
  });

  test('an input of another type than the tests ends a strict evaluation at the rule', () => {
    const xml = dmn(
      input('amount') +
        decision('d', table({ inputs: ['amount'], outputs: ['o'], rules: [['< 5', '1']] }), {
          requires: ['input_amount'],
        }),
    );
    const { error, value } = evaluate(xml, { amount: 'many' }, { mode: 'strict' })['d']!;
    expect({ error, value }).toEqual({ error: expect.stringContaining('string'), value: null });
    expect(evaluate(xml, { amount: 'many' })['d']!.warnings).toContainEqual(
      expect.objectContaining({ code: 'TYPE_MISMATCH', elementID: 'r1' }),
    );
  });
});

test('an input that is not among the input values gives null', () => {
  const logic = `<decisionTable><input id="in"><inputExpression><text>color</text></inputExpression><inputValues><text>"red", "green"</text></inputValues></input>
    <output name="o"/><rule id="r"><inputEntry><text>-</text></inputEntry><outputEntry><text>1</text></outputEntry></rule></decisionTable>`;
  const xml = dmn(input('color') + decision('d', logic, { requires: ['input_color'] }));
  expect(evaluate(xml, { color: 'red' })['d']!.value).toBe(1);
  expect(evaluate(xml, { color: 'blue' }, { mode: 'strict' })['d']!.error).toContain(
    'not among the allowed input values',
  );
});

test('an output that is not among the output values is null, or ends a strict evaluation', () => {
  const logic = table({
    inputs: ['amount'],
    outputs: [{ name: 'o', values: '"a", [1..5]' }],
    rules: [
      ['1', '"a"'],
      ['2', '3'],
      ['3', '"b"'],
      ['4', 'null'],
    ],
  });
  expect([1, 2, 3, 4].map((amount) => valueOf(logic, { amount }))).toEqual(['a', 3, null, null]);
  const xml = dmn(input('amount') + decision('d', logic, { requires: ['input_amount'] }));
  expect(evaluate(xml, { amount: 3 }, { mode: 'strict' })['d']!.error).toContain('not among the output values');
});

describe('an input with a name in its cells, as in Camunda 7', () => {
  const CAMUNDA = 'xmlns:camunda="http://camunda.org/schema/1.0/dmn"';
  const sized = (input: string, cells: string[], attributes = CAMUNDA) =>
    dmn(
      decision(
        'size',
        `<decisionTable hitPolicy="FIRST">${input}<output name="r"/>${[...cells, '-'].map((cell, row) => `<rule><inputEntry><text>${cell}</text></inputEntry><outputEntry><text>${row}</text></outputEntry></rule>`).join('')}</decisionTable>`,
      ),
      { attributes },
    );
  const TOTAL = '<inputExpression typeRef="number"><text>invoice.total</text></inputExpression>';
  const named = `<input camunda:inputVariable="amount">${TOTAL}</input>`;

  test.each([
    ['its name', named, 'amount &gt; 100', { invoice: { total: 500 } }, 0],
    ['its name, which hides a variable', named, 'amount &gt; 100', { amount: 1, invoice: { total: 500 } }, 0],
    ['its name, which does not match', named, 'amount &gt; 100', { invoice: { total: 5 } }, 1],
    ['null', named, 'amount = null', { invoice: { total: null } }, 0],
    ['the default name', `<input>${TOTAL}</input>`, 'cellInput &gt; 100', { invoice: { total: 500 } }, 0],
    ['no expression', '<input camunda:inputVariable="amount"/>', '&gt; 100', { amount: 500 }, 0],
    [
      'an empty expression',
      '<input camunda:inputVariable="amount"><inputExpression typeRef="number"/></input>',
      'amount &gt; 100',
      { amount: 500 },
      0,
    ],
  ])('is read by %s', (_what, column, cell, context, row) => {
    expect(evaluate(sized(column, [cell]), context)['size']).toMatchObject({ value: row, error: null });
  });

  test('does not have it in other columns, outputs, and files', () => {
    const other = dmn(
      decision(
        'size',
        `<decisionTable hitPolicy="FIRST">${named}<input><inputExpression><text>x</text></inputExpression></input><output name="r"/><rule><inputEntry><text>amount &gt; 100</text></inputEntry><inputEntry><text>amount = 1</text></inputEntry><outputEntry><text>amount</text></outputEntry></rule></decisionTable>`,
      ),
      { attributes: CAMUNDA },
    );
    expect(evaluate(other, { amount: 1, x: 0, invoice: { total: 500 } })['size']?.value).toBe(1);
    const plain = sized(`<input>${TOTAL}</input>`, ['cellInput &gt; 100'], '');
    expect(evaluate(plain, { cellInput: 101, invoice: { total: 1 } })['size']?.value).toBe(0);
  });
});

test('extensions of other engines are named in one warning unless they run or are notes', () => {
  const file = dmn(
    decision('d', '<literalExpression><text>1</text></literalExpression>')
      .replace(
        '<variable',
        '<extensionElements><z:versionTag value="1"/><z:properties><z:property/></z:properties><z:magic/><t:note/></extensionElements><variable',
      )
      .replace('<decision ', '<decision c:historyTimeToLive="P5D" c:versionTag="2" c:inputVariable="x" t:color="red" '),
    {
      attributes:
        'xmlns:c="http://camunda.org/schema/1.0/dmn" xmlns:z="http://camunda.org/schema/zeebe/1.0" xmlns:t="urn:tool" c:diagramRelationId="1"',
    },
  );
  expect(problemsIn(file)).toEqual([
    'warning model: Extensions of other engines are ignored: c:historyTimeToLive (first at d), c:inputVariable (first at d), z:magic (first at d)',
  ]);
});

test('two outputs of one name are an error', () => {
  expect(
    problemsIn(dmn(decision('d', table({ inputs: ['x'], outputs: ['r', 'r', 'q'], rules: [['-', '1', '2', '3']] })))),
  ).toContainEqual(expect.stringMatching(/^error .*: Two outputs of the decision table are named "r"/));
});

function problemsIn(xml: string): string[] {
  return compileModel(xml).problems.map(({ severity, elementID, message }) => `${severity} ${elementID}: ${message}`);
}
