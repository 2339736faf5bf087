import { expect, test } from 'vitest';
import { compensationHandlersOf } from '@perdure/bpmn/compile/compensation-handlers.js';
import { ModelCompiler } from '@perdure/bpmn/compile/compiler.js';
import { draw } from '@perdure/bpmn/read/drawing.js';
import { Diagnostics } from '@perdure/lib/model-files/diagnostics.js';
import { documentOf, through } from './support/model.js';

const BOUNDARY = '<bpmn:boundaryEvent id="b" attachedToRef="m"><bpmn:compensateEventDefinition/></bpmn:boundaryEvent>';
const ASSOCIATION = '<bpmn:association id="a" sourceRef="b" targetRef="h"/>';

async function handlersOf(beside: string) {
  const document = await documentOf(through('<bpmn:userTask id="m"/>', beside));
  const drawn = draw(document.find('p')!, new Diagnostics());
  const problems = new Diagnostics();
  const handlers = compensationHandlersOf(drawn, new ModelCompiler(problems));
  return {
    handlers: [...handlers],
    problems: problems.list().map(({ elementID, message }) => `${elementID}: ${message}`),
  };
}

test('an association leads from a compensation boundary event to its handler', async () => {
  expect(await handlersOf(`${BOUNDARY}<bpmn:userTask id="h" isForCompensation="true"/>${ASSOCIATION}`)).toEqual({
    handlers: [['b', 'h']],
    problems: [],
  });
});

test.each([
  ['no association', `${BOUNDARY}<bpmn:userTask id="h" isForCompensation="true"/>`],
  ['an association to an ordinary activity', `${BOUNDARY}<bpmn:userTask id="h"/>${ASSOCIATION}`],
  [
    'an association into another scope',
    `${BOUNDARY}<bpmn:subProcess id="sub"><bpmn:userTask id="h" isForCompensation="true"/></bpmn:subProcess>${ASSOCIATION}`,
  ],
])('a compensation boundary event with %s is refused', async (_what, beside) => {
  expect(await handlersOf(beside)).toEqual({
    handlers: [],
    problems: [
      'b: Compensation boundary event b needs an association to an activity in the same scope that has isForCompensation="true"',
    ],
  });
});
