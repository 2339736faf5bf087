/** Repeats under an `Idempotency-Key`, of every operation that takes one. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endEvent, on, processModel, sequenceFlow, sequenceModel, startEvent } from '@perdure/testkit/models';
import { operations } from '../../../api/operations/index.js';
import { eventually } from '../../support/eventually.js';
import { startTestHost, type Called, type TestHost } from './support/host.js';
import { deploy, start, untilStatus } from './support/steps.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

interface Keyed {
  role: 'editor' | 'executor';
  path: string;
  json: Record<string, unknown>;
  /** Another request for the same operation. */
  other: Record<string, unknown>;
  /** Deletes what the request names, and what it has caused. */
  remove(first: Called): Promise<void>;
}

const passing = () => sequenceModel(`passing-${randomUUID()}`, []);

const startedWhen = (condition: string) =>
  processModel(
    `when-${randomUUID()}`,
    [startEvent('start', on.condition(condition)), endEvent('end'), sequenceFlow('f', 'start', 'end')],
    [],
  );

async function succeeded(answer: Promise<Called>): Promise<Called> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  return answer;
}

async function erase(workflowID: string): Promise<void> {
  await untilStatus(host, workflowID, 'COMPLETED');
  const path = `/bpmn/instances/${workflowID}/history`;
  await eventually(
    () => host.call('admin', 'DELETE', path),
    ({ status }) => status === 204,
  );
}

async function deleteResourceOf(definitionID: string): Promise<void> {
  const { body } = await host.call('viewer', 'GET', `/bpmn/definitions/${definitionID}`);
  await succeeded(host.call('editor', 'DELETE', `/bpmn/resources/${body.resourceID}`));
}

async function endedInstance(): Promise<string> {
  const workflowID = await start(host, await deploy(host, passing()));
  await untilStatus(host, workflowID, 'COMPLETED');
  return workflowID;
}

async function deletePublication({ body }: Called): Promise<void> {
  await succeeded(host.call('editor', 'DELETE', `/bpmn/publications/${body.publicationID}`));
}

const keyed: Record<string, () => Promise<Keyed>> = {
  StartBpmnInstance: async () => {
    const definitionID = await deploy(host, passing());
    return {
      role: 'executor',
      path: '/bpmn/instances',
      json: { processDefinitionID: definitionID },
      other: { processDefinitionID: definitionID, businessId: 'other' },
      remove: async ({ body }) => {
        await erase(body.workflowID);
        await deleteResourceOf(definitionID);
      },
    };
  },
  RestartBpmnInstance: async () => {
    const workflowID = await endedInstance();
    return {
      role: 'executor',
      path: `/bpmn/instances/${workflowID}/restart`,
      json: {},
      other: { businessId: 'other' },
      remove: () => erase(workflowID),
    };
  },
  StartBpmnTestInstance: async () => {
    const { body } = await host.call('editor', 'POST', '/bpmn/resources', { json: { name: 'draft', xml: passing() } });
    return {
      role: 'editor',
      path: `/bpmn/resources/${body.id}/test`,
      json: {},
      other: { businessId: 'other' },
      remove: async () => void (await succeeded(host.call('editor', 'DELETE', `/bpmn/resources/${body.id}`))),
    };
  },
  EvaluateBpmnConditionals: async () => {
    const definitionID = await deploy(host, startedWhen('=go'));
    return {
      role: 'executor',
      path: '/bpmn/conditionals/evaluate',
      json: { definitionID, variables: { go: true } },
      other: { definitionID, variables: { go: false } },
      remove: async ({ body }) => {
        await erase(body.started[0].workflowID);
        await deleteResourceOf(definitionID);
      },
    };
  },
  PublishBpmnMessage: async () => ({
    role: 'executor',
    path: '/bpmn/messages',
    json: { messageName: 'kept' },
    other: { messageName: 'other' },
    remove: deletePublication,
  }),
  PublishBpmnSignal: async () => ({
    role: 'executor',
    path: '/bpmn/signals',
    json: { signalName: 'kept' },
    other: { signalName: 'other' },
    remove: deletePublication,
  }),
  CreateBpmnBacktest: async () => {
    const definitionID = await deploy(host, passing());
    return {
      role: 'editor',
      path: `/bpmn/definitions/${definitionID}/backtests`,
      json: {},
      other: { newest: 1 },
      remove: () => deleteResourceOf(definitionID),
    };
  },
  CreateBpmnDraftBacktest: async () => {
    const { body } = await host.call('editor', 'POST', '/bpmn/resources', { json: { name: 'draft', xml: passing() } });
    return {
      role: 'editor',
      path: `/bpmn/resources/${body.id}/backtests`,
      json: {},
      other: { newest: 1 },
      remove: async () => void (await succeeded(host.call('editor', 'DELETE', `/bpmn/resources/${body.id}`))),
    };
  },
  CreateBpmnBatch: async () => {
    const workflowID = await endedInstance();
    return {
      role: 'editor',
      path: '/bpmn/batches',
      json: { operation: 'CANCEL', workflowIDs: [workflowID] },
      other: { operation: 'CANCEL', workflowIDs: ['other'] },
      remove: () => erase(workflowID),
    };
  },
};

it('knows each operation that takes a key', () => {
  const takesKey = operations.filter(({ accepts }) => accepts.includes('Idempotency-Key'));
  expect(takesKey.map(({ operationID }) => operationID).toSorted()).toEqual(Object.keys(keyed).toSorted());
});

describe.each(Object.keys(keyed))('%s', (operationID) => {
  it('answers a repeat as at first, although what it names is gone, and refuses the key for another request', async () => {
    const { role, path, json, other, remove } = await keyed[operationID]!();
    const headers = { 'Idempotency-Key': randomUUID() };
    const send = (body: Record<string, unknown>) => host.call(role, 'POST', path, { json: body, headers });
    const first = await succeeded(send(json));
    await remove(first);
    const { status, body } = await send(json);
    expect({ status, body: identityOf(body) }).toEqual({ status: first.status, body: identityOf(first.body) });
    expect(await send(other)).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  });
});

/** A publication is shown as it is now: deleted. */
function identityOf(body: Record<string, unknown>): unknown {
  const { publicationID } = body;
  return publicationID === undefined ? body : publicationID;
}
