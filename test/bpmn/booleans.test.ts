import { expect, test } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import type { Node } from '@perdure/engine/model/graph.js';
import { processFile, flow } from './support/model.js';

/** Every boolean attribute that the engine looks at, in one model. */
const model = (yes: string, no: string) =>
  processFile(`<bpmn:startEvent id="s"/>
    <bpmn:adHocSubProcess id="adHoc" cancelRemainingInstances="${no}"><bpmn:task id="inside"/></bpmn:adHocSubProcess>
    <bpmn:task id="many"><bpmn:multiInstanceLoopCharacteristics isSequential="${yes}"><bpmn:loopCardinality>=2</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics></bpmn:task>
    <bpmn:task id="again"><bpmn:standardLoopCharacteristics testBefore="${yes}" loopMaximum="2"/></bpmn:task>
    <bpmn:boundaryEvent id="late" attachedToRef="again" cancelActivity="${no}"><bpmn:timerEventDefinition><bpmn:timeDuration>PT1M</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:boundaryEvent>
    <bpmn:intermediateThrowEvent id="undo"><bpmn:compensateEventDefinition waitForCompletion="${no}"/></bpmn:intermediateThrowEvent>
    <bpmn:task id="handler" isForCompensation="${yes}"/>
    <bpmn:subProcess id="hears" triggeredByEvent="${yes}">
      <bpmn:startEvent id="heard" isInterrupting="${no}" parallelMultiple="${yes}">
        <bpmn:conditionalEventDefinition><bpmn:condition>=a</bpmn:condition></bpmn:conditionalEventDefinition><bpmn:conditionalEventDefinition><bpmn:condition>=b</bpmn:condition></bpmn:conditionalEventDefinition>
      </bpmn:startEvent>
    </bpmn:subProcess>
    <bpmn:endEvent id="e"/>
    ${flow('a', 's', 'adHoc')}${flow('b', 'adHoc', 'many')}${flow('c', 'many', 'again')}${flow('d', 'again', 'undo')}${flow('f', 'undo', 'e')}`).replace(
    'isExecutable="true"',
    `isExecutable="${yes}"`,
  );

async function nodesOf(xml: string): Promise<Node[]> {
  const { problems, processes } = await compile(xml);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  return processes[0]!.graph.nodes;
}

test.each([
  ['1', '0'],
  [' true ', ' false '],
])('%s and %s are as good as true and false', async (yes, no) => {
  const plain = await nodesOf(model('true', 'false'));
  expect(await nodesOf(model(yes, no))).toEqual(plain);
  const byID = new Map(plain.map((node) => [node.id, node]));
  expect(byID.get('adHoc')).toMatchObject({ keepsRemaining: true });
  expect(byID.get('many')).toMatchObject({ loop: { sequential: true } });
  expect(byID.get('again')).toMatchObject({ loop: { testBefore: true } });
  expect(byID.get('late')).toMatchObject({ interrupting: false });
  expect(byID.get('undo')).toMatchObject({ triggers: [{ goesOn: true }] });
  expect(byID.get('handler')).toMatchObject({ forCompensation: true });
  expect(byID.get('heard')).toMatchObject({ interrupting: false, parallelMultiple: true });
});
