/** Start events that agents can call, as Camunda's element template of MCP start events writes them. */
import { expect, test } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';

const head =
  'xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="d" targetNamespace="t"';

interface Start {
  readonly properties: Readonly<Record<string, string>>;
  readonly event?: string;
  readonly outputs?: readonly string[];
}

async function toolsOf(...starts: Start[]) {
  const { processes, problems } = await compile(`<bpmn:definitions ${head}>
    <bpmn:message id="m" name="refund-requested" />
    <bpmn:process id="p" isExecutable="true">${starts
      .map(
        ({ properties, event = '', outputs = [] }, index) => `<bpmn:startEvent id="s${index}"><bpmn:extensionElements>
          <zeebe:properties>${Object.entries(properties)
            .map(([name, value]) => `<zeebe:property name="io.camunda.tool:${name}" value="${value}" />`)
            .join('')}</zeebe:properties>
          <zeebe:ioMapping>${outputs.map((source, at) => `<zeebe:output source="${source}" target="v${at}" />`).join('')}</zeebe:ioMapping>
        </bpmn:extensionElements><bpmn:outgoing>f${index}</bpmn:outgoing>${event}</bpmn:startEvent>
        <bpmn:sequenceFlow id="f${index}" sourceRef="s${index}" targetRef="e" />`,
      )
      .join('')}
      <bpmn:endEvent id="e" />
    </bpmn:process></bpmn:definitions>`);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  const warnings = problems.map(({ message }) => message).filter((message) => message.includes('not a tool'));
  return { tools: processes[0]!.tools, warnings };
}

const byMessage = '<bpmn:messageEventDefinition messageRef="m" />';

test('a message start event with the properties of the template is a tool, with all that a model should know', async () => {
  const { tools, warnings } = await toolsOf({
    properties: {
      name: 'refund.order-1',
      purpose: 'Refunds an order',
      inputs: 'orderID: a text',
      results: 'refundID',
      when_to_use: 'A customer returns goods',
      when_not_to_use: 'The order is open',
    },
    event: byMessage,
  });
  expect(warnings).toEqual([]);
  expect(tools).toEqual([
    {
      name: 'refund.order-1',
      nodeID: 's0',
      messageName: 'refund-requested',
      description:
        'Refunds an order\n\nInputs: orderID: a text\n\nReturns: refundID\n\nWhen to use: A customer returns goods\n\nWhen not to use: The order is open',
    },
  ]);
});

test('a none start event is a tool too, with the parameters of fromAi in its output mappings', async () => {
  const { tools } = await toolsOf({
    properties: { name: 'refund' },
    outputs: [
      '=fromAi(orderID, &quot;Id of the order&quot;, &quot;string&quot;)',
      '=fromAi(amount, null, &quot;number&quot;, {minimum: 1}, {required: false})',
    ],
  });
  expect(tools).toEqual([
    {
      name: 'refund',
      nodeID: 's0',
      description: '',
      parameters: [
        { name: 'orderID', description: 'Id of the order', type: 'string' },
        { name: 'amount', type: 'number', schema: { minimum: 1 }, options: { required: false } },
      ],
    },
  ]);
});

test('a process without such a start event has no tools', async () => {
  expect((await toolsOf({ properties: {} })).tools).toBeUndefined();
});

test.each([
  ['a name with a space', { properties: { name: 'refund order' } }, /its name must have 1 to 100 letters/],
  ['no name', { properties: { name: '' } }, /its name must have 1 to 100 letters/],
  ['a name of 101 characters', { properties: { name: 'x'.repeat(101) } }, /its name must have 1 to 100 letters/],
  ['a description of 10,000 characters', { properties: { name: 'a', purpose: 'x'.repeat(10_000) } }, /may have 8000/],
  [
    'a timer',
    {
      properties: { name: 'a' },
      event: '<bpmn:timerEventDefinition><bpmn:timeCycle>R/PT1H</bpmn:timeCycle></bpmn:timerEventDefinition>',
    },
    /only a none start event/,
  ],
] as const)('a start event with %s is not a tool, and a warning says why', async (_, start, message) => {
  const { tools, warnings } = await toolsOf(start);
  expect(tools).toBeUndefined();
  expect(warnings).toEqual([expect.stringMatching(message)]);
});

test('of two start events with one name the first is the tool', async () => {
  const { tools, warnings } = await toolsOf(
    { properties: { name: 'a' } },
    { properties: { name: 'a' }, event: byMessage },
  );
  expect(tools).toMatchObject([{ nodeID: 's0' }]);
  expect(warnings).toEqual([expect.stringContaining('another start event has its name')]);
});
