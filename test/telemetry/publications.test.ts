/** Messages and signals bring along the trace context of who published them. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../api/operations/support/host.js';
import { processModel, sequenceFlow, sequenceModel, serviceTask } from '@perdure/testkit/models';
import { deploy, takeJob } from '../api/operations/support/steps.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const extension = (xml: string) => `<bpmn:extensionElements>${xml}</bpmn:extensionElements>`;
const message = (name: string) =>
  `<bpmn:message id="M" name="${name}">${extension('<zeebe:subscription correlationKey="=1" />')}</bpmn:message>`;
const signal = (name: string) => `<bpmn:signal id="S" name="${name}" />`;
const onMessage = '<bpmn:messageEventDefinition messageRef="M" />';
const onSignal = '<bpmn:signalEventDefinition signalRef="S" />';
const catching = (definition: string) =>
  `<bpmn:intermediateCatchEvent id="wait">${definition}</bpmn:intermediateCatchEvent>`;
const throwing = (definition: string) =>
  `<bpmn:intermediateThrowEvent id="throw">${definition}</bpmn:intermediateThrowEvent>`;

/** A process that begins with a job when the event happens. */
const startedBy = (definition: string, type: string, roots: string) =>
  processModel(
    `started-${type}`,
    [
      `<bpmn:startEvent id="start">${definition}</bpmn:startEvent>`,
      serviceTask('work', { type }),
      sequenceFlow('f', 'start', 'work'),
    ],
    [],
    roots,
  );

const newTrace = () => ({
  traceparent: `00-${randomUUID().replaceAll('-', '')}-00f067aa0ba902b7-01`,
  tracestate: 'vendor=1',
});
const post = (path: string, json: Record<string, unknown>, headers: Record<string, string>) =>
  host.call('executor', 'POST', path, { json, headers });
const traceOfJob = async (type: string) => (await takeJob(host, type)).traceContext;

test.each([
  ['a message', onMessage, message, '/bpmn/messages', (name: string) => ({ messageName: name, correlationKeys: 1 })],
  ['a signal', onSignal, signal, '/bpmn/signals', (name: string) => ({ signalName: name })],
])(
  '%s continues the trace of its publisher in the instance that waits for it',
  async (_what, definition, root, path, publication) => {
    const [name, type, trace] = [randomUUID(), randomUUID(), newTrace()];
    const id = await deploy(
      host,
      sequenceModel(`waits-${type}`, [catching(definition), serviceTask('work', { type })], root(name)),
    );
    await post('/bpmn/instances', { processDefinitionID: id }, newTrace());
    await post(path, publication(name), trace);
    expect(await traceOfJob(type)).toEqual(trace);
  },
);

test.each([
  ['a message', onMessage, message, '/bpmn/messages', (name: string) => ({ messageName: name })],
  ['a signal', onSignal, signal, '/bpmn/signals', (name: string) => ({ signalName: name })],
])(
  '%s continues the trace of its publisher in the instance that it starts',
  async (_what, definition, root, path, publication) => {
    const [name, type, trace] = [randomUUID(), randomUUID(), newTrace()];
    await deploy(host, startedBy(definition, type, root(name)));
    await post(path, publication(name), trace);
    expect(await traceOfJob(type)).toEqual(trace);
  },
);

test('a signal that an instance throws continues the trace of that instance', async () => {
  const [name, type, trace] = [randomUUID(), randomUUID(), newTrace()];
  await deploy(host, startedBy(onSignal, type, signal(name)));
  const id = await deploy(host, sequenceModel(`throws-${type}`, [throwing(onSignal)], signal(name)));
  await post('/bpmn/instances', { processDefinitionID: id }, trace);
  expect(await traceOfJob(type)).toEqual(trace);
});

test('a message without a trace leaves the instance its own', async () => {
  const [name, type, trace] = [randomUUID(), randomUUID(), newTrace()];
  const id = await deploy(
    host,
    sequenceModel(`keeps-${type}`, [catching(onMessage), serviceTask('work', { type })], message(name)),
  );
  await post('/bpmn/instances', { processDefinitionID: id }, trace);
  await post('/bpmn/messages', { messageName: name, correlationKeys: 1 }, {});
  expect(await traceOfJob(type)).toEqual(trace);
});

test('a condition that a request makes true starts instances in the trace of the request', async () => {
  const [type, trace] = [randomUUID(), newTrace()];
  const condition =
    '<bpmn:conditionalEventDefinition><bpmn:condition xsi:type="bpmn:tFormalExpression">=traced</bpmn:condition></bpmn:conditionalEventDefinition>';
  const definitionID = await deploy(host, startedBy(condition, type, ''));
  expect(await post('/bpmn/conditionals/evaluate', { definitionID, variables: { traced: true } }, trace)).toMatchObject(
    { status: 200 },
  );
  expect(await traceOfJob(type)).toEqual(trace);
});
