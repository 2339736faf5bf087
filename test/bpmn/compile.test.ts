import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { extended, file, flow, graphOf, nodeOf, processFile, through } from './support/model.js';

const JOB = '<zeebe:taskDefinition type="pack"/>';

test('a process becomes a graph of its nodes and flows, in document order', async () => {
  const graph = await graphOf(through(extended('serviceTask id="m" name="Pack it"', JOB)));

  expect(graph).toEqual({
    format: 1,
    processID: 'p',
    nodes: [
      { kind: 'process', id: 'p', start: 's', incoming: [], outgoing: [] },
      { kind: 'startEvent', id: 's', parent: 'p', incoming: [], outgoing: ['in'], triggers: [], interrupting: true },
      {
        kind: 'serviceTask',
        id: 'm',
        name: 'Pack it',
        parent: 'p',
        incoming: ['in'],
        outgoing: ['out'],
        job: { type: { literal: 'pack' }, retries: { literal: '3' } },
      },
      { kind: 'endEvent', id: 'e', parent: 'p', incoming: ['out'], outgoing: [], triggers: [] },
    ],
    flows: [
      { id: 'in', source: 's', target: 'm' },
      { id: 'out', source: 'm', target: 'e' },
    ],
  });
});

test('name and version tag of the process are returned with its graph', async () => {
  const xml = file(
    `<bpmn:process id="p" name="Order" isExecutable="true"><bpmn:extensionElements><zeebe:versionTag value="v7"/></bpmn:extensionElements><bpmn:startEvent id="s"/></bpmn:process>`,
  );

  const { definitionsID, processes } = await compile(xml);

  expect(definitionsID).toBe('file');
  expect(processes).toMatchObject([
    { processID: 'p', processName: 'Order', versionTag: 'v7', graph: { processName: 'Order', versionTag: 'v7' } },
  ]);
});

test.each([
  ['the prefix of Camunda', 'xmlns:x="http://camunda.org/schema/zeebe/1.0"', 'x:'],
  ['the prefix of another engine', 'xmlns:x="https://quantumbpm.com/schema/1.0"', 'x:'],
  ['no namespace at all', 'xmlns=""', ''],
])('extension elements are read with %s', async (_what, declaration, prefix) => {
  const task = `<bpmn:serviceTask id="m"><bpmn:extensionElements ${declaration}><${prefix}taskDefinition type="pack" retries="5"/><${prefix}taskHeaders><${prefix}header key="a" value="b"/></${prefix}taskHeaders></bpmn:extensionElements></bpmn:serviceTask>`;

  expect(nodeOf(await graphOf(through(task)), 'serviceTask').job).toEqual({
    type: { literal: 'pack' },
    retries: { literal: '5' },
    headers: { a: 'b' },
  });
});

test('a node inside a sub-process has it as its parent, and the sub-process knows its start event', async () => {
  const graph = await graphOf(
    through(
      `<bpmn:subProcess id="m"><bpmn:startEvent id="is"/><bpmn:endEvent id="ie"/>${flow('if', 'is', 'ie')}</bpmn:subProcess>`,
    ),
  );

  expect(nodeOf(graph, 'subProcess').start).toBe('is');
  expect(graph.nodes.map(({ id, parent }) => [id, parent])).toEqual([
    ['p', undefined],
    ['s', 'p'],
    ['m', 'p'],
    ['is', 'm'],
    ['ie', 'm'],
    ['e', 'p'],
  ]);
});

test('an event sub-process is its own kind and needs no flow to be reached', async () => {
  const handler = `<bpmn:subProcess id="h" triggeredByEvent="true"><bpmn:startEvent id="hs" isInterrupting="false"><bpmn:timerEventDefinition><bpmn:timeDuration>PT1H</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:startEvent></bpmn:subProcess>`;

  const { processes, problems } = await compile(through(extended('serviceTask id="m"', JOB), handler));

  expect(problems).toEqual([]);
  expect(nodeOf(processes[0]!.graph, 'eventSubProcess', 'h').start).toBe('hs');
  expect(nodeOf(processes[0]!.graph, 'startEvent', 'hs').interrupting).toBe(false);
});

test('boundary events are listed at their activity in document order', async () => {
  const boundary = (id: string) =>
    `<bpmn:boundaryEvent id="${id}" attachedToRef="m"><bpmn:errorEventDefinition errorRef="err"/></bpmn:boundaryEvent>`;
  const xml = through(extended('serviceTask id="m"', JOB), boundary('b2') + boundary('b1')).replace(
    '<bpmn:process',
    '<bpmn:error id="err" errorCode="NO_STOCK"/><bpmn:process',
  );

  const graph = await graphOf(xml);

  expect(nodeOf(graph, 'serviceTask').boundary).toEqual(['b2', 'b1']);
  expect(nodeOf(graph, 'boundaryEvent', 'b1')).toMatchObject({
    attachedTo: 'm',
    interrupting: true,
    triggers: [{ kind: 'error', errorCode: 'NO_STOCK' }],
  });
});

