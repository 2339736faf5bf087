import { expect, test } from 'vitest';
import { ModelCompiler } from '@perdure/bpmn/compile/compiler.js';
import { compileLoop } from '@perdure/bpmn/compile/loops.js';
import { Diagnostics } from '@perdure/lib/model-files/diagnostics.js';
import { documentOf, through } from './support/model.js';

async function loopOf(characteristics: string) {
  const document = await documentOf(through(`<bpmn:userTask id="m">${characteristics}</bpmn:userTask>`));
  const problems = new Diagnostics();
  const loop = compileLoop(document.find('m')!, new ModelCompiler(problems));
  return { loop, problems: problems.list().map(({ message }) => message) };
}

test('a multi-instance activity runs over a collection', async () => {
  const { loop, problems } =
    await loopOf(`<bpmn:multiInstanceLoopCharacteristics isSequential="true"><bpmn:extensionElements>
    <zeebe:loopCharacteristics inputCollection="=items" inputElement="item" outputCollection="results" outputElement="=result"/></bpmn:extensionElements>
    <bpmn:completionCondition xsi:type="bpmn:tFormalExpression">=numberOfCompletedInstances &gt; 2</bpmn:completionCondition></bpmn:multiInstanceLoopCharacteristics>`);

  expect(problems).toEqual([]);
  expect(loop).toMatchObject({
    kind: 'multiInstance',
    sequential: true,
    collection: { feel: {} },
    inputElement: 'item',
    outputCollection: 'results',
    outputElement: { feel: {} },
    completionCondition: { feel: {} },
  });
});

test('a multi-instance activity without a collection is refused', async () => {
  expect(await loopOf('<bpmn:multiInstanceLoopCharacteristics/>')).toEqual({
    loop: undefined,
    problems: [expect.stringContaining('A multi-instance activity needs a collection to iterate over')],
  });
});

test('names that are not variable names are refused', async () => {
  const { problems } = await loopOf(
    '<bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=items" inputElement="an item"/></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics>',
  );

  expect(problems).toEqual(['The inputElement must be a variable name, but is "an item"']);
});

test('a standard loop has a condition, a maximum, or both', async () => {
  const { loop, problems } = await loopOf(
    '<bpmn:standardLoopCharacteristics testBefore="true" loopMaximum="3"><bpmn:loopCondition>=again</bpmn:loopCondition></bpmn:standardLoopCharacteristics>',
  );

  expect(problems).toEqual([]);
  expect(loop).toMatchObject({ kind: 'standard', testBefore: true, condition: { feel: {} }, maximum: { literal: 3 } });
});

test('a standard loop that would never end is refused', async () => {
  expect((await loopOf('<bpmn:standardLoopCharacteristics/>')).problems).toEqual([
    'A standard loop needs a loopCondition or a loopMaximum, otherwise it never ends',
  ]);
  expect((await loopOf('<bpmn:standardLoopCharacteristics loopMaximum="many"/>')).problems).toEqual([
    'loopMaximum must be a whole number, but is "many"',
  ]);
});
