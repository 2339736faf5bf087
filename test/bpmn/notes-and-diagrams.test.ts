import { expect, test } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { graphOf, nodeOf, problemsOf, through } from './support/model.js';

const TASK = '<bpmn:userTask id="m"/>';
const DI =
  'xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:x="urn:tool" xmlns:color="http://www.omg.org/spec/BPMN/non-normative/color/1.0"';

function drawn(diagram: string, xml = through(TASK)): string {
  return xml.replace(
    '</bpmn:definitions>',
    `<bpmndi:BPMNDiagram ${DI} id="diagram">${diagram}</bpmndi:BPMNDiagram></bpmn:definitions>`,
  );
}

test.each([
  [
    'its own extension',
    '<bpmndi:BPMNPlane id="plane" bpmnElement="p"><di:extension><x:note><x:deep/></x:note></di:extension></bpmndi:BPMNPlane>',
  ],
  [
    'colors at a label',
    '<bpmndi:BPMNPlane bpmnElement="p"><bpmndi:BPMNShape bpmnElement="m"><dc:Bounds x="1" y="1" width="1" height="1"/><bpmndi:BPMNLabel color:background-color="#fff" x:fill="red"/></bpmndi:BPMNShape></bpmndi:BPMNPlane>',
  ],
  [
    'elements that no version of BPMN has',
    '<bpmndi:BPMNPlane bpmnElement="p"><bpmndi:BPMNSphere radius="none">text</bpmndi:BPMNSphere><dc:Bounds/></bpmndi:BPMNPlane>',
  ],
  ['the id of an element of the process', '<bpmndi:BPMNPlane id="m" bpmnElement="p"/>'],
  [
    'the ids of its styles',
    '<bpmndi:BPMNPlane bpmnElement="p"><bpmndi:BPMNShape bpmnElement="m"><bpmndi:BPMNLabel labelStyle="style"/></bpmndi:BPMNShape></bpmndi:BPMNPlane><bpmndi:BPMNLabelStyle id="style"/>',
  ],
])('a diagram with %s does not matter to execution', async (_what, diagram) => {
  const { problems, processes } = await compile(drawn(diagram));

  expect(problems).toEqual([]);
  expect(processes[0]!.sha256).toBe((await compile(through(TASK))).processes[0]!.sha256);
});

test('references of a diagram to missing elements are one warning', async () => {
  const shapes = ['gone', 'm', 'lost', 'gone'].map((id) => `<bpmndi:BPMNShape bpmnElement="${id}"/>`).join('');

  expect(await problemsOf(drawn(`<bpmndi:BPMNPlane bpmnElement="old">${shapes}</bpmndi:BPMNPlane>`))).toEqual([
    'warning -: The diagram refers to "old", "gone", "lost", but the file has no such element. Execution is not affected. Redraw these elements to repair the diagram.',
  ]);
});

test('a diagram of ten thousand elements that are gone is one short warning', async () => {
  const shapes = Array.from({ length: 10_000 }, (_, n) => `<bpmndi:BPMNShape bpmnElement="gone-${n}"/>`).join('');

  const [warning, ...others] = await problemsOf(
    drawn(`<bpmndi:BPMNPlane bpmnElement="p">${shapes}</bpmndi:BPMNPlane>`),
  );

  expect(others).toEqual([]);
  expect(warning).toMatch(/"gone-9" and 9990 more, but/);
});

test.each([
  [
    'elements of HTML',
    '<bpmn:documentation>See <p xmlns="http://www.w3.org/1999/xhtml">the <b>manual</b></p>.</bpmn:documentation>',
  ],
  [
    'elements without their own namespace',
    '<bpmn:documentation><bpmn:p>The <bpmn:b>manual</bpmn:b></bpmn:p></bpmn:documentation>',
  ],
])('documentation may hold %s', async (_what, documentation) => {
  expect(await problemsOf(through(`<bpmn:userTask id="m">${documentation}</bpmn:userTask>`))).toEqual([]);
});