test('outgoing flows are tried in document order', async () => {
  const gateway =
    '<bpmn:exclusiveGateway id="m" default="no"><bpmn:outgoing>no</bpmn:outgoing><bpmn:outgoing>yes</bpmn:outgoing></bpmn:exclusiveGateway>';
  const graph = await graphOf(
    processFile(
      `<bpmn:startEvent id="s"/>${gateway}<bpmn:endEvent id="e"/>${flow('in', 's', 'm')}${flow('yes', 'm', 'e', '=total &gt; 10')}${flow('no', 'm', 'e')}`,
    ),
  );

  expect(nodeOf(graph, 'exclusiveGateway')).toMatchObject({ outgoing: ['yes', 'no'], defaultFlow: 'no' });
  expect(graph.flows.find(({ id }) => id === 'yes')?.condition).toMatchObject({ feel: { kind: 'expression' } });
});

test.each([
  [
    'the expression',
    '<bpmn:conditionExpression xsi:type="bpmn:tFormalExpression" language="https://www.omg.org/spec/DMN/20191111/FEEL/">x &lt; 1</bpmn:conditionExpression>',
    '',
  ],
  [
    'the file',
    '<bpmn:conditionExpression>x &lt; 1</bpmn:conditionExpression>',
    ' expressionLanguage="http://www.omg.org/spec/DMN/20180521/FEEL/"',
  ],
])('a condition without = is FEEL when %s says so', async (_who, condition, attribute) => {
  const xml = processFile(
    `<bpmn:startEvent id="s"/><bpmn:exclusiveGateway id="m"/><bpmn:endEvent id="e"/>${flow('in', 's', 'm')}<bpmn:sequenceFlow id="out" sourceRef="m" targetRef="e">${condition}</bpmn:sequenceFlow>`,
  ).replace(' id="file"', ` id="file"${attribute}`);

  expect((await graphOf(xml)).flows[1]?.condition).toHaveProperty('feel');
});

test('input and output mappings keep their order, and dots lead into a variable', async () => {
  const mapping =
    '<zeebe:ioMapping><zeebe:input source="=order.id" target="id"/><zeebe:input source="fixed" target="how.to"/><zeebe:output source="=result" target="result"/></zeebe:ioMapping>';

  const { inputs, outputs } = nodeOf(
    await graphOf(through(extended('serviceTask id="m"', JOB + mapping))),
    'serviceTask',
  );

  expect(inputs?.map((mapping) => mapping.target)).toEqual([['id'], ['how', 'to']]);
  expect(inputs?.[1]?.source).toEqual({ literal: 'fixed' });
  expect(outputs?.map((mapping) => mapping.target)).toEqual([['result']]);
});

test('an input mapping without a source is null, and one with an empty source is an empty text', async () => {
  const mapping =
    '<zeebe:ioMapping><zeebe:input target="note"/><zeebe:input source="" target="text"/></zeebe:ioMapping>';

  const { inputs } = nodeOf(await graphOf(through(extended('serviceTask id="m"', JOB + mapping))), 'serviceTask');

  expect(inputs).toEqual([
    { source: { literal: null }, target: ['note'] },
    { source: { literal: '' }, target: ['text'] },
  ]);
});

test('a user task that names no candidate group belongs to the innermost lane around it', async () => {
  const lanes = `<bpmn:laneSet id="ls"><bpmn:lane id="l1" name="Sales"><bpmn:flowNodeRef>sub</bpmn:flowNodeRef><bpmn:flowNodeRef>named</bpmn:flowNodeRef><bpmn:childLaneSet id="cls"><bpmn:lane id="l2"><bpmn:flowNodeRef>deep</bpmn:flowNodeRef></bpmn:lane></bpmn:childLaneSet></bpmn:lane></bpmn:laneSet>`;
  const graph = await graphOf(
    processFile(`${lanes}<bpmn:startEvent id="s"/>
      <bpmn:userTask id="deep"/>${extended('userTask id="named"', '<zeebe:assignmentDefinition candidateGroups="boss"/>')}
      <bpmn:subProcess id="sub"><bpmn:laneSet id="inner"><bpmn:lane id="l3" name="Packing"><bpmn:flowNodeRef>packed</bpmn:flowNodeRef></bpmn:lane></bpmn:laneSet>
        <bpmn:startEvent id="is"/><bpmn:userTask id="inside"/><bpmn:userTask id="packed"/>${flow('if', 'is', 'inside')}${flow('ig', 'inside', 'packed')}</bpmn:subProcess>
      ${flow('f1', 's', 'deep')}${flow('f2', 'deep', 'named')}${flow('f3', 'named', 'sub')}`),
  );

  expect(['deep', 'named', 'inside', 'packed'].map((id) => nodeOf(graph, 'userTask', id).candidateGroups)).toEqual([
    { literal: ['l2'] },
    { literal: 'boss' },
    { literal: ['Sales'] },
    { literal: ['Packing'] },
  ]);
});

