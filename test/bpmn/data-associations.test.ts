import { expect, test } from 'vitest';
import { MemoryHost } from '../../packages/testkit/memory-host.js';
import { endEvent, serviceTask } from '@perdure/testkit/models';
import { simpleModel } from '../support/models.js';
import { problemsOf, through } from './support/model.js';

const specification = (data: string, more = '') =>
  `<bpmn:ioSpecification>${data}<bpmn:inputSet>${more}</bpmn:inputSet><bpmn:outputSet/></bpmn:ioSpecification>`;
const into = (source: string, target: string, how = '') =>
  `<bpmn:dataInputAssociation><bpmn:sourceRef>${source}</bpmn:sourceRef><bpmn:targetRef>${target}</bpmn:targetRef>${how}</bpmn:dataInputAssociation>`;
const outOf = (source: string, target: string, how = '') =>
  `<bpmn:dataOutputAssociation><bpmn:sourceRef>${source}</bpmn:sourceRef><bpmn:targetRef>${target}</bpmn:targetRef>${how}</bpmn:dataOutputAssociation>`;
const transformation = (text: string) => `<bpmn:transformation>${text}</bpmn:transformation>`;
const value = (text: string) => `<bpmn:extensionElements><zeebe:value value="${text}"/></bpmn:extensionElements>`;

const ORDER =
  '<bpmn:dataObject id="o" name="order"/><bpmn:dataObjectReference id="order_1" dataObjectRef="o" name="Order [new]"/><bpmn:dataObject id="r" name="receipt"/><bpmn:dataObjectReference id="receipt_1" dataObjectRef="r"/>';

/** A job whose data is what is given, between a start and an end. */
async function begin(data: string, variables: Record<string, never> | object) {
  const host = await MemoryHost.deploy(
    simpleModel([ORDER, serviceTask('pay', { loop: data }), endEvent('e')], ['a: s -> pay', 'b: pay -> e']),
  );
  const instance = host.start('p', variables as never);
  const job = host.facts(instance).find(({ kind }) => kind === 'JOB_CREATED');
  return { host, instance, job };
}

test('data flows from data objects into an activity and out of it, as it is or transformed', async () => {
  const { host, instance, job } = await begin(
    specification(
      '<bpmn:dataInput id="i1" name="bill"/><bpmn:dataInput id="i2" name="amount"/><bpmn:dataOutput id="o1" name="paid"/>',
    ) +
      into('order_1', 'i1') +
      into('order_1', 'i2', transformation('order.total * 2')) +
      outOf('o1', 'receipt_1', transformation('{ number: paid.id }')),
    { order: { total: 21 } },
  );
  expect(job).toMatchObject({ localVariables: { bill: { total: 21 }, amount: 42 } });
  host.completeJob(instance, 'pay', { paid: { id: 'R1' }, internal: true });
  expect(host.variables(instance)).toEqual({ order: { total: 21 }, receipt: { number: 'R1' } });
});

test('assignments write members of their target, from expressions and from texts', async () => {
  const assign = (from: string, to: string) =>
    `<bpmn:assignment><bpmn:from>${from}</bpmn:from><bpmn:to>${to}</bpmn:to></bpmn:assignment>`;
  const { job } = await begin(
    specification('<bpmn:dataInput id="i1" name="bill"/><bpmn:dataInput id="i2" name="group"/>') +
      into('order_1', 'i1', assign('=order.total', 'bill.amount') + assign('=order.total > 20', 'i1.large')) +
      into('order_1', 'i2', assign('HR', 'i2')),
    { order: { total: 21 } },
  );
  expect(job).toMatchObject({ localVariables: { bill: { amount: 21, large: true }, group: 'HR' } });
});

