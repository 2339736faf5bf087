import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { isXPath, xpathAsFeel } from '@perdure/bpmn/compile/xpath.js';
import { asVariable } from '@perdure/juel/names.js';
import { expressionAsFeel, isJuel } from '@perdure/juel/text.js';
import { MemoryHost } from '../../packages/testkit/memory-host.js';

/** As the condition of a sequence flow is translated; undefined for what is refused. */
const feelOf = (text: string) =>
  isJuel(text) ? expressionAsFeel(text, asVariable) : isXPath(text) ? xpathAsFeel(text) : undefined;

test.each([
  ['${approved}', 'approved'],
  ['#{ !approved }', 'not(approved)'],
  ["${clarified == 'yes'}", 'clarified = "yes"'],
  [
    '${order.total >= 100.5 && !(customer.vip || urgent eq true)}',
    'order.total >= 100.5 and not(customer.vip or urgent = true)',
  ],
  ['${a != null and not b}', 'a != null and not(b)'],
  ['${a + 1 > 2}', '(a + 1) > 2'],
  ['${a ? b : c}', 'if a then b else c'],
  ['${task == null}', 'task = null'],
  ['${a and (b and c)}', 'a and (b and c)'],
  ['${a.if == 1}', 'a.if = 1'],
  ["bpmn:getDataObject('approved')", 'approved'],
  ['not(getDataObject(\'approved\')) or getDataObject("n") < 3 and true()', 'not(approved) or n < 3 and true'],
  ["(getDataObject('a') = 'x' or getDataObject('b')) and false()", '(a = "x" or b) and false'],
])('%s is %s in FEEL', (text, feel) => expect(feelOf(text)).toBe(feel));

test.each([
  '${service.call(x)}',
  "${'it''s'}",
  '${in}',
  '${a ==}',
  '${(a}',
  '${a b}',
  '${}',
  'approved',
  'order-${id}',
  'getDataObject(x)',
  "getDataObject('true')",
  "getDataObject('a') + 1",
  'count(getDataObject("a")/b) > 1',
  '${__proto__.x}/',
])('%s has no sure meaning in FEEL', (text) => expect(feelOf(text)).toBeUndefined());

test('no text makes the translation throw or take long', () => {
  const alphabet = fc.constantFrom(
    '${',
    '}',
    '(',
    ')',
    '!',
    '&&',
    '||',
    '==',
    'a',
    'b.c',
    '1',
    "'x'",
    ' ',
    'getDataObject(',
    "'a'",
    'not',
    '\\',
    '"',
  );
  fc.assert(fc.property(fc.array(alphabet, { maxLength: 60 }), (parts) => void feelOf(parts.join(''))));
  expect(feelOf(`\${${'!'.repeat(100_000)}a}`)).toBeUndefined();
});

