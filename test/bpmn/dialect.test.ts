import { expect, test } from 'vitest';
import { MemoryHost } from '../../packages/testkit/memory-host.js';
import { extended, flow, graphOf, nodeOf, problemsOf, processFile, through } from './support/model.js';

const NAMESPACES =
  'xmlns:operaton="http://operaton.org/schema/1.0/bpmn" xmlns:flowable="http://flowable.org/bpmn" xmlns:drools="http://www.jboss.org/drools"';
const withEngines = (xml: string) => xml.replace(' id="file"', ` id="file" ${NAMESPACES}`);
const engine = (xml: string) => problemsOf(withEngines(xml));
const errorsOf = async (xml: string) => (await engine(xml)).filter((line) => line.startsWith('error'));

const throwing = (definition: string) =>
  through(`<bpmn:intermediateThrowEvent id="m">${definition}</bpmn:intermediateThrowEvent>`, '').replace(
    '<bpmn:process',
    '<bpmn:message id="msg" name="sent"/><bpmn:signal id="sig" name="all"/><bpmn:process',
  );

test.each([
  [
    'camunda:class="com.x.Send"',
    'error m: Attribute camunda:class is not supported: job workers perform external work (taskDefinition)',
  ],
  [
    'camunda:delegateExpression="${send}"',
    'error m: Attribute camunda:delegateExpression is not supported: job workers perform external work (taskDefinition)',
  ],
  [
    'camunda:expression="${send.it()}"',
    'error m: Attribute camunda:expression is not supported: job workers perform external work (taskDefinition)',
  ],
  [
    'operaton:type="mail" operaton:topic="x"',
    'error m: Attribute operaton:type is not supported: job workers perform external work (taskDefinition)',
  ],
  [
    'camunda:type="external"',
    'error m: Attribute camunda:type is not supported: job workers perform external work (taskDefinition)',
  ],
])('a message that other engines send by %s is refused', async (attributes, problem) => {
  expect(await errorsOf(throwing(`<bpmn:messageEventDefinition messageRef="msg" ${attributes}/>`))).toEqual([problem]);
});

test('a message that an external worker sends is a job of its topic', async () => {
  const graph = await graphOf(
    throwing('<bpmn:messageEventDefinition messageRef="msg" camunda:type="external" camunda:topic="send-mail"/>'),
  );

  expect(nodeOf(graph, 'intermediateThrowEvent').triggers).toMatchObject([
    { kind: 'message', job: { type: { literal: 'send-mail' } } },
  ]);
});

const listener =
  '<bpmn:extensionElements><camunda:executionListener class="com.x.Y" event="take"/></bpmn:extensionElements>';

test.each([
  [
    'a sequence flow',
    through('<bpmn:task id="m"/>').replace(
      'id="out" sourceRef="m" targetRef="e">',
      `id="out" sourceRef="m" targetRef="e">${listener}`,
    ),
    'out',
  ],
  [
    'the loop of an activity',
    through(
      `<bpmn:task id="m"><bpmn:multiInstanceLoopCharacteristics>${listener}<bpmn:loopCardinality>2</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics></bpmn:task>`,
    ),
    'm',
  ],
  [
    'an event definition',
    throwing(`<bpmn:signalEventDefinition id="sd" signalRef="sig">${listener}</bpmn:signalEventDefinition>`),
    'sd',
  ],
  [
    'a message',
    through('<bpmn:task id="m"/>').replace(
      '<bpmn:process',
      `<bpmn:message id="msg" name="x">${listener}</bpmn:message><bpmn:process`,
    ),
    'msg',
  ],
])('a listener at %s is refused', async (_where, xml, id) => {
  expect(await errorsOf(xml)).toEqual([
    `error ${id}: Extension element camunda:executionListener is not supported: its code is not run; use a job (executionListeners of zeebe), or a separate task`,
  ]);
});

test('variables that other engines send with a signal are refused, not dropped', async () => {
  expect(
    await errorsOf(
      throwing(
        '<bpmn:signalEventDefinition id="sd" signalRef="sig"><bpmn:extensionElements><camunda:in source="a" target="b"/></bpmn:extensionElements></bpmn:signalEventDefinition>',
      ),
    ),
  ).toEqual(['error sd: Extension element camunda:in is not supported: use ioMapping to map variables']);
});

