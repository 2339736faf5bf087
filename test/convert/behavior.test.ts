/**
 * Converted models take the path that the documentation of Camunda 7 describes
 * (https://docs.camunda.org/manual/7.21/reference/bpmn20/).
 */
import { describe, expect, it } from 'vitest';
import { convertModel } from '@perdure/convert';
import { testProcess, type TestInstance } from '@perdure/testkit';
import { around, camundaModel } from './models.js';

async function started(xml: string, variables = {}): Promise<TestInstance> {
  return (await testProcess(convertModel(xml).xml)).start(variables);
}

/** Two ways out of a gateway, `yes` if the condition holds. */
function decided(condition: string): string {
  return camundaModel(`<startEvent id="start"/><sequenceFlow id="f1" sourceRef="start" targetRef="gate"/>
    <exclusiveGateway id="gate" default="otherwise"/>
    <sequenceFlow id="when" sourceRef="gate" targetRef="yes"><conditionExpression xsi:type="tFormalExpression"><![CDATA[${condition}]]></conditionExpression></sequenceFlow>
    <sequenceFlow id="otherwise" sourceRef="gate" targetRef="no"/>
    <endEvent id="yes"/><endEvent id="no"/>`);
}

describe('an exclusive gateway', () => {
  it.each([
    ['${amount > 100}', { amount: 101 }, 'yes'],
    ['${amount > 100}', { amount: 100 }, 'no'],
    ['${amount ge 100 and amount le 200}', { amount: 200 }, 'yes'],
    ["${state == 'open'}", { state: 'open' }, 'yes'],
    ['${state != "open"}', { state: 'open' }, 'no'],
    ['${!approved}', { approved: false }, 'yes'],
    ['${not approved || urgent}', { approved: true, urgent: true }, 'yes'],
    ['${a && b || c}', { a: false, b: true, c: true }, 'yes'],
    ['${a && (b || c)}', { a: false, b: true, c: true }, 'no'],
    ['${a + b * 2 == 7}', { a: 1, b: 3 }, 'yes'],
    ['${(a + b) * 2 == 8}', { a: 1, b: 3 }, 'yes'],
    ['${10 - a - b == 4}', { a: 1, b: 5 }, 'yes'],
    ['${n % 2 == 0}', { n: 4 }, 'yes'],
    ['${n / 2 > 1.4}', { n: 3 }, 'yes'],
    ['${-n < 0}', { n: 3 }, 'yes'],
    ['${empty items}', { items: [] }, 'yes'],
    ['${empty items}', { items: [1] }, 'no'],
    ['${empty text}', { text: '' }, 'yes'],
    ['${empty text}', { text: null }, 'yes'],
    ['${not empty text}', { text: 'a' }, 'yes'],
    ["${(ok ? 'a' : 'b') == 'a'}", { ok: true }, 'yes'],
    ['${items[0] == 7}', { items: [7, 8] }, 'yes'],
    ["${order['total'] > 5}", { order: { total: 6 } }, 'yes'],
    ['${order.customer.vip}', { order: { customer: { vip: true } } }, 'yes'],
    ['${items.size() == 2}', { items: [1, 2] }, 'yes'],
    ['${name.length() > 2}', { name: 'Ann' }, 'yes'],
    ["${name.equals('Ann')}", { name: 'Ann' }, 'yes'],
    ["${name.startsWith('A')}", { name: 'Bob' }, 'no'],
    ["${list.contains('x')}", { list: ['x'] }, 'yes'],
    ["${text.contains('x')}", { text: 'axb' }, 'yes'],
    ["${execution.getVariable('n') == 1}", { n: 1 }, 'yes'],
    ['${var:exists(n)}', {}, 'no'],
    ['${vars:getOrDefault(n, 5) == 5}', {}, 'yes'],
  ])('takes for %s with %j the way %s expects', async (condition, variables, end) => {
    const instance = await started(decided(condition), variables);
    instance.expectCompleted(end);
  });
});

describe('a loop', () => {
  const loop = (attributes: string, content = '') =>
    around(`<userTask id="a" camunda:assignee="\${person}">
      <multiInstanceLoopCharacteristics ${attributes} camunda:collection="\${people}" camunda:elementVariable="person">${content}</multiInstanceLoopCharacteristics>
    </userTask>`);

  it('gives each person a task', async () => {
    const instance = await started(loop(''), { people: ['ann', 'bob'] });
    expect(instance.tasks.map(({ assignee }) => assignee)).toEqual(['ann', 'bob']);
  });

  it('gives one after the other a task when it is sequential', async () => {
    const instance = await started(loop('isSequential="true"'), { people: ['ann', 'bob'] });
    instance.tasks[0]!.complete();
    expect(instance.tasks.map(({ assignee }) => assignee)).toEqual(['bob']);
  });

  it('ends when half of it is done', async () => {
    const condition = '<completionCondition>${nrOfCompletedInstances/nrOfInstances >= 0.5}</completionCondition>';
    const instance = await started(loop('', condition), { people: ['ann', 'bob', 'cleo', 'dora'] });
    instance.tasks[0]!.complete();
    instance.tasks[0]!.complete();
    instance.expectCompleted('end');
  });

  it('counts from 0', async () => {
    const model = around(`<userTask id="a" camunda:assignee="user-\${loopCounter}">
      <multiInstanceLoopCharacteristics><loopCardinality>\${n}</loopCardinality></multiInstanceLoopCharacteristics></userTask>`);
    const instance = await started(model, { n: 2 });
    expect(instance.tasks.map(({ assignee }) => assignee)).toEqual(['user-0', 'user-1']);
  });
});