test('each executable process of a file has its own graph; the others are named', async () => {
  const xml = file(
    ['a', 'b']
      .map((id) => `<bpmn:process id="${id}" isExecutable="true"><bpmn:startEvent id="${id}s"/></bpmn:process>`)
      .join('') +
      '<bpmn:process id="c" isExecutable="false"/><bpmn:process id="d"/><bpmn:collaboration id="pools"><bpmn:participant id="pa" processRef="a"/><bpmn:participant id="pd" processRef="d"/></bpmn:collaboration>',
  );

  const { processes, problems } = await compile(xml);

  expect(processes.map(({ processID }) => processID)).toEqual(['a', 'b']);
  expect(problems.map(({ severity, elementID }) => [severity, elementID])).toEqual([
    ['warning', 'c'],
    ['warning', 'd'],
  ]);
});

test('a process that leaves isExecutable open is deployed when no other is marked', async () => {
  const { processes } = await compile(
    file('<bpmn:process id="open"><bpmn:startEvent id="s"/></bpmn:process><bpmn:process id="no" isExecutable="0"/>'),
  );

  expect(processes.map(({ processID }) => processID)).toEqual(['open']);
});

test.each(['__proto__', 'constructor', 'toString', 'Prüfung-1.b', '_1', '订单'])(
  'an element may be called %s',
  async (id) => {
    const graph = await graphOf(through(extended('serviceTask id="m"', JOB)).replaceAll('"m"', `"${id}"`));

    expect(nodeOf(graph, 'serviceTask', id).outgoing).toEqual(['out']);
    expect(graph.flows[0]).toEqual({ id: 'in', source: 's', target: id });
    expect(({} as { type?: unknown }).type).toBeUndefined();
  },
);

test('an encoding, a byte order mark, comments, CDATA and processing instructions do no harm', async () => {
  const xml = through(
    `<!-- <bpmn:task id="m"/> --><?style none?><bpmn:scriptTask id="m"><bpmn:script><![CDATA[=1 < 2]]></bpmn:script></bpmn:scriptTask>`,
  ).replace('UTF-8', 'ISO-8859-1');

  expect(nodeOf(await graphOf(xml), 'scriptTask').script).toHaveProperty('feel');
  expect((await compile(`\uFEFF${xml}`)).problems).toEqual([]);
});

test('a reference may carry the prefix of the target namespace', async () => {
  const xml = through(
    '<bpmn:subProcess id="m"><bpmn:startEvent id="is"/><bpmn:endEvent id="ie"><bpmn:errorEventDefinition errorRef="t:err"/></bpmn:endEvent></bpmn:subProcess>',
  )
    .replace('<bpmn:process', '<bpmn:error id="err" errorCode="E"/><bpmn:process')
    .replace(' id="file"', ' id="file" xmlns:t="urn:test"');

  expect(nodeOf(await graphOf(xml), 'endEvent', 'ie').triggers).toEqual([{ kind: 'error', throws: { literal: 'E' } }]);
});

test('the content address follows what runs, not how it is drawn or written down', async () => {
  const xml = through('<bpmn:userTask id="m"/>');
  const address = async (text: string) => (await compile(text)).processes[0]?.sha256;

  expect(await address(xml)).toMatch(/^[0-9a-f]{64}$/);
  expect(await address(xml.replace('<bpmn:process', '<!-- drawn again -->\n<bpmn:process'))).toBe(await address(xml));
  expect(await address(xml.replace('<bpmn:userTask id="m"', '<bpmn:userTask id="m" name="Approve"'))).not.toBe(
    await address(xml),
  );
});

test('the example compiles; its names that nothing sets are those that workers, people and the start bring', async () => {
  for (const name of ['order-fulfilment', 'collect-payment']) {
    const { processes, problems } = await compile(
      readFileSync(new URL(`../../examples/order-fulfilment/${name}.bpmn`, import.meta.url), 'utf8'),
    );

    for (const { message } of problems)
      expect(message).toMatch(
        /^Nothing in process \S+ sets these names, so its start, a job worker, a person or a message must provide them: /,
      );
    expect(processes.map(({ processID }) => processID)).toEqual([name]);
  }
});
