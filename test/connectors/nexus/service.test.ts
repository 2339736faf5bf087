/** Coded workflows that call processes by Nexus, with a real Temporal server. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { catchEvent, on, root, scriptTask, sequenceModel, serviceTask } from '@perdure/testkit/models';
import { asyncLocalStorage } from '@temporalio/nexus/lib/context.js';
import type { NexusOptions } from '../../../connectors/nexus/options.js';
import { perdureService } from '../../../connectors/nexus/service.js';
import { read } from '../../api/operations/support/host.js';
import { deploy, jobOf, start, takeJob, untilStatus } from '../../api/operations/support/steps.js';
import { eventually } from '../../support/eventually.js';
import type { Answer } from '../support/nexus-callers.js';
import { startNexusHost, type NexusHost } from '../support/nexus.js';

vi.setConfig({ testTimeout: 120_000 });

/** Operations whose next answer is lost on its way to Temporal. */
const lost = new Set<string>();

let nexus: NexusHost;
beforeAll(async () => {
  nexus = await startNexusHost((call) => async (request) => {
    const answer = await call(request);
    if (lost.delete(request.operationID)) throw new Error('The connection broke');
    return answer;
  });
  const work = (id: string) => serviceTask('work', { type: `${id}-work` });
  await deploy(nexus.host, sequenceModel('double', [scriptTask('multiply', '=amount * 2', 'result')]));
  for (const id of ['long', 'canceled', 'ended', 'broken', 'repeated'])
    await deploy(nexus.host, sequenceModel(id, [work(id)]));
  await deploy(nexus.host, sequenceModel('stuck', [scriptTask('divide', '=10 / by', 'result')]));
  await deploy(
    nexus.host,
    sequenceModel('waiting', [catchEvent('wait', on.message('PAID'))], root.message('PAID', '=order')),
  );
});
afterAll(() => nexus?.close());

const instancesOf = async (processId: string) => {
  const { body } = await nexus.host.call('viewer', 'GET', `/bpmn/instances?processId=${processId}`);
  return body.data as { workflowID: string; status: string; startedBy: string }[];
};
const instanceOf = (processId: string) =>
  eventually(`an instance of ${processId}`, async () => (await instancesOf(processId))[0]?.workflowID);

/** The innermost failure: those around it only say that an operation failed. */
const thrown = ({ failures = [] }: Answer) =>
  failures.findLast(({ type }) => type !== undefined && /^[A-Z_]+$/.test(type));

const entries = async (operation: string) =>
  (await nexus.host.call('admin', 'GET', `/audit?operation=${operation}&actor=nexus:${nexus.endpoint}`)).body.data;

it('startProcess returns the id of the instance, which the endpoint has started', async () => {
  const { result } = await nexus.call('startProcess', { processId: 'double', variables: { amount: 2 } });
  const [instance] = await instancesOf('double');
  expect(result).toEqual({ workflowID: instance!.workflowID });
  expect(instance).toMatchObject({ startedBy: `nexus:${nexus.endpoint}` });
  expect(await entries('StartBpmnInstance')).toContainEqual(
    expect.objectContaining({ actorType: 'SERVICE', via: 'NEXUS', names: ['amount'], outcome: 'APPLIED' }),
  );
});

it('runProcess returns the variables at the end of the instance, or those that are named', async () => {
  const input = { processId: 'double', variables: { amount: 21 } };
  expect(await nexus.call('runProcess', input)).toEqual({ result: { amount: 21, result: 42 } });
  expect(await nexus.call('runProcess', { ...input, fetchVariables: ['result'] })).toEqual({ result: { result: 42 } });
});

it('runProcess returns as much as an instance can hold', async () => {
  const text = 'x'.repeat(1_000_000);
  const { result } = await nexus.call('runProcess', { processId: 'double', variables: { amount: 1, text } });
  expect(result).toEqual({ amount: 1, result: 2, text });
});