describe('variables', () => {
  it('are mapped in and out of a task, and the inputs stay inside', async () => {
    const model =
      around(`<serviceTask id="a" camunda:type="external" camunda:topic="pay"><extensionElements><camunda:inputOutput>
      <camunda:inputParameter name="sum">\${net + tax}</camunda:inputParameter>
      <camunda:inputParameter name="currency">EUR</camunda:inputParameter>
      <camunda:outputParameter name="receipt">\${id}-\${currency}</camunda:outputParameter>
    </camunda:inputOutput></extensionElements></serviceTask>`);
    const instance = await started(model, { net: 10, tax: 2 });
    const job = instance.job('a');
    expect(job.variables).toMatchObject({ sum: 12, currency: 'EUR' });
    job.complete({ id: 7 });
    expect(instance.variables).toEqual({ net: 10, tax: 2, id: 7, receipt: '7-EUR' });
  });

  it('of a caller are not visible in a called process unless they are mapped', async () => {
    const caller = around(`<callActivity id="a" calledElement="q"><extensionElements>
      <camunda:in source="x" target="y"/><camunda:out source="r" target="result"/></extensionElements></callActivity>`);
    const called = around('<userTask id="a"/>').replace('process id="p"', 'process id="q"');
    const tested = await testProcess(convertModel(caller).xml, { with: [convertModel(called).xml] });
    const instance = tested.start({ x: 1, secret: 2 });
    expect(instance.called('a').variables).toEqual({ y: 1 });
    instance.called('a').task('a').complete({ r: 3, own: 4 });
    expect(instance.variables).toEqual({ x: 1, secret: 2, result: 3 });
  });

  it('that a called process does not find, or does not set, are null', async () => {
    const caller = around(`<callActivity id="a" calledElement="q"><extensionElements>
      <camunda:in source="missing" target="y"/><camunda:out source="missing" target="result"/></extensionElements></callActivity>`);
    const called = around('<userTask id="a"/>').replace('process id="p"', 'process id="q"');
    const tested = await testProcess(convertModel(caller).xml, { with: [convertModel(called).xml] });
    const instance = tested.start();
    expect(instance.called('a').variables).toEqual({ y: null });
    instance.called('a').task('a').complete();
    expect(instance.variables).toEqual({ result: null });
  });

  it('without a value are null, in lists and maps too', async () => {
    const model =
      around(`<serviceTask id="a" camunda:type="external" camunda:topic="pay"><extensionElements><camunda:inputOutput>
      <camunda:inputParameter name="none"/>
      <camunda:inputParameter name="list"><camunda:list><camunda:value></camunda:value></camunda:list></camunda:inputParameter>
      <camunda:inputParameter name="map"><camunda:map><camunda:entry key="k"> </camunda:entry></camunda:map></camunda:inputParameter>
    </camunda:inputOutput></extensionElements></serviceTask>`);
    expect((await started(model)).job('a').variables).toEqual({ none: null, list: [null], map: { k: null } });
  });

  it('are added as numbers, and an escaped expression is text', async () => {
    const model =
      around(`<serviceTask id="a" camunda:type="external" camunda:topic="pay"><extensionElements><camunda:inputOutput>
      <camunda:inputParameter name="sum">\${a + b}</camunda:inputParameter>
      <camunda:inputParameter name="text">\\\${a} of \${a}</camunda:inputParameter>
    </camunda:inputOutput></extensionElements></serviceTask>`);
    const job = (await started(model, { a: '10', b: 5 })).job('a');
    expect(job.variables).toMatchObject({ sum: 15, text: '${a} of 10' });
  });

  it('hold the result of a script in JUEL', async () => {
    const model = around(
      '<scriptTask id="a" scriptFormat="juel" camunda:resultVariable="r"><script>${x * 2}</script></scriptTask>',
    );
    expect((await started(model, { x: 4 })).variables).toEqual({ x: 4, r: 8 });
  });
});

