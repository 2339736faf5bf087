/** One case per rule: the extension of another engine, and the part of the converted file that replaces it. */
import { describe, expect, it } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { convertModel, UnreadableFile } from '@perdure/convert';
import { around, camundaModel } from './models.js';

/** The converted file without the indentation. */
function converted(xml: string): string {
  return convertModel(xml).xml.replaceAll(/>\s+</g, '><');
}

const findings = (xml: string) => convertModel(xml).findings.map(({ outcome, message }) => `${outcome}: ${message}`);

const task = (attributes: string, content = '') => around(`<userTask id="a" ${attributes}>${content}</userTask>`);
const service = (attributes: string, content = '') =>
  around(`<serviceTask id="a" ${attributes}>${content}</serviceTask>`);
const extended = (content: string) => `<extensionElements>${content}</extensionElements>`;

describe('user tasks', () => {
  it.each([
    ['camunda:assignee="ann"', '<zeebe:assignmentDefinition assignee="ann"/>'],
    ['camunda:assignee="${boss}"', '<zeebe:assignmentDefinition assignee="=boss"/>'],
    ['camunda:candidateGroups="sales, ${region}"', 'candidateGroups="=flatten([&quot;sales&quot;, region])"'],
    ['camunda:candidateUsers="ann,bob"', '<zeebe:assignmentDefinition candidateUsers="ann,bob"/>'],
    ['camunda:dueDate="${due}"', '<zeebe:taskSchedule dueDate="=due"/>'],
    ['camunda:followUpDate="P2D"', '<zeebe:taskSchedule followUpDate="P2D"/>'],
    ['camunda:priority="70"', '<zeebe:priorityDefinition priority="70"/>'],
    ['camunda:formKey="embedded:app:a.html"', '<zeebe:formDefinition formKey="embedded:app:a.html"/>'],
    [
      'camunda:formRef="f" camunda:formRefBinding="deployment"',
      '<zeebe:formDefinition formId="f" bindingType="deployment"/>',
    ],
  ])('%s', (attributes, expected) => {
    expect(converted(task(attributes))).toContain(expected);
  });

  it('take a date without a zone as UTC, and say so', () => {
    const model = task('camunda:dueDate="2026-01-31T09:00:00"');
    expect(converted(model)).toContain('dueDate="2026-01-31T09:00:00Z"');
    expect(findings(model)).toEqual(['review: The dueDate 2026-01-31T09:00:00 has no time zone and was taken as UTC.']);
  });

  it('have their form fields as an embedded form', () => {
    const model = task(
      '',
      extended(`<camunda:formData>
        <camunda:formField id="amount" label="Amount" type="long" defaultValue="5">
          <camunda:validation><camunda:constraint name="required"/><camunda:constraint name="max" config="10"/></camunda:validation>
        </camunda:formField>
        <camunda:formField id="color" type="enum"><camunda:value id="r" name="Red"/></camunda:formField>
      </camunda:formData>`),
    );
    const text = converted(model);
    expect(text).toContain('<zeebe:formDefinition formKey="camunda-forms:bpmn:userTaskForm_a"/>');
    const form = /<zeebe:userTaskForm id="userTaskForm_a">(.*?)<\/zeebe:userTaskForm>/.exec(text)![1]!;
    expect(JSON.parse(form.replaceAll('&quot;', '"'))).toMatchObject({
      components: [
        { type: 'number', key: 'amount', label: 'Amount', defaultValue: 5, validate: { required: true, max: 10 } },
        { type: 'select', key: 'color', values: [{ label: 'Red', value: 'r' }] },
      ],
    });
  });
});