test.each(['camunda:resource="x.groovy"', 'language="groovy"'])(
  'a condition without a text but with %s is refused, not taken as none',
  async (attribute) => {
    const xml = through('<bpmn:task id="m"/>').replace(
      'sourceRef="m" targetRef="e">',
      `sourceRef="m" targetRef="e"><bpmn:conditionExpression xsi:type="bpmn:tFormalExpression" ${attribute}/>`,
    );

    expect(await errorsOf(xml)).toContainEqual(
      expect.stringMatching(/^error out: The condition of sequence flow out has no text, only "(x\.)?groovy"\. /),
    );
  },
);

test.each([
  [
    'the completion condition of a loop',
    '<bpmn:task id="m"><bpmn:multiInstanceLoopCharacteristics><bpmn:loopCardinality>2</bpmn:loopCardinality><bpmn:completionCondition xsi:type="bpmn:tFormalExpression" language="groovy">x > 1</bpmn:completionCondition></bpmn:multiInstanceLoopCharacteristics></bpmn:task>',
  ],
  [
    'the condition of an event',
    '<bpmn:intermediateCatchEvent id="m"><bpmn:conditionalEventDefinition><bpmn:condition xsi:type="bpmn:tFormalExpression" language="groovy">x > 1</bpmn:condition></bpmn:conditionalEventDefinition></bpmn:intermediateCatchEvent>',
  ],
])('%s in another language is refused', async (_what, element) => {
  expect(await errorsOf(through(element))).toEqual([
    'error m: The expression "x > 1" of m is not FEEL but groovy. Rewrite it in FEEL: =...',
  ]);
});

test('attributes of other engines are reported anywhere in a process and in the elements that it refers to', async () => {
  const xml = processFile(
    `<bpmn:startEvent id="s"/><bpmn:userTask id="m" operaton:asyncBefore="true"><bpmn:multiInstanceLoopCharacteristics camunda:asyncBefore="true"><bpmn:loopCardinality>2</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics></bpmn:userTask>
    <bpmn:boundaryEvent id="b" attachedToRef="m"><bpmn:errorEventDefinition id="ed" camunda:errorCodeVariable="code"/></bpmn:boundaryEvent>
    <bpmn:endEvent id="e"><bpmn:terminateEventDefinition flowable:terminateAll="true"/></bpmn:endEvent>${flow('f', 's', 'm')}${flow('g', 'm', 'e')}`,
  ).replace('<bpmn:process', '<bpmn:signal id="sig" name="x" flowable:async="true"/><bpmn:process');

  expect((await engine(xml)).slice(0, 2)).toEqual([
    'warning file: Extensions of other engines are ignored: flowable:async (first at sig)',
    'warning p: Extensions of other engines are ignored: operaton:asyncBefore (first at m), camunda:asyncBefore (first at m), camunda:errorCodeVariable (first at ed), flowable:terminateAll (first at e)',
  ]);
});

test('a built-in task of Operaton is refused like one of Camunda 7', async () => {
  expect(await errorsOf(through('<bpmn:serviceTask id="m" operaton:type="mail" operaton:topic="x"/>'))).toEqual([
    'error m: Attribute operaton:type is not supported: job workers perform external work (taskDefinition)',
  ]);
});