test('a missing input is an incident, null if it is optional, and the default if it has one', async () => {
  const required = await begin(specification('<bpmn:dataInput id="i1" name="bill"/>') + into('order_1', 'i1'), {});
  expect(required.host.incidents(required.instance)).toMatchObject([{ node: 'pay', errorType: 'FeelError' }]);
  const { host, instance, job } = await begin(
    specification(
      `<bpmn:dataInput id="i1" name="bill"/><bpmn:dataInput id="i2" name="rate">${value('=0.5')}</bpmn:dataInput><bpmn:dataInput id="i3" name="currency">${value('EUR')}</bpmn:dataInput><bpmn:dataOutput id="o1" name="paid">${value('=false')}</bpmn:dataOutput>`,
      '<bpmn:optionalInputRefs>i1</bpmn:optionalInputRefs>',
    ) +
      into('order_1', 'i1') +
      into('order_1', 'i3') +
      outOf('o1', 'receipt_1'),
    {},
  );
  expect(job).toMatchObject({ localVariables: { bill: null, rate: 0.5, currency: 'EUR' } });
  host.completeJob(instance, 'pay');
  expect(host.variables(instance)).toEqual({ receipt: false });
});

test('a multi-instance activity may name its collections and items by data', async () => {
  const loop =
    '<bpmn:multiInstanceLoopCharacteristics isSequential="true"><bpmn:loopDataInputRef>i1</bpmn:loopDataInputRef><bpmn:loopDataOutputRef>o1</bpmn:loopDataOutputRef><bpmn:inputDataItem id="item" name="bill"/><bpmn:outputDataItem id="done" name="paid"/></bpmn:multiInstanceLoopCharacteristics>';
  const data =
    specification('<bpmn:dataInput id="i1" name="bills"/><bpmn:dataOutput id="o1" name="all"/>') +
    into('order_1', 'i1') +
    outOf('o1', 'receipt_1') +
    loop;
  const { host, instance } = await begin(data, { order: [1, 2] });
  host.completeJob(instance, 'pay', { paid: 'a' });
  host.completeJob(instance, 'pay', { paid: 'b' });
  expect(instance.state.status).toBe('COMPLETED');
  expect(host.variables(instance)).toMatchObject({ receipt: ['a', 'b'] });
});

test('the payload of an event flows into a data object', async () => {
  const event = `<bpmn:intermediateCatchEvent id="wait"><bpmn:dataOutput id="o1" name="sum"/>${outOf('o1', 'receipt_1', transformation('sum * 2'))}<bpmn:signalEventDefinition signalRef="go"/></bpmn:intermediateCatchEvent>`;
  const host = await MemoryHost.deploy(
    simpleModel([ORDER, event, endEvent('e')], ['a: s -> wait', 'b: wait -> e'], '<bpmn:signal id="go" name="go"/>'),
  );
  const instance = host.start('p');
  host.throwSignal('go', { sum: 21 });
  expect(host.variables(instance)).toEqual({ receipt: 42 });
});

test('a data association that is only drawn carries nothing', async () => {
  const drawn =
    '<bpmn:property id="property" name="__targetRef_placeholder"/><bpmn:dataInputAssociation><bpmn:sourceRef>order_1</bpmn:sourceRef><bpmn:targetRef>property</bpmn:targetRef></bpmn:dataInputAssociation><bpmn:dataOutputAssociation><bpmn:targetRef>receipt_1</bpmn:targetRef></bpmn:dataOutputAssociation>';
  const { host, instance } = await begin(drawn, {});
  host.completeJob(instance, 'pay', { paid: true });
  expect(host.variables(instance)).toEqual({ paid: true });
});

const wrong = (data: string, how = '') =>
  problemsOf(
    through(`<bpmn:manualTask id="m">${specification(data)}${into('order_1', 'i1', how)}</bpmn:manualTask>`, ORDER),
  );

test('data that cannot flow is reported', async () => {
  expect(await wrong('<bpmn:dataInput id="i1" name="Employee Badge"/>')).toEqual([
    'warning m: The data association of m transfers no data: "Employee Badge" is not a variable name',
  ]);
  expect(
    await wrong(
      '<bpmn:dataInput id="i1" name="a"/>',
      '<bpmn:transformation language="http://www.w3.org/1999/XPath">count(x)</bpmn:transformation>',
    ),
  ).toEqual([
    'error m: The data association to a is not FEEL but http://www.w3.org/1999/XPath. Rewrite "count(x)" in FEEL: =...',
  ]);
  expect(
    await wrong(
      '<bpmn:dataInput id="i1" name="a"/>',
      '<bpmn:assignment><bpmn:from>=1</bpmn:from><bpmn:to>other.b</bpmn:to></bpmn:assignment>',
    ),
  ).toEqual(['error m: An assignment of m must assign an expression to a or a member of it, but assigns to "other.b"']);
});