describe('work', () => {
  it.each([
    ['camunda:type="external" camunda:topic="pay"', 'pay'],
    ['camunda:class="org.acme.ChargeCardDelegate"', 'charge-card'],
    ['camunda:delegateExpression="${chargeCard}"', 'charge-card'],
    ['camunda:expression="${bank.charge(amount)}"', 'bank.charge'],
    ['flowable:type="mail"', 'mail'],
    ['', 'a'],
  ])('%s becomes the job type %s', (attributes, type) => {
    expect(converted(service(attributes))).toContain(`<zeebe:taskDefinition type="${type}"/>`);
    expect(convertModel(service(attributes)).jobs).toMatchObject([{ type, elementID: 'a' }]);
  });

  it('of two classes of one name gets two job types', () => {
    const model = camundaModel(`<startEvent id="s"/>
      <serviceTask id="a" camunda:class="one.Pay"/><serviceTask id="b" camunda:class="two.Pay"/><serviceTask id="c" camunda:class="one.Pay"/>`);
    expect(convertModel(model).jobs.map(({ type }) => type)).toEqual(['pay', 'pay-2', 'pay']);
  });

  it('gets the fields of a class as headers and inputs', () => {
    const fields = extended(
      '<camunda:field name="url" stringValue="https://x"/><camunda:field name="sum"><camunda:expression>${a + 1}</camunda:expression></camunda:field>',
    );
    const text = converted(service('camunda:class="x.Y"', fields));
    expect(text).toContain('<zeebe:header key="url" value="https://x"/>');
    expect(text).toContain('<zeebe:input source="=a + 1" target="sum"/>');
  });

  describe('has the attempts of failedJobRetryTimeCycle', () => {
    const cycle = (text: string) =>
      service(
        'camunda:class="x.Y"',
        extended(`<camunda:failedJobRetryTimeCycle>${text}</camunda:failedJobRetryTimeCycle>`),
      );
    const found = (text: string) =>
      convertModel(cycle(text))
        .findings.filter(({ message }) => message.includes('attempts'))
        .map(({ outcome, message }) => `${outcome}: ${message}`);

    it.each([
      ['R5/PT10M', 5],
      [' R3/P1DT2H ', 3],
      ['PT1M,PT10M', 3],
      ['PT1M, PT10M ,PT0S', 4],
    ])('%j, and says that their intervals are lost', (text, attempts) => {
      expect(converted(cycle(text))).toContain(`<zeebe:taskDefinition type="y" retries="${attempts}"/>`);
      expect(found(text)).toEqual([
        expect.stringMatching(new RegExp(`^review: The time between attempts .* ${attempts} attempts follow at once`)),
      ]);
    });

    it.each(['R4/PT0S', 'R4/P0D'])('%j, without intervals', (text) => {
      expect(converted(cycle(text))).toContain('retries="4"');
      expect(found(text)).toEqual([]);
    });

    it.each(['${cycle}', 'PT5M', 'R/PT5M'])('but says that %j gives no number', (text) => {
      expect(converted(cycle(text))).not.toContain('retries=');
      expect(found(text)).toEqual([expect.stringMatching(/^unsupported: The attempts of failedJobRetryTimeCycle/)]);
    });
  });

  it('replaces a connector with its inputs', () => {
    const model = service(
      '',
      extended(
        '<camunda:connector><camunda:connectorId>http-connector</camunda:connectorId><camunda:inputOutput><camunda:inputParameter name="url">https://${host}</camunda:inputParameter></camunda:inputOutput></camunda:connector>',
      ),
    );
    expect(converted(model)).toContain('<zeebe:taskDefinition type="http-connector"/>');
    expect(converted(model)).toContain('source="=&quot;https://&quot; + string(host)" target="url"');
  });

  it('replaces a script in another language, and keeps its text in the list of jobs', () => {
    const model = around('<scriptTask id="a" scriptFormat="groovy"><script>println 1</script></scriptTask>');
    expect(converted(model)).toContain('<serviceTask id="a"><extensionElements><zeebe:taskDefinition type="a"/>');
    expect(convertModel(model).jobs).toEqual([{ type: 'a', elementID: 'a', performedBy: 'println 1' }]);
  });

  it('is not needed for a script in JUEL', () => {
    const model = around(
      '<scriptTask id="a" scriptFormat="juel" camunda:resultVariable="r"><script>${x + 1}</script></scriptTask>',
    );
    expect(converted(model)).toContain('<zeebe:script expression="=x + 1" resultVariable="r"/>');
  });

  it('of a message that is thrown is done by a worker too', () => {
    const model = camundaModel(
      `<startEvent id="s"/><sequenceFlow id="f" sourceRef="s" targetRef="e"/>
      <endEvent id="e"><messageEventDefinition messageRef="m" camunda:type="external" camunda:topic="send"/></endEvent>`,
      '<message id="m" name="M"/>',
    );
    expect(converted(model)).toContain('<zeebe:taskDefinition type="send"/>');
  });
});

