import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { scaled } from '../engine/random/seeds.js';

const MODEL = readFileSync(new URL('../../examples/order-fulfilment/order-fulfilment.bpmn', import.meta.url), 'utf8');
const TAGS = [...MODEL.matchAll(/<[^>]*>/g)].map(([tag]) => tag);

const tag = fc.constantFrom(...TAGS);
const attributeName = fc.constantFrom(
  'id',
  'name',
  'default',
  'sourceRef',
  'attachedToRef',
  'flowElements',
  'eventDefinitions',
  'laneSets',
  'rootElements',
  'body',
  'get',
  'zeebe:x',
);
const attributeValue = fc.constantFrom(
  '',
  '__proto__',
  'constructor',
  '=',
  '=1',
  'x y',
  '&lt;',
  'ReserveStock',
  'zeebe:x',
);

/** One change to the text of a model, such as a hand or a broken tool makes. */
const mutation = fc.oneof(
  tag.map((from) => (xml: string) => xml.replace(from, '')),
  fc.tuple(tag, tag).map(
    ([after, added]) =>
      (xml: string) =>
        xml.replace(after, after + added),
  ),
  tag.map((closed) => (xml: string) => xml.replace(closed, closed.replace(/\/?>$/, '/>'))),
  fc.tuple(tag, attributeName, attributeValue).map(
    ([from, name, value]) =>
      (xml: string) =>
        xml.replace(from, from.replace(/ [\w:]+="[^"]*"/, ` ${name}="${value}"`)),
  ),
  fc.tuple(tag, tag).map(
    ([from, other]) =>
      (xml: string) =>
        xml.replace(from, from.replace(/[\w:]+/, /[\w:]+/.exec(other)![0])),
  ),
  fc.tuple(tag, fc.string({ maxLength: 5 })).map(
    ([after, text]) =>
      (xml: string) =>
        xml.replace(after, after + text),
  ),
);

/** What engines, tools and hands put where it was not expected. */
const ODDITIES = [
  '<bpmn:documentation><bpmn:process id="x"/>text<zeebe:p><b>x</b></zeebe:p></bpmn:documentation>',
  '<bpmn:potentialOwner><bpmn:resourceAssignmentExpression><bpmn:formalExpression language="x">user(a),group(</bpmn:formalExpression></bpmn:resourceAssignmentExpression></bpmn:potentialOwner>',
  '<bpmn:performer><bpmn:resourceRef>ReserveStock</bpmn:resourceRef></bpmn:performer>',
  '<bpmn:sequenceFlow sourceRef="ReserveStock" targetRef="ReserveStock"/>',
  '<bpmn:sequenceFlow/>',
  '<bpmn:incoming><bpmn:incoming/></bpmn:incoming>',
  '<bpmn:textAnnotation id="ta"><bpmn:text><bpmn:text/><zeebe:x/></bpmn:text></bpmn:textAnnotation>',
  '<bpmn:association sourceRef="ReserveStock" targetRef="ReserveStock"/>',
  '<bpmn:conditionExpression xsi:type="bpmn:tProcess" language="groovy"><bpmn:startEvent/></bpmn:conditionExpression>',
  '<bpmn:multiInstanceLoopCharacteristics xsi:type="none:none"><bpmn:completionCondition>${loopCounter &gt; nrOfInstances}</bpmn:completionCondition></bpmn:multiInstanceLoopCharacteristics>',
  '<bpmn:adHocSubProcess id="ah"/>',
  '<bpmn:extensionElements><bpmn:process id="y"/><zeebe:taskDefinition/></bpmn:extensionElements>',
  '<bpmndi:BPMNDiagram><bpmndi:BPMNPlane bpmnElement=""/></bpmndi:BPMNDiagram>',
  '<bpmn:messageEventDefinition messageRef="ReserveStock" zeebe:class="x"/>',
  '<bpmn:laneSet><bpmn:lane><bpmn:flowNodeRef/></bpmn:lane></bpmn:laneSet>',
  '<bpmn:ioSpecification><bpmn:dataInput/><bpmn:inputSet><bpmn:optionalInputRefs/></bpmn:inputSet></bpmn:ioSpecification><bpmn:dataInputAssociation/>',
];

test('whatever is put into a model, the compiler answers with graphs or with problems', async () => {
  const places = [...MODEL.matchAll(/<bpmn:[^>]*[^/]>/g)].map(({ index, 0: found }) => index + found.length);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...places),
      fc.array(fc.constantFrom(...ODDITIES), { minLength: 1, maxLength: 3 }),
      async (place, added) => {
        const { processes, problems } = await compile(MODEL.slice(0, place) + added.join('') + MODEL.slice(place));

        expect(processes.length > 0).toBe(problems.every(({ severity }) => severity === 'warning'));
        expect(problems.map(({ message }) => message).join()).not.toMatch(/undefined|\[object|TypeError|Cannot read/);
      },
    ),
    { numRuns: scaled(200) },
  );
});

test('whatever is changed in a model, the compiler answers with graphs or with problems', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 4 }), async (mutations) => {
      const { processes, problems } = await compile(mutations.reduce((xml, mutate) => mutate(xml), MODEL));

      expect(processes.length > 0).toBe(problems.every(({ severity }) => severity === 'warning'));
    }),
    { numRuns: scaled(150) },
  );
});
