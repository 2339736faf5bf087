/** Messages as clients of Camunda 7 correlate them. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { catchEvent, extensions, on, sequenceModel } from '@perdure/testkit/models';
import { eventually } from '../../../support/eventually.js';
import { deploy, start, untilStatus } from '../support/steps.js';
import { startEngine, type Engine } from './support/engine.js';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const send = (json: object) => engine.send('/message', json);

/** An instance that waits for the message. */
async function waitingFor(name: string, correlationKey: string, variables: Record<string, unknown>): Promise<string> {
  const subscription = extensions(`<zeebe:subscription correlationKey="${correlationKey}" />`);
  const model = sequenceModel(
    `process-${name}`,
    [catchEvent('wait', on.message('M'))],
    `<bpmn:message id="M" name="${name}">${subscription}</bpmn:message>`,
  );
  const workflowID = await start(engine.host, await deploy(engine.host, model), { variables });
  await eventually(
    () => engine.host.call('viewer', 'GET', `/bpmn/subscriptions?name=${name}`),
    ({ body }) => body.data.length === 1,
  );
  return workflowID;
}

describe('a message reaches the instance that waits for', () => {
  it.each([
    ['the value of its one correlation key', '=order', { correlationKeys: { orderId: { value: 7, type: 'Integer' } } }],
    ['its business key', '=string(order)', { businessKey: '7' }],
    [
      'all of its correlation keys',
      '={a: order, b: "x"}',
      { correlationKeys: { a: { value: 7 }, b: { value: 'x', type: 'String' } } },
    ],
  ])('%s', async (_, key, keys) => {
    const name = randomUUID();
    const workflowID = await waitingFor(name, key.replaceAll('"', '&quot;'), { order: 7 });
    const processVariables = { paid: { value: '{"sum":1}', type: 'Json' } };
    expect(await send({ messageName: name, ...keys, processVariables })).toMatchObject({
      status: 204,
      body: undefined,
    });
    await untilStatus(engine.host, workflowID, 'COMPLETED');
    const { body } = await engine.host.call('executor', 'GET', `/bpmn/instances/${workflowID}/variables`);
    expect(body.variables).toMatchObject({ paid: { sum: 1 } });
  });
});

test('a message that no one waits for is 400, and is not kept', async () => {
  const name = randomUUID();
  expect(await send({ messageName: name })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('not kept') },
  });
  const { body } = await engine.host.call('viewer', 'GET', `/bpmn/publications?name=${name}&state=KEPT`);
  expect(body.data).toEqual([]);
});

test('a message is in the audit log with its sender', async () => {
  const name = randomUUID();
  const workflowID = await waitingFor(name, '=order', { order: 'o' });
  await send({ messageName: name, correlationKeys: { id: { value: 'o' } }, processVariables: { a: { value: 1 } } });
  await untilStatus(engine.host, workflowID, 'COMPLETED');
  const { body } = await engine.host.call('admin', 'GET', '/audit?operation=PublishBpmnMessage&pageSize=1');
  expect(body.data[0]).toMatchObject({ actor: 'executor', names: ['a'], details: { messageName: name } });
});

test.each([
  ['processInstanceId', { processInstanceId: 'x' }],
  ['tenantId', { tenantId: 'x' }],
  ['all', { all: true }],
  ['resultEnabled', { resultEnabled: true }],
  ['businessKey', { businessKey: 'a', correlationKeys: { b: { value: 1 } } }],
])('a message with %s is refused, because it would mean something else', async (member, more) => {
  expect(await send({ messageName: 'm', ...more })).toMatchObject({
    status: 400,
    body: { type: 'InvalidRequestException', message: expect.stringContaining(`/${member}`) },
  });
});