test('the text of an annotation may hold elements', async () => {
  const annotation =
    '<bpmn:textAnnotation id="a"><bpmn:text>See <x:p xmlns:x="urn:x">the <bpmn:process/></x:p>.</bpmn:text></bpmn:textAnnotation>';

  expect(await problemsOf(through(TASK, annotation))).toEqual([]);
});

test('elements inside an extension element stay what they are', async () => {
  const mapping =
    '<bpmn:extensionElements><zeebe:ioMapping><zeebe:input source="=1" target="x"/></zeebe:ioMapping></bpmn:extensionElements>';

  expect(
    nodeOf(await graphOf(through(`<bpmn:userTask id="m">${mapping}</bpmn:userTask>`)), 'userTask').inputs,
  ).toHaveLength(1);
});

test.each([
  [
    'a script',
    '<bpmn:scriptTask id="m"><bpmn:script>1 + <other:x/></bpmn:script></bpmn:scriptTask>',
    'unexpected element <other:x> inside scriptTask',
  ],
  [
    'a reference',
    '<bpmn:userTask id="m"><bpmn:incoming>in<other:x/></bpmn:incoming></bpmn:userTask>',
    'expected no sub nodes inside userTask',
  ],
  ['a task', '<bpmn:userTask id="m"><other:x/></bpmn:userTask>', 'unrecognized element <other:x> inside userTask'],
  [
    'a condition',
    '<bpmn:intermediateCatchEvent id="m"><bpmn:conditionalEventDefinition><bpmn:condition>a<other:x/></bpmn:condition></bpmn:conditionalEventDefinition></bpmn:intermediateCatchEvent>',
    'unrecognized element <other:x> inside expression',
  ],
  [
    'an expression of an unknown type',
    '<bpmn:adHocSubProcess id="m"><bpmn:task id="t"/><bpmn:completionCondition xsi:type="zeebe:magic">=true</bpmn:completionCondition></bpmn:adHocSubProcess>',
    'unknown xsi:type "zeebe:magic" of <bpmn:completionCondition> inside adHocSubProcess',
  ],
])('%s with something inside that does not belong there names its element', async (_what, element, message) => {
  const errors = (await problemsOf(through(element))).filter((line) => line.startsWith('error'));

  expect(errors[0]).toMatch(/^error m: Line 2, column \d+: /);
  expect(errors[0]!.endsWith(`: ${message}`)).toBe(true);
});

const JBPM = 'http://www.jboss.org/drools';
const twice = (xml: string) =>
  xml.replace('<bpmn:definitions ', `<bpmn:definitions xmlns="${JBPM}" xmlns:tns="${JBPM}" `);
const IGNORED = 'warning p: Extensions of other engines are ignored:';

test.each([
  [
    'at every element',
    twice(through(TASK))
      .replace('<bpmn:process id="p"', '<bpmn:process id="p" tns:packageName="com.example" tns:version="1.0"')
      .replace('<bpmn:sequenceFlow id="in"', '<bpmn:sequenceFlow id="in" tns:priority="1"'),
    [`${IGNORED} tns:packageName (first at p), tns:version (first at p), tns:priority (first at in)`],
  ],
  [
    'next to attributes of BPMN with the same names',
    twice(through('<bpmn:userTask name="Own" tns:name="Theirs" tns:id="x" id="m"/>')),
    [`${IGNORED} tns:name (first at m), tns:id (first at m)`],
  ],
  [
    'after content that is not read',
    drawn(
      '<bpmndi:BPMNPlane bpmnElement="p"><bpmndi:BPMNShape bpmnElement="m"/></bpmndi:BPMNPlane>',
      twice(
        through('<bpmn:userTask id="m"><bpmn:documentation><b>x</b><b><c/></b></bpmn:documentation></bpmn:userTask>'),
      ),
    ).replace('<bpmn:endEvent id="e"', '<bpmn:endEvent id="e" tns:version="1"'),
    [`${IGNORED} tns:version (first at e)`],
  ],
])('an attribute keeps its namespace if it is also the default one, %s', async (_what, xml, expected) => {
  expect(await problemsOf(xml)).toEqual(expected);
});