/** A gateway after the activity reads `approved`, and the process starts with false. */
const thenDecided = (activity: string, roots = '') =>
  camundaModel(
    `<startEvent id="start"/><sequenceFlow id="f1" sourceRef="start" targetRef="a"/>${activity}
    <sequenceFlow id="f2" sourceRef="a" targetRef="gate"/><exclusiveGateway id="gate" default="otherwise"/>
    <sequenceFlow id="when" sourceRef="gate" targetRef="yes"><conditionExpression xsi:type="tFormalExpression">\${approved}</conditionExpression></sequenceFlow>
    <sequenceFlow id="otherwise" sourceRef="gate" targetRef="no"/><endEvent id="yes"/><endEvent id="no"/>`,
    roots,
  );
const REVIEWER = `<extensionElements><camunda:inputOutput>
  <camunda:outputParameter name="reviewer">\${by}</camunda:outputParameter></camunda:inputOutput></extensionElements>`;
const RESULTS = { approved: true, by: 'kim' };

describe('the variables that complete an activity with an output are set too', () => {
  it.each([
    ['of a user task', `<userTask id="a">${REVIEWER}</userTask>`],
    ['of an external task', `<serviceTask id="a" camunda:type="external" camunda:topic="t">${REVIEWER}</serviceTask>`],
    [
      'of a script in another language',
      `<scriptTask id="a" scriptFormat="groovy">${REVIEWER}<script>x</script></scriptTask>`,
    ],
    ['of a receive task', `<receiveTask id="a">${REVIEWER}</receiveTask>`],
  ])('%s', async (_what, activity) => {
    const tested = await testProcess(convertModel(thenDecided(activity)).xml);
    const instance = tested.start({ approved: false });
    if (activity.startsWith('<userTask')) instance.task('a').complete(RESULTS);
    else if (activity.startsWith('<receiveTask')) tested.publishMessage('a', { variables: RESULTS });
    else instance.job('a').complete(RESULTS);
    instance.expectCompleted('yes');
    expect(instance.variables).toEqual({ ...RESULTS, reviewer: 'kim' });
  });

  it('of a message event', async () => {
    const event = `<intermediateCatchEvent id="a">${REVIEWER}<messageEventDefinition messageRef="m"/></intermediateCatchEvent>`;
    const tested = await testProcess(convertModel(thenDecided(event, '<message id="m" name="review"/>')).xml);
    const instance = tested.start({ approved: false });
    tested.publishMessage('review', { variables: RESULTS });
    instance.expectCompleted('yes');
  });

  it('of a called process that returns all variables, also those that were passed in', async () => {
    const caller = thenDecided(`<callActivity id="a" calledElement="q"><extensionElements>
      <camunda:in source="approved" target="approved"/><camunda:out variables="all"/>
      <camunda:out source="by" target="reviewer"/></extensionElements></callActivity>`);
    const called = around('<userTask id="a"/>').replace('process id="p"', 'process id="q"');
    const tested = await testProcess(convertModel(caller).xml, { with: [convertModel(called).xml] });
    const instance = tested.start({ approved: false });
    instance.called('a').task('a').complete(RESULTS);
    instance.expectCompleted('yes');
    expect(instance.variables).toEqual({ ...RESULTS, reviewer: 'kim' });
  });

  it('of a script and of a decision', async () => {
    const output = REVIEWER.replace('${by}', '${approved}');
    const script = `<scriptTask id="a" scriptFormat="juel" camunda:resultVariable="approved">${output}<script>\${1 == 1}</script></scriptTask>`;
    const decision = `<businessRuleTask id="a" camunda:decisionRef="d" camunda:mapDecisionResult="singleEntry" camunda:resultVariable="approved">${output}</businessRuleTask>`;
    for (const activity of [script, decision]) {
      const { xml, findings } = convertModel(thenDecided(activity));
      expect(findings).toEqual([]);
      const tested = await testProcess(xml);
      tested.decide('d', () => true);
      tested.start({ approved: false }).expectCompleted('yes');
    }
  });

  it('but not what a connector returns', async () => {
    const connector = `<serviceTask id="a"><extensionElements><camunda:connector><camunda:connectorId>http</camunda:connectorId>
      <camunda:inputOutput><camunda:outputParameter name="reviewer">\${by}</camunda:outputParameter></camunda:inputOutput>
      </camunda:connector></extensionElements></serviceTask>`;
    const instance = await started(thenDecided(connector), { approved: false });
    instance.job('a').complete(RESULTS);
    expect(instance.variables).toEqual({ approved: false, reviewer: 'kim' });
  });

  it('and not the members of an event of the registry that it does not map', async () => {
    const event = (renamed: string) => `<intermediateCatchEvent id="a"><extensionElements>
      <flowable:eventType>review</flowable:eventType><flowable:eventOutParameter source="by" target="${renamed}"/>
      <flowable:eventOutParameter source="approved" target="approved"/></extensionElements></intermediateCatchEvent>`;
    const tested = await testProcess(convertModel(thenDecided(event('reviewer'))).xml);
    const instance = tested.start({ approved: false });
    tested.publishMessage('review', { variables: RESULTS });
    expect(instance.variables).toEqual({ approved: true, reviewer: 'kim' });
  });
});