test('a call activity of an engine that passes no variables by default gets a warning', async () => {
  const call = '<bpmn:callActivity id="m" calledElement="other"/>';
  const mapped = extended(
    'callActivity id="m" calledElement="other"',
    '<zeebe:ioMapping><zeebe:input source="=1" target="x"/></zeebe:ioMapping>',
  );

  expect(
    (await engine(through(call))).filter((line) => line.includes('Call activity m maps no variables')),
  ).toHaveLength(1);
  expect(await engine(through(mapped))).toEqual([]);
  expect(await problemsOf(through(call).replace(/ xmlns:camunda="[^"]*"/, ''))).toEqual([]);
});

test.each([
  ['an assignee', through('<bpmn:userTask id="m" camunda:assignee="kermit_${n}"/>'), 'assignee "kermit_${n}"'],
  [
    'candidate groups',
    through('<bpmn:userTask id="m" camunda:candidateGroups="${a}, ${b}"/>'),
    'candidate groups "${a}, ${b}"',
  ],
  [
    'a topic',
    through('<bpmn:serviceTask id="m" camunda:type="external" camunda:topic="pay-#{region}"/>'),
    'job type "pay-#{region}"',
  ],
  [
    'the name of a message',
    throwing('<bpmn:messageEventDefinition messageRef="msg"/>').replace('"sent"', '"invoice-${n}"'),
    'message name "invoice-${n}"',
  ],
  [
    'the name of a signal',
    throwing('<bpmn:signalEventDefinition signalRef="sig"/>').replace('"all"', '"all-${n}"'),
    'signal name "all-${n}"',
  ],
  ['a called process', through('<bpmn:callActivity id="m" calledElement="pay-${n}"/>'), 'called process id "pay-${n}"'],
  ['a form key', through('<bpmn:userTask id="m" camunda:formKey="form/${n}"/>'), 'form key "form/${n}"'],
  [
    'a duration',
    through(
      '<bpmn:intermediateCatchEvent id="m"><bpmn:timerEventDefinition><bpmn:timeDuration>PT${n}S</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>',
    ),
    '"PT${n}S"',
  ],
])('%s with JUEL inside a text is refused, not taken literally', async (_what, xml, named) => {
  expect((await errorsOf(xml))[0]).toMatch(
    / contains JUEL inside a text, which is not evaluated\. Rewrite it in FEEL: =\.\.\.$/,
  );
  expect((await errorsOf(xml))[0]).toContain(named);
});

test('content that a mapping gives to a worker may hold what looks like JUEL', async () => {
  const task = extended(
    'serviceTask id="m"',
    '<zeebe:taskDefinition type="mail"/><zeebe:ioMapping><zeebe:input source="Hello ${name}" target="template"/></zeebe:ioMapping>',
  );

  expect(nodeOf(await graphOf(through(task)), 'serviceTask').inputs).toEqual([
    { source: { literal: 'Hello ${name}' }, target: ['template'] },
  ]);
});

test('the name of a task with JUEL inside is warned of', async () => {
  expect(await engine(through('<bpmn:userTask id="m" name="Ask ${name}"/>'))).toEqual([
    'warning m: The name of m is not evaluated and is displayed unchanged: "Ask ${name}"',
  ]);
});

const looping = (attributes: string, inside: string, task = '') =>
  through(
    `<bpmn:userTask id="m" ${task}><bpmn:multiInstanceLoopCharacteristics ${attributes}><bpmn:loopCardinality>3</bpmn:loopCardinality>${inside}</bpmn:multiInstanceLoopCharacteristics></bpmn:userTask>`,
  );
const until = (condition: string) => `<bpmn:completionCondition>${condition}</bpmn:completionCondition>`;

test('the loop counter of other engines counts from zero', async () => {
  const host = await MemoryHost.deploy(
    through(
      `<bpmn:subProcess id="m"><bpmn:multiInstanceLoopCharacteristics isSequential="true"><bpmn:loopCardinality>2</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>
      <bpmn:startEvent id="is"/><bpmn:exclusiveGateway id="g" default="later"/><bpmn:userTask id="first"/><bpmn:userTask id="second"/>${flow('if', 'is', 'g')}${flow('now', 'g', 'first', '${loopCounter == 0}')}${flow('later', 'g', 'second')}</bpmn:subProcess>`,
    ),
  );
  const instance = host.start('p');
  host.completeTask(instance, 'first');
  host.completeTask(instance, 'second');

  expect(instance.state.status).toBe('COMPLETED');
});

test('a variable of that name outside of any loop is only a variable', async () => {
  const host = await MemoryHost.deploy(through(`<bpmn:userTask id="m" camunda:assignee="\${loopCounter}"/>`));

  expect(host.facts(host.start('p', { loopCounter: 'ada' }))).toContainEqual(
    expect.objectContaining({ kind: 'USER_TASK_CREATED', assignee: 'ada' }),
  );
});

test('the counters of other engines end a loop by its completion condition', async () => {
  const host = await MemoryHost.deploy(
    looping('isSequential="true"', until('${nrOfCompletedInstances &gt;= 2 and nrOfInstances == 3}')),
  );
  const instance = host.start('p');
  host.completeTask(instance, 'm');
  host.completeTask(instance, 'm');

  expect(instance.state.status).toBe('COMPLETED');
});

test.each([
  [
    'the active instances of a sequential loop, which others count differently',
    looping('isSequential="true"', until('${nrOfActiveInstances == 1}')),
  ],
  [
    'the counter in the condition of a sequential loop, which others have raised by then',
    looping('isSequential="true"', until('${loopCounter == 1}')),
  ],
  ['a counter where nothing here has it', looping('', '', 'camunda:assignee="${nrOfInstances}"')],
])('%s: refused', async (_what, xml) => {
  expect((await errorsOf(xml))[0]).toMatch(/JUEL expression with no unambiguous FEEL equivalent/);
});

const role = (type: string, text: string) =>
  `<bpmn:${type}><bpmn:resourceAssignmentExpression><bpmn:formalExpression>${text}</bpmn:formalExpression></bpmn:resourceAssignmentExpression></bpmn:${type}>`;
const assigned = async (roles: string, task = '') => {
  const { assignee, candidateUsers, candidateGroups } = nodeOf(
    await graphOf(through(`<bpmn:userTask id="m" ${task}>${roles}</bpmn:userTask>`)),
    'userTask',
  );
  return { assignee, candidateUsers, candidateGroups };
};

test.each([
  ['a human performer', role('humanPerformer', 'kermit'), { assignee: { literal: 'kermit' } }],
  ['potential owners', role('potentialOwner', 'management'), { candidateGroups: { literal: 'management' } }],
  [
    'users and groups',
    role('potentialOwner', 'user(kermit), group(management), accountancy, user(gonzo)'),
    { candidateUsers: { literal: 'kermit,gonzo' }, candidateGroups: { literal: 'management,accountancy' } },
  ],
  ['FEEL', role('potentialOwner', '=groups'), { candidateGroups: { feel: expect.anything() } }],
  [
    'JUEL',
    role('humanPerformer', '${initiator}') + role('potentialOwner', 'user(${deputy})'),
    { assignee: { feel: expect.anything() }, candidateUsers: { feel: expect.anything() } },
  ],
])('%s of BPMN itself assign a user task', async (_what, roles, expected) => {
  expect(await assigned(roles)).toEqual({
    assignee: undefined,
    candidateUsers: undefined,
    candidateGroups: undefined,
    ...expected,
  });
});

test('roles and attributes of other engines together assign a user task', async () => {
  expect(await assigned(role('potentialOwner', 'management'), 'camunda:assignee="ada"')).toMatchObject({
    assignee: { literal: 'ada' },
    candidateGroups: { literal: 'management' },
  });
});

test('potential owners of a jBPM file are people', async () => {
  const xml = processFile(
    `<bpmn:startEvent id="s"/><bpmn:userTask id="m">${role('potentialOwner', 'ada,bob')}</bpmn:userTask>${flow('f', 's', 'm')}`,
  ).replace(' id="file"', ' id="file" xmlns:drools="http://www.jboss.org/drools"');

  expect(nodeOf(await graphOf(xml), 'userTask').candidateUsers).toEqual({ literal: 'ada,bob' });
});

test.each([
  ['a performer', role('performer', 'ada'), 'The performer of m is not used to assign tasks.'],
  [
    'a resource',
    '<bpmn:potentialOwner><bpmn:resourceRef>res</bpmn:resourceRef></bpmn:potentialOwner>',
    'The potentialOwner of m names a resource, which identifies neither people nor groups.',
  ],
  [
    'two assignees',
    role('humanPerformer', 'a') + role('humanPerformer', 'b'),
    'The humanPerformer of m is one of several that assign the assignee.',
  ],
])('a user task with %s that cannot be assigned for sure is refused', async (_what, roles, message) => {
  const xml = through(`<bpmn:userTask id="m">${roles}</bpmn:userTask>`).replace(
    '<bpmn:process',
    '<bpmn:resource id="res" name="Management"/><bpmn:process',
  );

  expect(await errorsOf(xml)).toEqual([
    `error m: ${message} Name people and groups in assignmentDefinition (assignee, candidateUsers, candidateGroups).`,
  ]);
});

test('an assignee that is given twice is refused', async () => {
  expect(
    await errorsOf(
      through(`<bpmn:userTask id="m" camunda:assignee="ada">${role('humanPerformer', 'bob')}</bpmn:userTask>`),
    ),
  ).toEqual([
    'error m: The assignee of m is given twice: by assignmentDefinition and by a BPMN resource role. Remove one of them.',
  ]);
});

test('a performer of an element that is not a user task is reported as ignored', async () => {
  expect(await engine(through(`<bpmn:manualTask id="m">${role('performer', 'ada')}</bpmn:manualTask>`))).toEqual([
    'warning p: Extensions of other engines are ignored: performer (first at m)',
  ]);
});

test('an error start event that would not interrupt is refused', async () => {
  const xml = processFile(
    `<bpmn:startEvent id="s"/><bpmn:subProcess id="h" triggeredByEvent="true"><bpmn:startEvent id="hs" isInterrupting="false"><bpmn:errorEventDefinition/></bpmn:startEvent></bpmn:subProcess>`,
  );

  expect(await errorsOf(xml)).toEqual([
    'error hs: Error start event hs always interrupts: isInterrupting="false" is not allowed. Remove it.',
  ]);
});

test.each([
  ['nothing', ''],
  ['events only', '<bpmn:intermediateThrowEvent id="t"/>'],
  ['compensation only', '<bpmn:task id="undo" isForCompensation="true"/>'],
])('an ad-hoc sub-process with %s inside is refused', async (_what, inside) => {
  expect(await errorsOf(through(`<bpmn:adHocSubProcess id="m">${inside}</bpmn:adHocSubProcess>`))).toEqual([
    'error m: Ad-hoc sub-process m has no activity that can start, so it would never end. Add one, or remove the sub-process.',
  ]);
});

test('other flows into an event after an event-based gateway are found by the flows, not by the list in the event', async () => {
  const xml = processFile(
    `<bpmn:startEvent id="s"/><bpmn:parallelGateway id="fork"/><bpmn:eventBasedGateway id="g"/><bpmn:intermediateCatchEvent id="c"><bpmn:timerEventDefinition><bpmn:timeDuration>PT1S</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>
    ${flow('a', 's', 'fork')}${flow('b', 'fork', 'g')}${flow('c1', 'g', 'c')}${flow('c2', 'fork', 'c')}`,
  );

  expect(await errorsOf(xml)).toEqual([
    'error c: intermediateCatchEvent c follows event-based gateway g, so no other sequence flow can lead to it',
  ]);
});

test.each(['in', 'out'])('a call whose camunda:%s is refused is not said to map nothing', async (name) => {
  const call = extended('callActivity id="m" calledElement="q"', `<camunda:${name} source="a" target="b"/>`);

  expect(await problemsOf(through(call))).toEqual([
    `error m: Extension element camunda:${name} is not supported: use ioMapping to map variables`,
  ]);
});

test.each([
  ['assignee', 'userTask', '<zeebe:assignmentDefinition assignee=" "/>'],
  ['candidate groups', 'userTask', '<zeebe:assignmentDefinition candidateGroups="  "/>'],
  ['job type', 'serviceTask', '<zeebe:taskDefinition type=" "/>'],
])('blanks as %s are refused', async (what, task, extension) => {
  expect(await problemsOf(through(extended(`${task} id="m"`, extension)))).toEqual([
    `error m: The ${what} of m consists of blanks. Enter a text, or remove it.`,
  ]);
});

const caught = (kind: 'error' | 'escalation', code: string) =>
  through(
    `<bpmn:subProcess id="m"><bpmn:startEvent id="i"/></bpmn:subProcess><bpmn:boundaryEvent id="b" attachedToRef="m"><bpmn:${kind}EventDefinition ${kind}Ref="x"/></bpmn:boundaryEvent>`,
  ).replace('<bpmn:process', `<bpmn:${kind} id="x" name="Rejected"${code}/><bpmn:process`);

test.each(['error', 'escalation'] as const)(
  'an event that refers to an %s without a code catches every one, with a warning (flowable-engine#2847)',
  async (kind) => {
    const { triggers } = nodeOf(await graphOf(caught(kind, '')), 'boundaryEvent', 'b');

    expect(triggers).toEqual([{ kind }]);
    expect(await problemsOf(caught(kind, ''))).toEqual([
      `warning b: boundaryEvent b catches every ${kind}, because ${kind} Rejected has no ${kind}Code. Add the ${kind}Code to catch only this one.`,
    ]);
    expect(await problemsOf(caught(kind, ` ${kind}Code=""`))).toEqual([]);
    expect(await problemsOf(caught(kind, ` ${kind}Code="R"`))).toEqual([]);
  },
);

test('a prefix that the parser cannot read is refused with the reason', async () => {
  expect(await problemsOf(through('<bpmn:task id="m"/>').replace('xmlns:other', 'xmlns:größe'))).toEqual([
    expect.stringContaining('must be spelled with ASCII letters, digits, and "_", "-", "."'),
  ]);
});
