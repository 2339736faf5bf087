import { expect, test } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { extended, file, flow, problemsOf, processFile, through } from './support/model.js';

const TASK = extended('serviceTask id="m"', '<zeebe:taskDefinition type="pack"/>');
const START = '<bpmn:startEvent id="s"/>';

const startedBy = (timer: string) =>
  processFile(
    `<bpmn:startEvent id="s"><bpmn:timerEventDefinition>${timer}</bpmn:timerEventDefinition></bpmn:startEvent>`,
  );

const link = (end: 'Throw' | 'Catch', id: string, name: string) =>
  `<bpmn:intermediate${end}Event id="${id}"><bpmn:linkEventDefinition name="${name}"/></bpmn:intermediate${end}Event>`;

const linked = (events: string) => processFile(`${START}${events}${flow('in', 's', 'to')}`);

const wrong: { [what: string]: [xml: string, problems: (string | RegExp)[]] } = {
  'an unknown element': [
    through(`${TASK}<bpmn:magic id="x"/>`),
    [/^error p: Line 2, column \d+: unknown type <bpmn:Magic> inside process$/],
  ],
  'an unknown attribute': [through(TASK.replace('id="m"', 'id="m" speed="9"')), ['error m: unknown attribute <speed>']],
  'text where none belongs': [
    through(`${TASK}hello`),
    [/^error p: Line 2, column \d+: unexpected body text <hello> inside process$/],
  ],
  'another root element': ['<a/>', [/^error -: The file is not a BPMN file: its root must be definitions/]],
  'no process': [file(''), ['error -: The file has no process']],
  'only a process that is not executable': [
    file('<bpmn:process id="p" isExecutable="false"/>'),
    [
      'error p: Process p is not executable: set isExecutable="true" to deploy it',
      'error p: process p has no start event',
    ],
  ],
  'an id given twice': [
    through(TASK, '<bpmn:userTask id="m"/>'),
    ['error m: The id m is used twice: by a serviceTask and by a userTask'],
  ],
  'an id that is not an XML name': [
    through(TASK).replaceAll('"m"', '"1 &quot;m&quot;"'),
    [/^error 1 "m": "1 \\"m\\"" is not a valid id/],
  ],
  'an id that is too long': [
    through(TASK).replaceAll('"m"', `"${'m'.repeat(256)}"`),
    [/^error -: The id "m+"\.\.\. has 256 characters, but the limit is 255$/],
  ],
  'an element without an id': [
    through(TASK, '<bpmn:userTask name="x"/>'),
    ['error p: A userTask named "x" inside p has no id'],
  ],
  'a reference to nothing': [
    through(TASK, flow('f', 'm', 'nowhere')),
    ['error f: targetRef of sequenceFlow refers to "nowhere", but the file has no element with that id'],
  ],
  'an empty reference': [
    through(
      TASK.replace('</bpmn:serviceTask>', '<bpmn:incoming/><bpmn:outgoing> out </bpmn:outgoing></bpmn:serviceTask>'),
    ),
    ['error m: incoming of serviceTask refers to "", but the file has no element with that id'],
  ],
  'a flow without an end': [
    through(TASK, '<bpmn:sequenceFlow id="f" sourceRef="m"/>'),
    ['error f: Sequence flow f has no targetRef'],
  ],
  'a flow to something that is not a flow node': [
    through(TASK, flow('f', 'm', 'in')),
    ['error f: targetRef of sequence flow f is in, which is not a flow node of the same process'],
  ],
  'a flow that crosses the border of a sub-process': [
    through(
      `<bpmn:subProcess id="m"><bpmn:startEvent id="is"/><bpmn:endEvent id="ie"/>${flow('if', 'is', 'ie')}</bpmn:subProcess>`,
      flow('f', 'is', 'e'),
    ),
    [
      'error f: Sequence flow f goes from is inside m to e inside p, but a sequence flow cannot cross the boundary of a process or sub-process',
    ],
  ],
  'a flow between two processes': [
    file(
      `<bpmn:process id="p" isExecutable="true">${START}${flow('f', 's', 'qs')}</bpmn:process><bpmn:process id="q" isExecutable="true"><bpmn:startEvent id="qs"/></bpmn:process>`,
    ),
    ['error f: targetRef of sequence flow f is qs, which is not a flow node of the same process'],
  ],
  'a duration that would start the process': [
    startedBy('<bpmn:timeDuration>PT1H</bpmn:timeDuration>'),
    [
      'error s: The timer of s starts the process, so it must be timeDate or timeCycle, because there is no start time for timeDuration (found "PT1H")',
    ],
  ],
  'a timer with a variable that would start the process': [
    startedBy('<bpmn:timeCycle>=interval</bpmn:timeCycle>'),
    [
      'error s: The timer of s starts the process, so its expression cannot use variables and must return a text or a date and time',
      /^warning p: .*interval/,
    ],
  ],
  'a cycle that comes more than once a second': [
    startedBy('<bpmn:timeCycle>R/PT0.5S</bpmn:timeCycle>'),
    [/^error s: .* interval of whole seconds, at least one \(found "R\/PT0.5S"\)$/],
  ],
  'a cycle of months and parts of a second': [
    startedBy('<bpmn:timeCycle>R/P5MT0.5S</bpmn:timeCycle>'),
    [/^error s: .* interval of whole seconds, at least one \(found "R\/P5MT0.5S"\)$/],
  ],
  'a date that has passed': [
    startedBy('<bpmn:timeDate>2020-01-31T00:00:00Z</bpmn:timeDate>'),
    ['warning s: The time of s has passed, so it will not start the process: "2020-01-31T00:00:00Z"'],
  ],
  'a cron expression that never comes': [
    startedBy('<bpmn:timeCycle>0 0 0 30 2 *</bpmn:timeCycle>'),
    [/^error s: The timer cycle must be .*, but is "0 0 0 30 2 \*"$/],
  ],
  'a boolean that is none': [
    through(
      TASK,
      '<bpmn:boundaryEvent id="b" attachedToRef="m" cancelActivity="no"><bpmn:signalEventDefinition id="sd"/></bpmn:boundaryEvent>',
    ),
    ['error b: cancelActivity of boundaryEvent must be true or false, but is "no"', /signal/],
  ],
  'an expression of a script task that calls itself something else': [
    through(
      extended('scriptTask id="m" scriptFormat="javascript"', '<zeebe:script expression="=1" resultVariable="x"/>'),
    ),
    [
      'error m: Script format "javascript" is not supported: scripts are FEEL expressions. Rewrite the script in FEEL, or use a service task.',
    ],
  ],
  'results that no variable can hold': [
    through(
      extended('scriptTask id="m"', '<zeebe:script expression="=1" resultVariable="__proto__"/>'),
      extended('businessRuleTask id="d"', '<zeebe:calledDecision decisionId="d" resultVariable="a-b"/>') +
        flow('f', 'm', 'd'),
    ),
    [
      'error m: The resultVariable must be a variable name, but is "__proto__"',
      'error d: The resultVariable must be a variable name, but is "a-b"',
    ],
  ],
  'a header that no JSON can hold': [
    through(
      extended(
        'serviceTask id="m"',
        '<zeebe:taskDefinition type="pack"/><zeebe:taskHeaders><zeebe:header key="__proto__" value="1"/></zeebe:taskHeaders>',
      ),
    ),
    ['error m: A task header cannot be named __proto__'],
  ],
  'a job type and people that are too long to look for': [
    through(
      extended('serviceTask id="m"', `<zeebe:taskDefinition type="${'t'.repeat(256)}"/>`),
      extended(
        'userTask id="u"',
        `<zeebe:assignmentDefinition assignee="${'a'.repeat(256)}" candidateGroups="${'ab,'.repeat(200)}"/>`,
      ) + flow('f', 'm', 'u'),
    ),
    [
      'error m: The job type must have at most 255 characters',
      'error u: The assignee must have at most 255 characters',
    ],
  ],
  'no start event': [processFile('<bpmn:endEvent id="e"/>'), ['error p: process p has no start event']],
  'nothing to begin with': [
    processFile('<bpmn:task id="undo" isForCompensation="true"/>'),
    ['error p: process p has no start event'],
  ],
  'several none start events': [
    processFile(`${START}<bpmn:startEvent id="s2"/>`),
    ['error p: process p has 2 none start events (s, s2); only one is allowed'],
  ],
  'a sub-process without a start event': [
    through('<bpmn:subProcess id="m"/>'),
    ['error m: subProcess m has no start event'],
  ],
  'a sub-process that starts by an event': [
    through(
      '<bpmn:subProcess id="m"><bpmn:startEvent id="is"><bpmn:timerEventDefinition><bpmn:timeDuration>PT1S</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:startEvent></bpmn:subProcess>',
    ),
    [
      'error is: The start event of subProcess m cannot have timerEventDefinition; only event sub-processes are started by an event',
    ],
  ],
  'an event sub-process without a trigger': [
    through(TASK, '<bpmn:subProcess id="h" triggeredByEvent="true"><bpmn:startEvent id="hs"/></bpmn:subProcess>'),
    ['error hs: The start event of event sub-process h needs an event definition'],
  ],
  'an event sub-process with a flow': [
    through(
      TASK,
      `<bpmn:subProcess id="h" triggeredByEvent="true"><bpmn:startEvent id="hs"><bpmn:errorEventDefinition/></bpmn:startEvent></bpmn:subProcess>${flow('f', 'h', 'e')}`,
    ),
    ['error f: Sequence flow f cannot leave subProcess h'],
  ],
  'a process that starts with an error': [
    processFile('<bpmn:startEvent id="s"><bpmn:errorEventDefinition/></bpmn:startEvent>'),
    ['error s: A process cannot start with errorEventDefinition; only an event sub-process can'],
  ],
  'a flow into a start event and out of an end event': [
    through(TASK, flow('f', 'e', 's')),
    ['error f: Sequence flow f cannot lead to startEvent s', 'error f: Sequence flow f cannot leave endEvent e'],
  ],
  'a loop around an event sub-process': [
    through(
      TASK,
      '<bpmn:subProcess id="h" triggeredByEvent="true" isForCompensation="true" startQuantity="2"><bpmn:multiInstanceLoopCharacteristics><bpmn:loopCardinality>3</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics><bpmn:startEvent id="hs"><bpmn:errorEventDefinition/></bpmn:startEvent></bpmn:subProcess>',
    ),
    [
      'error h: Event sub-process h cannot have multiInstanceLoopCharacteristics. Put a sub-process with the loop inside h.',
      'error h: Event sub-process h cannot have isForCompensation. A handler for the compensation of its scope starts with a compensate event.',
      'error h: Event sub-process h cannot have a startQuantity other than 1. Remove it.',
    ],
  ],
  'a standard loop around an event sub-process': [
    through(
      TASK,
      '<bpmn:subProcess id="h" triggeredByEvent="true"><bpmn:standardLoopCharacteristics loopMaximum="2"/><bpmn:startEvent id="hs"><bpmn:errorEventDefinition/></bpmn:startEvent></bpmn:subProcess>',
    ),
    ['error h: Event sub-process h cannot have standardLoopCharacteristics. Put a sub-process with the loop inside h.'],
  ],
  'a link that leads nowhere': [
    linked(link('Throw', 'to', 'Shipping') + link('Catch', 'from', 'Shipping ') + link('Catch', 'other', 'x')),
    [
      'error to: Link event to leads to link "Shipping", but p has no link catch event with that name directly inside (only for "Shipping ", "x"). Give both ends the same name in the same scope.',
      'warning from: No link throw event in p leads to from (link "Shipping "), so it is never reached',
      'warning other: No link throw event in p leads to other (link "x"), so it is never reached',
    ],
  ],
  'a link into another scope': [
    linked(
      `${link('Throw', 'to', 'L')}<bpmn:subProcess id="sub">${START.replace('"s"', '"is"')}${link('Catch', 'from', 'L')}</bpmn:subProcess>`,
    ),
    [
      'warning sub: subProcess sub has no incoming sequence flow and is never reached',
      'error to: Link event to leads to link "L", but p has no link catch event with that name directly inside (none at all). Give both ends the same name in the same scope.',
      'warning from: No link throw event in sub leads to from (link "L"), so it is never reached',
    ],
  ],
  'a link with two targets': [
    linked(link('Throw', 'to', 'L') + link('Catch', 'from', 'L') + link('Catch', 'too', 'L')),
    ['error too: Link "L" has two targets in p: from and too'],
  ],
  'a link without a name': [
    linked(link('Throw', 'to', '') + link('Catch', 'from', '')),
    [
      'error to: Link event to needs a name in its link definition',
      'error from: Link event from needs a name in its link definition',
    ],
  ],
  'a flow from one end of a link to the other': [
    linked(link('Throw', 'to', 'L') + link('Catch', 'from', 'L') + flow('f', 'to', 'from')),
    [
      'error f: Sequence flow f cannot leave link throw event to, which continues at its link catch event',
      'error f: Sequence flow f cannot lead to link catch event from, which only link throw events reach',
    ],
  ],
  'two links in one event': [
    linked(
      link('Throw', 'to', 'L').replace('</bpmn:i', '<bpmn:linkEventDefinition name="M"/></bpmn:i') +
        link('Catch', 'from', 'L') +
        link('Catch', 'too', 'M').replace('</bpmn:i', '<bpmn:signalEventDefinition signalRef="sig"/></bpmn:i'),
    ).replace('<bpmn:process', '<bpmn:signal id="sig" name="sig"/><bpmn:process'),
    [
      'error to: Link event to has 2 event definitions, but a link must be the only one. Use separate events.',
      'error too: Link event too has 2 event definitions, but a link must be the only one. Use separate events.',
    ],
  ],
  'a boundary event attached to nothing': [
    through(TASK, '<bpmn:boundaryEvent id="b"><bpmn:errorEventDefinition/></bpmn:boundaryEvent>'),
    ['error b: Boundary event b is not attached to an activity (attachedToRef)'],
  ],
  'a boundary event attached to an event': [
    through(TASK, '<bpmn:boundaryEvent id="b" attachedToRef="e"><bpmn:errorEventDefinition/></bpmn:boundaryEvent>'),
    ['error b: Boundary event b is attached to e, which is not an activity of the same process'],
  ],
  'a boundary event in another scope than its host': [
    through(`<bpmn:subProcess id="m"><bpmn:startEvent id="is"/></bpmn:subProcess>`, '').replace(
      '<bpmn:startEvent id="is"/>',
      '<bpmn:startEvent id="is"/><bpmn:boundaryEvent id="b" attachedToRef="m"><bpmn:errorEventDefinition/></bpmn:boundaryEvent>',
    ),
    ['error b: Boundary event b must be in the same sub-process as its activity m'],
  ],
  'a default flow that leaves another node': [
    through(TASK.replace('id="m"', 'id="m" default="in"')),
    ['error m: The default flow in of m must be one of its outgoing sequence flows'],
  ],
  'a condition behind an event': [
    processFile(`${START}<bpmn:endEvent id="e"/>${flow('f', 's', 'e', '=x')}`),
    ['error f: A sequence flow that leaves a startEvent cannot have a condition'],
  ],
  'a condition behind a parallel gateway': [
    processFile(
      `${START}<bpmn:parallelGateway id="m"/><bpmn:endEvent id="e"/>${flow('in', 's', 'm')}${flow('f', 'm', 'e', '=x')}`,
    ),
    ['error f: A sequence flow that leaves a parallelGateway cannot have a condition'],
  ],
  'a condition in another language': [
    processFile(
      `${START}<bpmn:exclusiveGateway id="m"/><bpmn:endEvent id="e"/>${flow('in', 's', 'm')}${flow('f', 'm', 'e', '${approved.is()}')}`,
    ),
    ['error f: The condition of sequence flow f is not FEEL. Rewrite "${approved.is()}" in FEEL: =...'],
  ],
  'an exclusive gateway whose flows have no conditions': [
    through('<bpmn:exclusiveGateway id="m"/>', flow('f', 'm', 'e', '')),
    [
      'warning out: Sequence flow out leaves exclusive gateway m without a condition and is not its default flow, so it is always taken if no earlier flow is. Add a condition or make it the default flow.',
      'warning f: Sequence flow f leaves exclusive gateway m without a condition and is not its default flow, so it is always taken if no earlier flow is. Add a condition or make it the default flow.',
      'warning f: The condition of sequence flow f is empty, so the flow is treated as unconditional. Remove the conditionExpression or write a condition.',
    ],
  ],
  'FEEL that cannot be read': [
    through(extended('serviceTask id="m"', '<zeebe:taskDefinition type="=1 +"/>')),
    [/^error m: The job type is not valid FEEL at line 1, column \d+: /],
  ],
  'job retries that are not a number': [
    through(extended('serviceTask id="m"', '<zeebe:taskDefinition type="t" retries="abc"/>')),
    ['error m: The job retries must be a whole number from 1 to 999999999, but are "abc"'],
  ],
  'an unknown function': [
    through(extended('scriptTask id="m"', '<zeebe:script expression="=1 +&#10; launch(2)" resultVariable="x"/>')),
    ['error m: The script calls launch at line 2, column 2, which is not a FEEL function'],
  ],
  'a date that does not exist': [
    through(extended('scriptTask id="m"', '<zeebe:script expression="=@&quot;2026-02-30&quot;" resultVariable="x"/>')),
    ['error m: The script has a text after @ at line 1, column 1 that is not a date, time, date and time, or duration'],
  ],
  'mappings without a target or a source': [
    through(
      extended(
        'serviceTask id="m"',
        '<zeebe:taskDefinition type="t"/><zeebe:ioMapping><zeebe:input source="=1" target="a..b"/><zeebe:output target="x"/><zeebe:input source="=1" target="__proto__"/><zeebe:input target="note"/></zeebe:ioMapping>',
      ),
    ),
    [
      /^error m: The target of an input mapping .* "a\.\.b"$/,
      /^error m: The target of an input mapping .* "__proto__"$/,
      'warning m: The input mapping to note has no source, so its value is null',
      'error m: The output mapping to x needs a source',
    ],
  ],
  'a gateway with mappings': [
    through(
      extended('exclusiveGateway id="m"', '<zeebe:ioMapping><zeebe:output source="=1" target="x"/></zeebe:ioMapping>'),
    ),
    ['error m: A gateway cannot have an ioMapping'],
  ],
  'an activity that wants several tokens': [
    through(TASK.replace('id="m"', 'id="m" startQuantity="2"')),
    ['error m: startQuantity other than 1 is not supported'],
  ],
  'an element that the engine does not know yet': [
    through('<bpmn:choreographyTask id="m"/>'),
    ['error m: choreographyTask is not supported'],
  ],
  'listeners of a user task that would never run': [
    through(
      extended(
        'userTask id="m"',
        '<zeebe:taskListeners>' +
          ['creating', 'create', 'canceling', 'cancel', 'timeout']
            .map((eventType) => `<zeebe:taskListener eventType="${eventType}" type="x"/>`)
            .join('') +
          '<zeebe:taskListener eventType="updating"/></zeebe:taskListeners>',
      ),
    ),
    [
      'error m: A task listener of userTask m repeats another one with the eventType creating and the type x. Remove one.',
      'error m: A task listener of userTask m repeats another one with the eventType canceling and the type x. Remove one.',
      'error m: A task listener of userTask m has the eventType "timeout", but it can be creating, assigning, updating, completing or canceling',
      'error m: A task listener of userTask m needs the type of its job',
    ],
  ],
  'code of another engine': [
    through(TASK.replace('id="m"', 'id="m" camunda:class="com.example.Pay" other:delegateExpression="${pay}"')),
    [
      /^error m: Attribute camunda:class is not supported: /,
      /^error m: Attribute other:delegateExpression is not supported: /,
    ],
  ],
  'a connector': [
    through(extended('serviceTask id="m"', '<zeebe:taskDefinition type="io.camunda:slack:1"/>')),
    [/^error m: Connector io\.camunda:slack:1 is not supported: /],
  ],
  'an inbound connector': [
    through(TASK).replace(
      '<bpmn:startEvent id="s"/>',
      extended(
        'startEvent id="s"',
        '<zeebe:properties><zeebe:property name="inbound.type" value="io.camunda:webhook:1"/></zeebe:properties>',
      ),
    ),
    [/^error s: Connector io\.camunda:webhook:1 is not supported: /],
  ],
  'a script in another language': [
    through('<bpmn:scriptTask id="m" scriptFormat="javascript"><bpmn:script>1</bpmn:script></bpmn:scriptTask>'),
    [
      'error m: Script format "javascript" is not supported: scripts are FEEL expressions. Rewrite the script in FEEL, or use a service task.',
    ],
  ],
};

