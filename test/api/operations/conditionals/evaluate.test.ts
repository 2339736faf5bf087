import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../support/host.js';
import { endEvent, processModel, sequenceFlow, sequenceModel } from '@perdure/testkit/models';
import { deploy, untilStatus } from '../support/steps.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const when = (condition: string, processID = `when-${randomUUID()}`) =>
  processModel(
    processID,
    [
      `<bpmn:startEvent id="start"><bpmn:conditionalEventDefinition><bpmn:condition xsi:type="bpmn:tFormalExpression">=${condition}</bpmn:condition></bpmn:conditionalEventDefinition></bpmn:startEvent>`,
      endEvent('end'),
      sequenceFlow('a', 'start', 'end'),
    ],
    [],
  );

const evaluate = (json: Record<string, unknown>) =>
  host.call('executor', 'POST', '/bpmn/conditionals/evaluate', { json });

test('an instance starts at each condition that holds, of the newest versions', async () => {
  const processID = `when-${randomUUID()}`;
  await deploy(host, when('stock &lt; 100', processID));
  const newest = await deploy(host, when('stock &lt; 10', processID));
  await deploy(host, when('stock &gt; 10'));
  await deploy(host, when('missing = 1'));
  const { status, body } = await evaluate({ variables: { stock: 5 } });
  expect({ status, body }).toMatchObject({ status: 200, body: { started: [{ definitionID: newest }] } });
  expect(await untilStatus(host, body.started[0].workflowID, 'COMPLETED')).toMatchObject({ variables: { stock: 5 } });
  expect(body.started).toHaveLength(1);
});

test('one definition alone can be asked', async () => {
  const flag = randomUUID();
  const [first] = [await deploy(host, when(`flag = "${flag}"`)), await deploy(host, when(`flag = "${flag}"`))];
  expect((await evaluate({ variables: { flag }, definitionID: first })).body.started).toMatchObject([
    { definitionID: first },
  ]);
  expect((await evaluate({ variables: { flag } })).body.started).toHaveLength(2);
});

test('the same request with the same key starts nothing again', async () => {
  const flag = randomUUID();
  await deploy(host, when(`flag = "${flag}"`));
  const options = { json: { variables: { flag } }, headers: { 'Idempotency-Key': flag } };
  const first = await host.call('executor', 'POST', '/bpmn/conditionals/evaluate', options);
  expect(first.body.started).toHaveLength(1);
  expect((await host.call('executor', 'POST', '/bpmn/conditionals/evaluate', options)).body).toEqual(first.body);
  expect(
    await host.call('executor', 'POST', '/bpmn/conditionals/evaluate', { ...options, json: { variables: {} } }),
  ).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
});

test('a condition that takes long does not hold', async () => {
  const long = await deploy(host, when('count(for i in 1..99999 return i * i) &gt; 0'));
  expect((await evaluate({ variables: {}, definitionID: long })).body.started).toEqual([]);
});

test('a definition without conditions starts nothing, an unknown one is not found', async () => {
  const plain = await deploy(host, sequenceModel('plain', []));
  expect(await evaluate({ variables: {}, definitionID: plain })).toMatchObject({ status: 200, body: { started: [] } });
  expect(await evaluate({ variables: {}, definitionID: randomUUID() })).toMatchObject({ status: 404 });
  expect(await evaluate({})).toMatchObject({ status: 400 });
});