describe('variables', () => {
  const mapped = (content: string) =>
    service('camunda:class="x.Y"', extended(`<camunda:inputOutput>${content}</camunda:inputOutput>`));

  it.each([
    ['<camunda:inputParameter name="x">${a}</camunda:inputParameter>', 'source="=a" target="x"'],
    ['<camunda:inputParameter name="x">text</camunda:inputParameter>', 'source="=&quot;text&quot;" target="x"'],
    ['<camunda:outputParameter name="x">${a.b}</camunda:outputParameter>', '<zeebe:output source="=a.b" target="x"/>'],
    [
      '<camunda:inputParameter name="x"><camunda:list><camunda:value>1</camunda:value><camunda:value>${b}</camunda:value></camunda:list></camunda:inputParameter>',
      'source="=[&quot;1&quot;, b]"',
    ],
    [
      '<camunda:inputParameter name="x"><camunda:map><camunda:entry key="k">${b}</camunda:entry></camunda:map></camunda:inputParameter>',
      'source="={&quot;k&quot;: b}"',
    ],
  ])('%s', (content, expected) => {
    expect(converted(mapped(content))).toContain(expected);
  });

  it('that complete an element besides its outputs are kept, which a person should know', async () => {
    const model = mapped('<camunda:outputParameter name="x">${a}</camunda:outputParameter>');
    expect(converted(model)).toContain('<perdure:keepResults/>');
    expect(findings(model)).toContainEqual(expect.stringMatching(/^review: Besides its outputs, all variables/));
    expect((await compile(convertModel(model).xml)).problems.filter(({ severity }) => severity === 'error')).toEqual(
      [],
    );
    expect(converted(mapped('<camunda:inputParameter name="x">${a}</camunda:inputParameter>'))).not.toContain(
      'perdure:',
    );
  });

  it('of a message that starts the process are lost besides its outputs, which is reported', () => {
    const output = extended(
      '<camunda:inputOutput><camunda:outputParameter name="x">${a}</camunda:outputParameter></camunda:inputOutput>',
    );
    const model = camundaModel(
      `<startEvent id="s">${output}<messageEventDefinition messageRef="m"/></startEvent>`,
      '<message id="m" name="M"/>',
    );
    expect(findings(model)).toEqual([expect.stringMatching(/^review: All variables that its event brings were set/)]);
  });

  it('in a map whose keys are expressions are left out and reported', () => {
    const model = mapped(
      '<camunda:inputParameter name="x"><camunda:map><camunda:entry key="${k}">1</camunda:entry></camunda:map></camunda:inputParameter>',
    );
    expect(findings(model)).toContainEqual(expect.stringMatching(/^unsupported: The input parameter "x" \(a map\)/));
  });

  it('of a script in another language are left out and reported', () => {
    const model = mapped(
      '<camunda:inputParameter name="x"><camunda:script scriptFormat="groovy">1</camunda:script></camunda:inputParameter>',
    );
    expect(findings(model)).toContainEqual(expect.stringMatching(/^unsupported: The input parameter "x" \(a script\)/));
    expect(converted(model)).not.toContain('ioMapping');
  });
});