test.each(Object.entries(wrong))('a model with %s is refused with each diagnostic', async (_what, [xml, expected]) => {
  const problems = await problemsOf(xml);

  expect(problems).toHaveLength(expected.length);
  expected.forEach((line, index) =>
    typeof line === 'string' ? expect(problems[index]).toBe(line) : expect(problems[index]).toMatch(line),
  );
});

test('everything that is wrong is reported at once, and nothing is compiled', async () => {
  const { processes, problems } = await compile(
    processFile(
      `<bpmn:serviceTask id="a"/><bpmn:userTask id="a"/>${flow('f', 'a', 'gone')}<bpmn:choreographyTask id="g"/>`,
    ),
  );

  expect(processes).toEqual([]);
  expect(problems.filter(({ severity }) => severity === 'error').map(({ elementID }) => elementID)).toEqual([
    'a',
    'f',
    'g',
    'a',
  ]);
});

test('a file of another namespace is not read for another file', async () => {
  const xml = through(TASK).replace(
    '<bpmn:process',
    '<bpmn:itemDefinition id="i" structureRef="x"/><bpmn:message id="msg" itemRef="xsd:string" xmlns:xsd="http://www.w3.org/2001/XMLSchema"/><bpmn:process',
  );

  expect(await problemsOf(xml)).toEqual([
    'warning msg: itemRef of message refers to xsd:string in another file, which is not read',
  ]);
});

test('a model with very many mistakes is answered with the first thousand', async () => {
  const { problems } = await compile(
    processFile(Array.from({ length: 1500 }, (_, index) => flow(`f${index}`, 'x', 'y')).join('')),
  );

  expect(problems).toHaveLength(1001);
  expect(problems.at(-1)?.message).toBe('2001 more problems are not listed');
});