it('runProcess waits for an instance that takes long', async () => {
  const caller = await nexus.begin('callPerdure', { operation: 'runProcess', input: { processId: 'long' } });
  const job = await takeJob(nexus.host, 'long-work');
  const noted = 'SELECT 1 FROM instances WHERE workflow_id = $1 AND nexus_endpoint IS NOT NULL';
  await eventually('the wait', async () => (await nexus.host.store.query(noted, [job.workflowID])).rows[0]);
  const { workflowID, leaseToken } = job;
  const json = { workflowID, clientID: 'worker-1', leaseToken, variables: { done: true } };
  const completed = await nexus.host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/complete`, {
    json,
  });
  expect(completed.status).toBe(200);
  expect(await caller.result()).toEqual({ result: { done: true } });
  // The end is reported once.
  await eventually(
    async () => (await nexus.host.store.query(noted, [job.workflowID])).rowCount,
    (count) => count === 0,
  );
});

it('an open incident does not end runProcess', async () => {
  const input = { processId: 'stuck', variables: { by: 0 } };
  const caller = await nexus.begin('callPerdure', { operation: 'runProcess', input });
  const path = `/bpmn/instances/${await instanceOf('stuck')}`;
  const look = () => nexus.host.call('viewer', 'GET', `${path}/incidents`);
  const [incident] = (await eventually(look, ({ body }) => body.data?.length > 0)).body.data;
  expect((await caller.describe()).status.name).toBe('RUNNING');
  const resolve = `${path}/incidents/${incident.incidentID}/resolve`;
  await nexus.host.call('editor', 'POST', resolve, { json: { variables: { by: 5 } } });
  expect(await caller.result()).toEqual({ result: { by: 0, result: 2 } });
});

it('canceling runProcess cancels the instance, and the caller hears of it', async () => {
  const caller = await nexus.begin('runUntilGivenUp', { input: { processId: 'canceled' } });
  const workflowID = await instanceOf('canceled');
  await jobOf(nexus.host, workflowID);
  await eventually(
    async () => (await caller.fetchHistory()).events ?? [],
    (events) => events.some(({ nexusOperationStartedEventAttributes }) => nexusOperationStartedEventAttributes),
  );
  await caller.signal('giveUp');
  expect(thrown(await caller.result())).toMatchObject({ type: 'INSTANCE_CANCELED', details: [{ workflowID }] });
  expect((await untilStatus(nexus.host, workflowID, 'CANCELED')).status).toBe('CANCELED');
  expect(await entries('CancelBpmnInstance')).toMatchObject([{ via: 'NEXUS', workflowID }]);
});

it('an instance that another caller cancels ends runProcess', async () => {
  const caller = await nexus.begin('callPerdure', { operation: 'runProcess', input: { processId: 'ended' } });
  const workflowID = await instanceOf('ended');
  await nexus.host.call('editor', 'DELETE', `/bpmn/instances/${workflowID}`);
  expect(thrown(await caller.result())).toMatchObject({ type: 'INSTANCE_CANCELED', details: [{ workflowID }] });
});

it('an instance that fails ends runProcess with the reason', async () => {
  const caller = await nexus.begin('callPerdure', { operation: 'runProcess', input: { processId: 'broken' } });
  const workflowID = await instanceOf('broken');
  // As the reconciler does for an instance that was terminated in Temporal.
  await nexus.host.store.query(
    "UPDATE instances SET status = 'FAILED', failure_reason = 'Terminated', completed_at = now() WHERE workflow_id = $1",
    [workflowID],
  );
  const failure = thrown(await caller.result());
  expect(failure).toMatchObject({ type: 'INSTANCE_FAILED', details: [{ workflowID }] });
  expect(failure!.message).toContain('Terminated');
});

it.each(['startProcess', 'runProcess'])(
  'a %s whose answer is lost is repeated, and starts one instance',
  async (operation) => {
    const processId = operation === 'startProcess' ? 'repeated' : 'double';
    const before = (await instancesOf(processId)).length;
    lost.add('StartBpmnInstance');
    const { result } = await nexus.call(operation, { processId, variables: { amount: 1 } });
    expect(result).toBeDefined();
    expect(lost.size).toBe(0);
    expect(await instancesOf(processId)).toHaveLength(before + 1);
  },
);

it('publishMessage and publishSignal return the id and the state of the publication', async () => {
  const [{ processDefinitionID }] = await definitionsOf('waiting');
  const workflowID = await start(nexus.host, processDefinitionID, { variables: { order: 7 } });
  const message = { messageName: 'PAID', correlationKeys: 7, variables: { paid: true } };
  const published = await nexus.call('publishMessage', message);
  expect(published).toEqual({ result: { publicationID: expect.any(String), state: expect.any(String) } });
  expect(await untilStatus(nexus.host, workflowID, 'COMPLETED')).toMatchObject({ variables: { paid: true } });
  expect(await nexus.call('publishSignal', { signalName: 'CLOSING' })).toEqual({
    result: { publicationID: expect.any(String), state: expect.any(String) },
  });
  expect(await entries('PublishBpmnSignal')).toMatchObject([{ via: 'NEXUS', actorType: 'SERVICE' }]);
});

const definitionsOf = async (processId: string) =>
  (
    await nexus.host.store.query<{ processDefinitionID: string }>(
      'SELECT id AS "processDefinitionID" FROM definitions WHERE process_id = $1',
      [processId],
    )
  ).rows as [{ processDefinitionID: string }];

it.each([
  ['an unknown process', 'runProcess', { processId: 'nothing' }, 'NOT_FOUND'],
  ['an invalid body of runProcess', 'runProcess', { processId: 'double', more: true }, 'BAD_REQUEST'],
  ['an invalid body of startProcess', 'startProcess', { processId: 'double', more: true }, 'BAD_REQUEST'],
  ['an invalid body of publishMessage', 'publishMessage', { messageName: 'PAID', more: true }, 'BAD_REQUEST'],
  ['an invalid body of publishSignal', 'publishSignal', { signalName: 'CLOSING', more: true }, 'BAD_REQUEST'],
  [
    'nodes to start at, which an executor may not choose',
    'runProcess',
    { processId: 'double', startAt: [{ nodeID: 'end' }] },
    'NOT_FOUND',
  ],
])('%s is refused for good', async (_what, operation, input, code) => {
  const started = performance.now();
  expect(thrown(await nexus.call(operation, input))).toMatchObject({ type: code });
  // Temporal would repeat it until the operation times out.
  expect(performance.now() - started).toBeLessThan(30_000);
});

it('a process of another project is refused for good, and its messages and instances are out of reach', async () => {
  const { host } = nexus;
  const token = await host.token('admin', { projects: [{ id: 'p2', roles: ['admin'] }] });
  const inOther = async (method: string, path: string, json?: object) =>
    read(await host.api.request(method, `/projects/p2/bpmn${path}`, { token, ...(json && { json }) }));
  const xml = sequenceModel('foreign', [catchEvent('wait', on.message('OPENED'))], root.message('OPENED', '="order"'));
  const created = await inOther('POST', '/resources', { name: 'foreign', xml });
  await inOther('POST', `/resources/${created.body.id}/deploy`);
  const [{ processDefinitionID }] = await definitionsOf('foreign');
  const { workflowID } = (await inOther('POST', '/instances', { processDefinitionID })).body;
  for (const operation of ['startProcess', 'runProcess'])
    for (const input of [{ processDefinitionID }, { processId: 'foreign' }])
      expect(thrown(await nexus.call(operation, input))).toMatchObject({ type: 'NOT_FOUND' });
  await nexus.call('publishMessage', { messageName: 'OPENED', correlationKeys: 'order' });
  expect((await inOther('GET', '/instances?processId=foreign')).body.data).toMatchObject([
    { workflowID, status: 'RUNNING' },
  ]);
});

it('a suspended definition is refused for good', async () => {
  const [{ processDefinitionID }] = await definitionsOf('long');
  const path = `/bpmn/definitions/${processDefinitionID}`;
  await nexus.host.call('admin', 'POST', `${path}/suspend`, { json: {} });
  expect(thrown(await nexus.call('startProcess', { processId: 'long' }))).toMatchObject({
    type: 'DEFINITION_SUSPENDED',
  });
});

it('an endpoint without a permission gets nothing, whatever task queue it targets', async () => {
  const call = vi.fn<NexusOptions['call']>();
  const service = perdureService({ call, taskQueue: 'own' } as unknown as NexusOptions, 'shop', 'p1');
  // As newer servers name the endpoint.
  const ofOther = { endpoint: 'other' } as Parameters<typeof asyncLocalStorage.run>[0];
  const context = { requestId: 'r1', headers: {}, abortSignal: AbortSignal.abort() } as never;
  const operation = (name: string) => service.getOperationHandler(name as never);
  for (const name of ['startProcess', 'runProcess', 'publishMessage', 'publishSignal'])
    await expect(
      asyncLocalStorage.run(ofOther, () => operation(name).start(context, { processId: 'double' } as never)),
    ).rejects.toMatchObject({ type: 'NOT_FOUND', message: expect.stringContaining('NEXUS_ALLOW') });
  expect(call).not.toHaveBeenCalled();

  const ofThis = { ...ofOther, endpoint: 'shop' };
  const token = Buffer.from(JSON.stringify({ t: 1, ns: 'default', wid: 'perdure-run:other:1' })).toString('base64url');
  await expect(
    asyncLocalStorage.run(ofThis, () => operation('runProcess').cancel(context, token)),
  ).rejects.toMatchObject({ type: 'NOT_FOUND' });
});