describe('call activities', () => {
  const call = (attributes: string, content = '') =>
    around(`<callActivity id="a" ${attributes}>${content}</callActivity>`);

  it('pass only what they map', () => {
    const model = call(
      'calledElement="q" camunda:calledElementBinding="deployment"',
      extended('<camunda:in source="x" target="y"/><camunda:out sourceExpression="${r + 1}" target="z"/>'),
    );
    expect(converted(model)).toContain(
      '<zeebe:calledElement processId="q" bindingType="deployment" propagateAllParentVariables="false" propagateAllChildVariables="false"/>',
    );
    expect(converted(model)).toContain(
      '<zeebe:input source="=get or else(x, null)" target="y"/><zeebe:output source="=r + 1" target="z"/>',
    );
  });

  it('pass all variables when asked to', () => {
    expect(converted(call('calledElement="q"', extended('<camunda:in variables="all"/>')))).toContain(
      'propagateAllParentVariables="true" propagateAllChildVariables="false"',
    );
  });

  it('of a case are reported', () => {
    expect(findings(call('camunda:caseRef="c"'))).toEqual([
      'unsupported: caseRef is ignored: cases (CMMN) cannot be called; model the case as a process.',
    ]);
  });
});

describe('other elements', () => {
  it('several compensation handlers are marked for review, because they run one after the other', () => {
    const handled = (id: string) =>
      `<userTask id="${id}" camunda:assignee="a"/><boundaryEvent id="b${id}" attachedToRef="${id}"><compensateEventDefinition/></boundaryEvent>`;
    expect(findings(camundaModel(handled('x')))).toEqual([]);
    expect(findings(camundaModel(handled('x') + handled('y')))).toEqual([expect.stringMatching(/^review: Its 2 /)]);
  });

  it('a variable that may be missing is marked for review, because that is an incident', () => {
    const model = task('camunda:assignee="${execution.getVariable(\'boss\')}"');
    expect(converted(model)).toContain('assignee="=boss"');
    expect(findings(model)).toEqual([expect.stringMatching(/^review: The assignee .* was null without the variable/)]);
  });

  it('a decision is called by its id, and the shape of its result is marked for review', () => {
    const model = around(
      '<businessRuleTask id="a" camunda:decisionRef="d" camunda:resultVariable="r" camunda:mapDecisionResult="singleEntry"/>',
    );
    expect(converted(model)).toContain('<zeebe:calledDecision decisionId="d" resultVariable="r"/>');
    expect(findings(model)).toEqual([]);
    expect(findings(model.replace('singleEntry', 'resultList'))).toHaveLength(1);
    expect(findings(model.replace('singleEntry', 'singleResult'))).toEqual([
      expect.stringMatching(/^review: The result was a map of the outputs/),
    ]);
  });

  it('a conditional event that does not interrupt fires once each time, which is marked for review', () => {
    const event = (interrupts: boolean) =>
      camundaModel(`<userTask id="a" camunda:assignee="x"/><boundaryEvent id="b" attachedToRef="a" cancelActivity="${interrupts}">
        <conditionalEventDefinition><condition>\${n > 1}</condition></conditionalEventDefinition></boundaryEvent>`);
    expect(findings(event(false))).toEqual([expect.stringMatching(/^review: It fired at every change/)]);
    expect(findings(event(true))).toEqual([]);
    const start = camundaModel(`<subProcess id="e" triggeredByEvent="true"><startEvent id="b" isInterrupting="false">
      <conditionalEventDefinition><condition>\${n > 1}</condition></conditionalEventDefinition></startEvent></subProcess>`);
    expect(findings(start)).toEqual([expect.stringMatching(/^review: It fired at every change/)]);
  });

  it('a loop counts from one, and its counters have other names', () => {
    const model = around(`<userTask id="a" camunda:assignee="\${loopCounter}">
      <multiInstanceLoopCharacteristics camunda:collection="people" camunda:elementVariable="person">
        <completionCondition>\${nrOfCompletedInstances / nrOfInstances >= 0.5}</completionCondition>
      </multiInstanceLoopCharacteristics></userTask>`);
    const text = converted(model);
    expect(text).toContain('<zeebe:loopCharacteristics inputCollection="=people" inputElement="person"/>');
    expect(text).toContain('=(numberOfCompletedInstances / numberOfInstances) &gt;= 0.5');
    expect(text).toContain('assignee="=(loopCounter - 1)"');
  });

  it('a receive task without a message waits for one of its name', () => {
    const text = converted(around('<receiveTask id="a"/>'));
    expect(text).toContain('<message id="Message_a" name="a"/>');
    expect(text).toContain('<receiveTask id="a" messageRef="Message_a"/>');
  });

  it('an error that is declared nowhere is its own code', () => {
    const model = camundaModel(`<startEvent id="s"/><sequenceFlow id="f" sourceRef="s" targetRef="e"/>
      <endEvent id="e"><errorEventDefinition errorRef="declined"/></endEvent>`);
    expect(converted(model)).toContain('<error id="Error_declined" errorCode="declined"/>');
    expect(converted(model)).toContain('errorRef="Error_declined"');
  });

  it('an error without a code is caught always, and thrown by its id', () => {
    const model = camundaModel(
      `<startEvent id="s"/><sequenceFlow id="f" sourceRef="s" targetRef="sub"/>
      <subProcess id="sub"><startEvent id="s2"/><sequenceFlow id="f2" sourceRef="s2" targetRef="e"/><endEvent id="e"><errorEventDefinition errorRef="x"/></endEvent></subProcess>
      <boundaryEvent id="b" attachedToRef="sub"><errorEventDefinition errorRef="y"/></boundaryEvent>`,
      '<error id="x"/><error id="y"/>',
    );
    expect(converted(model)).toContain('<error id="x" errorCode="x"/>');
    expect(converted(model)).toContain('attachedToRef="sub"><errorEventDefinition/>');
  });

  it.each([
    [
      'a duration of a timer that starts the process',
      '<startEvent id="s"><timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition></startEvent>',
      '<timeCycle>R1/PT1H</timeCycle>',
    ],
    [
      'a cycle of an intermediate timer',
      '<startEvent id="s"/><intermediateCatchEvent id="i"><timerEventDefinition><timeCycle>R3/PT1H</timeCycle></timerEventDefinition></intermediateCatchEvent>',
      '<timeDuration>PT1H</timeDuration>',
    ],
    [
      'a date without a zone',
      '<startEvent id="s"><timerEventDefinition><timeDate>2026-01-31T09:00:00</timeDate></timerEventDefinition></startEvent>',
      '<timeDate>2026-01-31T09:00:00Z</timeDate>',
    ],
    [
      'an event of the registry',
      '<startEvent id="s"><extensionElements><flowable:eventType>paid</flowable:eventType></extensionElements></startEvent>',
      '<messageEventDefinition messageRef="Message_paid"/>',
    ],
    [
      'properties',
      '<startEvent id="s"><extensionElements><camunda:properties><camunda:property name="a" value="b"/></camunda:properties></extensionElements></startEvent>',
      '<zeebe:properties><zeebe:property name="a" value="b"/></zeebe:properties>',
    ],
    [
      'a task without an id',
      '<startEvent id="s"/><userTask name="x" camunda:assignee="a"/>',
      '<userTask name="x" id="userTask_1">',
    ],
  ])('%s', (_what, content, expected) => {
    expect(converted(camundaModel(content))).toContain(expected);
  });

  it('a task listener for the end of a task hears of interruptions only, which a person should know', () => {
    const model = task('', extended('<camunda:taskListener event="delete" class="x.CleanUp"/>'));
    expect(converted(model)).toContain('<zeebe:taskListener eventType="canceling"');
    expect(findings(model)).toContainEqual(expect.stringMatching(/^review: .*ran also when the instance was canceled/));
  });

  it.each([
    [
      'a listener without an equivalent',
      extended('<camunda:executionListener event="update" class="x.Y"/>'),
      /^unsupported: The executionListener for "update" "x.Y" was left out/,
    ],
    [
      'a task listener for a time that has passed',
      extended('<camunda:taskListener event="timeout" expression="${x}"/>'),
      /^unsupported: The taskListener for "timeout" "\$\{x\}" was left out/,
    ],
  ])('%s is removed and reported', (_what, content, message) => {
    const model = task('', content);
    expect(findings(model)).toEqual([expect.stringMatching(message)]);
    expect(converted(model)).not.toContain('istener');
  });

  it.each([
    [
      'a class',
      service(
        'camunda:type="external" camunda:topic="t"',
        extended('<camunda:executionListener event="start" class="org.acme.NotifyCrm"/>'),
      ),
      '<zeebe:executionListener eventType="start" type="notify-crm"/>',
    ],
    [
      'an expression',
      task('', extended('<camunda:executionListener event="start" expression="${crm.notify(execution)}"/>')),
      '<zeebe:executionListener eventType="start" type="crm.notify"/>',
    ],
    [
      'a script',
      task(
        '',
        extended(
          '<camunda:executionListener event="start"><camunda:script scriptFormat="groovy">x = 1</camunda:script></camunda:executionListener>',
        ),
      ),
      '<zeebe:executionListener eventType="start" type="a-start"/>',
    ],
    [
      'fields with texts',
      task(
        '',
        extended(
          '<camunda:executionListener event="start" class="x.Y"><camunda:field name="to"><camunda:string>crm</camunda:string></camunda:field></camunda:executionListener>',
        ),
      ),
      '<zeebe:taskHeaders><zeebe:header key="to" value="crm"/></zeebe:taskHeaders>',
    ],
    [
      'one of the process',
      camundaModel('<startEvent id="s"/>').replace(
        'isExecutable="true">',
        `isExecutable="true">${extended('<camunda:executionListener event="end" class="x.Archive"/>')}`,
      ),
      '<zeebe:executionListener eventType="end" type="archive"/>',
    ],
  ])('a listener with %s is a job', async (_what, xml, expected) => {
    expect(converted(xml)).toContain(expected);
    const errors = (await compile(convertModel(xml).xml)).problems.filter(({ severity }) => severity === 'error');
    expect(errors).toEqual([]);
  });

  it.each([
    ['create', 'creating'],
    ['assignment', 'assigning'],
    ['update', 'updating'],
    ['complete', 'completing'],
  ])(
    'a task listener for %s is a job for %s, and may have set variables, which is reported',
    async (event, eventType) => {
      const model = task('', extended(`<camunda:taskListener event="${event}" class="x.Notify"/>`));
      expect(converted(model)).toContain(
        `<zeebe:taskListeners><zeebe:taskListener eventType="${eventType}" type="notify"/></zeebe:taskListeners>`,
      );
      expect(findings(model)).toEqual([
        `converted: The taskListener for "${event}" "x.Notify" is a job of the type "notify" now.`,
        expect.stringMatching(/^review: .* could set variables/),
      ]);
      const { problems } = await compile(convertModel(model).xml);
      expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    },
  );

  it('a listener is reported with its job type, and its code is a job for the stubs', () => {
    const model = task('', extended('<camunda:executionListener event="start" class="x.Y"/>'));
    expect(findings(model)).toEqual([
      'converted: The executionListener for "start" "x.Y" is a job of the type "y" now.',
    ]);
    expect(convertModel(model).jobs).toEqual([{ type: 'y', elementID: 'a', performedBy: 'x.Y' }]);
  });

  it('a listener at the end ran also for interrupted elements, which is reported', () => {
    expect(findings(task('', extended('<camunda:executionListener event="end" class="x.Y"/>')))).toEqual([
      'converted: The executionListener for "end" "x.Y" is a job of the type "y" now.',
      expect.stringMatching(/^review: .* ran also when the element was interrupted or canceled/),
    ]);
  });

  it('a listener of a multi-instance activity ran once, which is reported', () => {
    const loop =
      '<multiInstanceLoopCharacteristics><loopCardinality>2</loopCardinality></multiInstanceLoopCharacteristics>';
    const model = task('', `${extended('<camunda:executionListener event="start" class="x.Y"/>')}${loop}`);
    expect(findings(model)).toContainEqual(
      expect.stringMatching(/^review: .* ran once for the whole multi-instance activity/),
    );
  });

  it.each([
    [
      'an element without the event',
      around(
        '<exclusiveGateway id="a"><extensionElements><camunda:executionListener event="end" class="x.Y"/></extensionElements></exclusiveGateway>',
      ),
      /would never run there: put it at the start of the element after the gateway/,
    ],
    [
      'the same code twice',
      task(
        '',
        extended(
          '<camunda:executionListener event="start" class="x.Y"/><camunda:executionListener event="start" class="x.Y"/>',
        ),
      ),
      /already has a listener with the same code/,
    ],
    [
      'a field with an expression',
      task(
        '',
        extended(
          '<camunda:executionListener event="start" class="x.Y"><camunda:field name="to" expression="${x}"/></camunda:executionListener>',
        ),
      ),
      /The field to of a listener is an expression and was left out/,
    ],
  ])('a listener with %s is reported as unsupported', (_what, model, message) => {
    expect(findings(model)).toContainEqual(expect.stringMatching(new RegExp(`^unsupported: .*${message.source}`)));
  });

  it('extensions without a meaning are removed, with one finding for each kind', () => {
    const model = around(
      '<subProcess id="a" camunda:asyncBefore="true"><startEvent id="s" camunda:asyncBefore="true" camunda:initiator="who"/></subProcess>',
    );
    expect(converted(model)).not.toContain('asyncBefore');
    expect(findings(model)).toEqual([
      'unsupported: The variable "who" is not set to who starts the instance. Pass it when starting.',
      'converted: asyncBefore was removed at 2 elements: every step is durable.',
    ]);
  });

  it('an expression without an equivalent stays, and is reported with its line', () => {
    const model = camundaModel(`<startEvent id="s"/><exclusiveGateway id="g"/>
    <sequenceFlow id="f" sourceRef="g" targetRef="s">
      <conditionExpression>\${bean.check(x)}</conditionExpression>
    </sequenceFlow>`);
    expect(convertModel(model).findings).toMatchObject([{ outcome: 'unsupported', elementID: 'f', line: 7 }]);
    expect(convertModel(model).xml).toContain('${bean.check(x)}');
  });
});

describe('a file', () => {
  it('in the dialect of Perdure is returned as it is', async () => {
    const first = convertModel(task('camunda:assignee="${boss}"'));
    expect((await compile(first.xml)).problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(convertModel(first.xml)).toEqual({ xml: first.xml, findings: [], unlistedFindings: 0, jobs: [] });
  });

  it('keeps comments, diagrams, and unknown extensions', () => {
    const model = task('camunda:assignee="a" x:y="1" xmlns:x="http://x"', '<!-- why -->').replace(
      '</definitions>',
      '<bpmndi:BPMNDiagram xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" id="d"/></definitions>',
    );
    for (const kept of ['<!-- why -->', 'x:y="1"', '<bpmndi:BPMNDiagram'])
      expect(convertModel(model).xml).toContain(kept);
  });

  it.each([
    '',
    'no xml',
    '<a><b></a>',
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
    '<a>&foo;</a>',
  ])('that cannot be read is refused: %s', (xml) => {
    expect(() => convertModel(xml)).toThrow(UnreadableFile);
  });

  it('that is not BPMN is returned as it is', () => {
    expect(convertModel('<a/>').xml).toBe('<a/>');
  });
});