describe('events', () => {
  const guarded = (event: string, roots = '') =>
    camundaModel(
      `<startEvent id="start"/><sequenceFlow id="f1" sourceRef="start" targetRef="a"/>
      <serviceTask id="a" camunda:class="x.Y"/><sequenceFlow id="f2" sourceRef="a" targetRef="end"/><endEvent id="end"/>
      <boundaryEvent id="b" attachedToRef="a">${event}</boundaryEvent><sequenceFlow id="f3" sourceRef="b" targetRef="caught"/><endEvent id="caught"/>`,
      roots,
    );

  it('an error is caught by its code', async () => {
    const model = guarded('<errorEventDefinition errorRef="e"/>', '<error id="e" errorCode="DECLINED"/>');
    const instance = await started(model);
    instance.job('a').throwError('DECLINED');
    instance.expectCompleted('caught');
  });

  it('an error of another code is not caught', async () => {
    const model = guarded('<errorEventDefinition errorRef="e"/>', '<error id="e" errorCode="DECLINED"/>');
    const instance = await started(model);
    instance.job('a').throwError('OTHER');
    expect(instance.incidents).toHaveLength(1);
  });

  it('an error event without a code catches every error', async () => {
    const instance = await started(guarded('<errorEventDefinition/>'));
    instance.job('a').throwError('ANY');
    instance.expectCompleted('caught');
  });

  it('a timer with a duration from a variable fires', async () => {
    const model = guarded('<timerEventDefinition><timeDuration>${wait}</timeDuration></timerEventDefinition>');
    const tested = await testProcess(convertModel(model).xml);
    const instance = tested.start({ wait: 'PT1H' });
    tested.advance(3_600_000);
    instance.expectCompleted('caught');
  });

  it('a receive task continues with its message', async () => {
    const tested = await testProcess(convertModel(around('<receiveTask id="a"/>')).xml);
    const instance = tested.start();
    tested.publishMessage('a');
    instance.expectCompleted('end');
  });

  it('a message whose name is an expression reaches its instance', async () => {
    const model = around('<receiveTask id="a" messageRef="m"/>', '<message id="m" name="paid-${id}"/>');
    const tested = await testProcess(convertModel(model).xml);
    const [one, two] = [tested.start({ id: 1 }), tested.start({ id: 2 })];
    tested.publishMessage('paid-2');
    two.expectCompleted('end');
    one.expectWaitingAt('a');
  });

  it('a conditional event fires when its condition becomes true', async () => {
    const model = guarded(
      '<conditionalEventDefinition camunda:variableName="x"><condition>${x > 1}</condition></conditionalEventDefinition>',
    );
    const instance = await started(model, { x: 1 });
    instance.setVariables({ x: 2 });
    instance.expectCompleted('caught');
  });

  it('a sub-process that throws an error without a code is left by its boundary event', async () => {
    const model = camundaModel(
      `<startEvent id="start"/><sequenceFlow id="f1" sourceRef="start" targetRef="sub"/>
      <subProcess id="sub"><startEvent id="s2"/><sequenceFlow id="f2" sourceRef="s2" targetRef="e"/><endEvent id="e"><errorEventDefinition errorRef="x"/></endEvent></subProcess>
      <boundaryEvent id="b" attachedToRef="sub"><errorEventDefinition errorRef="x"/></boundaryEvent>
      <sequenceFlow id="f3" sourceRef="b" targetRef="caught"/><endEvent id="caught"/>`,
      '<error id="x"/>',
    );
    (await started(model)).expectCompleted('caught');
  });
});

describe('people', () => {
  it.each([
    ['camunda:assignee="${boss}"', { boss: 'ann' }, { assignee: 'ann' }],
    ['camunda:candidateUsers="${team}, dora"', { team: ['ann', 'bob'] }, { candidateUsers: ['ann', 'bob', 'dora'] }],
    ['camunda:candidateGroups="sales-${region}"', { region: 'eu' }, { candidateGroups: ['sales-eu'] }],
    ['camunda:priority="${p}"', { p: 80 }, { priority: 80 }],
    ['camunda:dueDate="PT1H"', {}, { dueDate: new Date('2026-01-01T01:00:00Z') }],
  ])('%s', async (attributes, variables, expected) => {
    const instance = await started(around(`<userTask id="a" ${attributes}/>`), variables);
    expect(instance.task('a')).toMatchObject(expected);
  });
});