const definitions = (namespaces: string, inside: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ${namespaces} id="Definitions_1" targetNamespace="http://example.org">${inside}</definitions>`;

/** As a modeler for Camunda 7 writes it: people, forms, external tasks, JUEL. */
const camunda7 = definitions(
  'xmlns:camunda="http://camunda.org/schema/1.0/bpmn"',
  `<process id="invoice" name="Invoice" isExecutable="true" camunda:historyTimeToLive="30" camunda:versionTag="1.0">
    <startEvent id="start" camunda:formKey="embedded:app:start.html"/>
    <userTask id="approve" camunda:assignee="\${approver}" camunda:candidateGroups="management, accounting" camunda:formKey="approve-form" camunda:dueDate="\${due}" camunda:priority="70"/>
    <exclusiveGateway id="approved" default="no"/>
    <serviceTask id="archive" camunda:type="external" camunda:topic="archive-invoice" camunda:asyncBefore="true">
      <multiInstanceLoopCharacteristics isSequential="true" camunda:collection="\${pages}" camunda:elementVariable="page"/>
    </serviceTask>
    <endEvent id="end"/>
    <sequenceFlow id="a" sourceRef="start" targetRef="approve"/><sequenceFlow id="b" sourceRef="approve" targetRef="approved"/>
    <sequenceFlow id="yes" sourceRef="approved" targetRef="archive"><conditionExpression xsi:type="tFormalExpression">\${approved &amp;&amp; amount &gt; 10}</conditionExpression></sequenceFlow>
    <sequenceFlow id="no" sourceRef="approved" targetRef="end"/><sequenceFlow id="c" sourceRef="archive" targetRef="end"/>
  </process>`,
);

test('a file made for Camunda 7 runs where its meaning is clear, and says what of it is ignored', async () => {
  const { problems, processes } = await compile(camunda7);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(problems[0]!.message).toBe(
    'Extensions of other engines are ignored: camunda:historyTimeToLive (first at invoice), camunda:formKey (first at start), camunda:asyncBefore (first at archive)',
  );
  expect(processes[0]!.versionTag).toBe('1.0');
  const host = await MemoryHost.deploy(camunda7);
  const instance = host.start('invoice', { approver: 'ada', approved: true, amount: 11, pages: [1, 2], due: 'P1D' });
  expect(host.facts(instance)).toContainEqual(
    expect.objectContaining({
      kind: 'USER_TASK_CREATED',
      assignee: 'ada',
      candidateGroups: ['management', 'accounting'],
      formKey: 'approve-form',
      dueDate: Date.parse('2026-01-02T00:00:00Z'),
      priority: 70,
    }),
  );
  host.completeTask(instance, 'approve');
  expect(host.facts(instance)).toContainEqual(
    expect.objectContaining({
      kind: 'JOB_CREATED',
      taskType: 'archive-invoice',
      localVariables: expect.objectContaining({ page: 1 }),
    }),
  );
  host.completeJob(instance, 'archive');
  host.completeJob(instance, 'archive');
  expect(instance.state.status).toBe('COMPLETED');
});

test('an element that needs the code of another engine is refused by name', async () => {
  const xml = definitions(
    'xmlns:flowable="http://flowable.org/bpmn"',
    `<process id="p" isExecutable="true"><startEvent id="s"/><serviceTask id="mail" flowable:type="mail"/><serviceTask id="java" flowable:class="org.example.Pay"/>
      <userTask id="who" flowable:assignee="\${people.find(x)}"/><scriptTask id="js" scriptFormat="groovy"><script>x = 1</script></scriptTask><endEvent id="e"/>
      <sequenceFlow id="a" sourceRef="s" targetRef="mail"/><sequenceFlow id="b" sourceRef="mail" targetRef="java"/><sequenceFlow id="c" sourceRef="java" targetRef="who"/>
      <sequenceFlow id="d" sourceRef="who" targetRef="js"/><sequenceFlow id="f" sourceRef="js" targetRef="e"/></process>`,
  );
  const errors = (await compile(xml)).problems
    .filter(({ severity }) => severity === 'error')
    .map(({ elementID, message }) => `${elementID}: ${message}`);
  expect(errors).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^mail: Attribute flowable:type is not supported/),
      expect.stringMatching(/^java: Attribute flowable:class is not supported/),
      'who: The assignee "${people.find(x)}" is a JUEL expression with no unambiguous FEEL equivalent. Rewrite it in FEEL: =...',
      expect.stringMatching(/^js: Script format "groovy" is not supported: scripts are FEEL expressions/),
    ]),
  );
});

/** As the designer of jBPM writes it: work is described by data that is assigned as text. */
const jbpm = definitions(
  'xmlns:drools="http://www.jboss.org/drools" xmlns:bpsim="http://www.bpsim.org/schemas/1.0"',
  `<itemDefinition id="item" structureRef="String"/>
  <process id="hiring" drools:packageName="com.example" drools:version="1.0" drools:adHoc="false" name="hiring" isExecutable="true" processType="Public">
    <extensionElements><drools:metaData name="elementname"><drools:metaValue>x</drools:metaValue></drools:metaData></extensionElements>
    <property id="name" itemSubjectRef="item" name="name"/>
    <startEvent id="_S"><outgoing>_1</outgoing></startEvent>
    <sequenceFlow id="_1" sourceRef="_S" targetRef="_T"/>
    <userTask id="_T" name="Interview"><incoming>_1</incoming><outgoing>_2</outgoing>
      <ioSpecification><dataInput id="_T_name" drools:dtype="String" name="in_name"/><dataInput id="_T_group" name="GroupId"/><dataOutput id="_T_offer" name="out_offer"/>
        <inputSet><dataInputRefs>_T_name</dataInputRefs><dataInputRefs>_T_group</dataInputRefs></inputSet><outputSet><dataOutputRefs>_T_offer</dataOutputRefs></outputSet></ioSpecification>
      <dataInputAssociation><sourceRef>name</sourceRef><targetRef>_T_name</targetRef></dataInputAssociation>
      <dataInputAssociation><targetRef>_T_group</targetRef><assignment><from xsi:type="tFormalExpression">HR</from><to xsi:type="tFormalExpression">_T_group</to></assignment></dataInputAssociation>
      <dataOutputAssociation><sourceRef>_T_offer</sourceRef><targetRef>name</targetRef></dataOutputAssociation>
    </userTask>
    <sequenceFlow id="_2" sourceRef="_T" targetRef="_E"/><endEvent id="_E"><incoming>_2</incoming></endEvent>
  </process>`,
);

test('a file made for jBPM runs by its data', async () => {
  const host = await MemoryHost.deploy(jbpm);
  const instance = host.start('hiring', { name: 'Ada' });
  expect(host.facts(instance)).toContainEqual(
    expect.objectContaining({ kind: 'USER_TASK_CREATED', localVariables: { in_name: 'Ada', GroupId: 'HR' } }),
  );
  host.completeTask(instance, '_T', { out_offer: 'yes' });
  expect(host.variables(instance)).toEqual({ name: 'yes' });
});

/** As Signavio writes it: notes of the tool, lanes in a pool, a collapsed partner, gateways with a direction. */
const signavio = definitions(
  'xmlns:signavio="http://www.signavio.com" exporter="Signavio Process Editor, http://www.signavio.com" expressionLanguage="http://www.w3.org/TR/XPath"',
  `<collaboration id="sid-c"><extensionElements/><participant id="sid-p1" name="Shop" processRef="sid-shop"><extensionElements/></participant><participant id="sid-p2" name="Customer"/>
    <messageFlow id="sid-m" sourceRef="sid-p2" targetRef="sid-s"/></collaboration>
  <process id="sid-shop" isClosed="false" isExecutable="true" processType="None">
    <extensionElements><signavio:signavioMetaData metaKey="revisionid" metaValue="1"/></extensionElements>
    <laneSet id="sid-ls"><lane id="sid-l" name="Sales"><extensionElements><signavio:signavioMetaData metaKey="bgcolor" metaValue=""/></extensionElements><flowNodeRef>sid-s</flowNodeRef><flowNodeRef>sid-t</flowNodeRef><flowNodeRef>sid-g</flowNodeRef><flowNodeRef>sid-e</flowNodeRef></lane></laneSet>
    <startEvent id="sid-s" name=""><outgoing>sid-1</outgoing></startEvent>
    <userTask completionQuantity="1" signavio:type="x" id="sid-t" implementation="webService" isForCompensation="false" name="Check&#10;order" startQuantity="1"><incoming>sid-1</incoming><outgoing>sid-2</outgoing></userTask>
    <exclusiveGateway gatewayDirection="Diverging" id="sid-g" default="sid-3"><incoming>sid-2</incoming><outgoing>sid-3</outgoing></exclusiveGateway>
    <endEvent id="sid-e" name=""><incoming>sid-3</incoming></endEvent>
    <sequenceFlow id="sid-1" sourceRef="sid-s" targetRef="sid-t"/><sequenceFlow id="sid-2" sourceRef="sid-t" targetRef="sid-g"/><sequenceFlow id="sid-3" sourceRef="sid-g" targetRef="sid-e"/>
  </process>`,
);

test('a plain file of Signavio runs, its lane is the candidate group', async () => {
  expect((await compile(signavio)).problems).toEqual([]);
  const host = await MemoryHost.deploy(signavio);
  const instance = host.start('sid-shop');
  expect(host.facts(instance)).toContainEqual(
    expect.objectContaining({ kind: 'USER_TASK_CREATED', candidateGroups: ['Sales'] }),
  );
  host.completeTask(instance, 'sid-t');
  expect(instance.state.status).toBe('COMPLETED');
});

test('each executable pool of a file is its own process', async () => {
  const process = (id: string) =>
    `<process id="${id}" isExecutable="true"><startEvent id="${id}-s"/><endEvent id="${id}-e"/><sequenceFlow id="${id}-f" sourceRef="${id}-s" targetRef="${id}-e"/></process>`;
  const { processes, problems } = await compile(
    definitions('', process('one') + process('two') + process('three').replace('true', 'false')),
  );
  expect(processes.map(({ processID }) => processID)).toEqual(['one', 'two']);
  expect(problems).toMatchObject([{ severity: 'warning', elementID: 'three' }]);
});
