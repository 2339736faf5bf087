/** Bug reports of other DMN engines: see docs/public-cases.md. */
import { expect, test } from 'vitest';
import { decision, dmn, evaluate, input, literal, table, valueOf } from './support.js';

test('a rule for null matches null, and no other value (dmn-scala#3)', () => {
  const logic = table({
    inputs: ['amount'],
    outputs: ['o'],
    rules: [
      ['null', '"none"'],
      ['> 0', '"some"'],
    ],
  });
  expect([null, 1, 0].map((amount) => valueOf(logic, { amount }))).toEqual(['none', 'some', null]);
});

test('a decision service called with a value of another type is null, with a warning (incubator-kie-issues#1410)', () => {
  const service =
    '<decisionService id="knowledge_s" name="s"><variable name="s"/><outputDecision href="#out"/><inputDecision href="#given"/></decisionService>';
  const model = dmn(
    input('unused') +
      decision('given', literal('"never evaluated"'), { type: 'string' }) +
      decision('out', literal('given = null'), { requires: ['given'] }) +
      service +
      decision('d', literal('s(123)'), { requires: ['knowledge_s'] }) +
      decision('e', literal('s("text")'), { requires: ['knowledge_s'] }),
  );
  const { d, e } = evaluate(model, {}, { decisions: ['d', 'e'] });
  expect(e).toMatchObject({ value: false });
  expect(e!.warnings).toBeUndefined();
  expect(d).toMatchObject({
    value: null,
    warnings: [{ message: 'The argument "given" must have the type of its parameter, but is a number.' }],
  });
});