test('such an attribute does not replace one of BPMN', async () => {
  const graph = await graphOf(twice(through('<bpmn:userTask name="Own" tns:name="Theirs" tns:id="x" id="m"/>')));

  expect(nodeOf(graph, 'userTask').name).toBe('Own');
});

const CAMUNDA_7 = 'http://camunda.org/schema/1.0/bpmn';
const CAMUNDA_8 = 'http://camunda.org/schema/zeebe/1.0';
const OF_CAMUNDA_8 = 'warning p: Extensions of Camunda 8 are ignored:';

/** A user task with this extension element, in a file that declares no namespace of an engine. */
const undeclared = (extension: string, task = 'bpmn:userTask id="m"') =>
  through(`<${task}><bpmn:extensionElements>${extension}</bpmn:extensionElements></bpmn:userTask>`).replace(
    /<bpmn:definitions [^>]*>/,
    (tag) => tag.replace(/ xmlns:(zeebe|camunda)="[^"]*"/g, ''),
  );

test.each([
  [
    'the file',
    undeclared('<magic/>').replace('<bpmn:definitions ', `<bpmn:definitions xmlns="${CAMUNDA_7}" `),
    `${IGNORED} magic (first at m)`,
  ],
  ['itself', undeclared(`<magic xmlns="${CAMUNDA_7}"/>`), `${IGNORED} magic (first at m)`],
  ['itself', undeclared(`<later xmlns="${CAMUNDA_8}"/>`), `${OF_CAMUNDA_8} later (first at m)`],
  ['itself, with a prefix', undeclared(`<z:later xmlns:z="${CAMUNDA_8}"/>`), `${OF_CAMUNDA_8} z:later (first at m)`],
  [
    'itself, at the wrong place',
    undeclared(`<calledDecision xmlns="${CAMUNDA_8}" decisionId="d"/>`),
    `${OF_CAMUNDA_8} calledDecision at userTask (first at m)`,
  ],
  [
    'its task',
    undeclared('<later/>', `bpmn:userTask id="m" xmlns="${CAMUNDA_8}"`),
    `${OF_CAMUNDA_8} later (first at m)`,
  ],
  [
    'the element around it',
    undeclared('<later/>').replace('<bpmn:extensionElements', `<bpmn:extensionElements xmlns="${CAMUNDA_8}"`),
    `${OF_CAMUNDA_8} later (first at m)`,
  ],
  [
    'itself, where a prefix means something else',
    undeclared(`<zeebe:note xmlns:zeebe="urn:tool"/><later xmlns="${CAMUNDA_8}"/>`),
    `${OF_CAMUNDA_8} later (first at m)`,
  ],
  [
    'itself, and code that must not be dropped',
    undeclared(`<onEntry-script xmlns="${JBPM}" scriptFormat="java"/>`),
    'error m: Extension element onEntry-script is not supported: use a separate task before the element',
  ],
])(
  'an extension has the verdict of its engine, with a namespace that is declared at %s',
  async (_where, xml, expected) => {
    expect(await problemsOf(xml)).toEqual([expected]);
  },
);

test('an attribute has the verdict of its engine, whatever prefix its element declares', async () => {
  const first = through(`<bpmn:task id="m" xmlns:a="${CAMUNDA_8}" a:retryCounter="1"/>`);
  const both = first
    .replace(/ xmlns:zeebe="[^"]*"/, '')
    .replace('<bpmn:endEvent id="e"', `<bpmn:endEvent id="e" xmlns:b="${CAMUNDA_8}" b:later="1"`);

  expect(await problemsOf(both)).toEqual([`${OF_CAMUNDA_8} a:retryCounter (first at m), a:later (first at e)`]);
});

test('a note has none, even with a prefix that an engine uses elsewhere', async () => {
  expect(await problemsOf(undeclared('<zeebe:later xmlns:zeebe="urn:tool"/><later/>'))).toEqual([]);
});
