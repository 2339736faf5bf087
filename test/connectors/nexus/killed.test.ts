/** Everything dies while coded workflows and processes wait for each other: both end, and nothing is started twice. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client, type WorkflowHandle } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { sequenceModel, serviceTask } from '@perdure/testkit/models';
import { eventually } from '../../support/eventually.js';
import { forgetWorker } from '../../support/forget-worker.js';
import type { HostProcess } from '../../support/hosts/host-process.js';
import { temporalAddress, uniqueName } from '../../support/infrastructure.js';
import { quietRuntime } from '../../support/quiet-runtime.js';
import { beginWorkflow, callersBundle, createEndpoint } from '../support/nexus.js';
import { startProcesses, type Connector, type Processes } from '../support/processes.js';

vi.setConfig({ testTimeout: 240_000 });

const endpoint = uniqueName('shop');
const callers = uniqueName('callers');
const serving = { NEXUS_ALLOW: JSON.stringify({ [endpoint]: 'demo' }) };

let connection: NativeConnection;
let client: Client;
let processes: Processes;
let host: HostProcess;
let connector: Connector;
let caller: ChildProcess;
beforeAll(async () => {
  quietRuntime();
  connection = await NativeConnection.connect({ address: await temporalAddress() });
  client = new Client({ connection });
  await createEndpoint(connection, endpoint, `perdure-nexus-${endpoint}`);
  const allowed = JSON.stringify({ demo: { taskQueues: [callers] } });
  processes = await startProcesses('https://none.example.com', {}, { TEMPORAL_TASKS_ALLOW: allowed });
  await startAll();
  await letAllDie();
});
afterAll(async () => {
  caller?.kill('SIGKILL');
  await processes?.close();
  await connection?.close();
});

async function startAll(): Promise<void> {
  const script = fileURLToPath(new URL('../support/nexus-caller.mjs', import.meta.url));
  const arguments_ = [script, await temporalAddress(), callers, await callersBundle()];
  caller = spawn(process.execPath, arguments_, { stdio: 'inherit' });
  [host, connector] = await Promise.all([processes.startHost(serving), processes.startConnector()]);
}

/** The workflows that wait for their instances. */
const waiting: Record<string, Awaited<ReturnType<typeof run>>> = {};
let shipment: WorkflowHandle;
let orderID: string;
let statusOfUnreported: string;

/** Three workflows wait for their instances while the host dies, and then everything else. */
async function letAllDie(): Promise<void> {
  const workflowIdPrefix = uniqueName('ship-');
  const headers = { workflow: 'ship', taskQueue: callers, workflowIdPrefix };
  const ship = serviceTask('ship', { type: 'temporal:workflow', headers, inputs: { to: '=city' } });
  await processes.deploy(sequenceModel('slow', [serviceTask('work', { type: 'slow-work' })]));
  await processes.deploy(sequenceModel('unreported', [serviceTask('work', { type: 'unreported-work' })]));
  await processes.deploy(sequenceModel('order', [ship]));
  for (const [process, variables] of Object.entries({ slow: {}, unreported: {}, order: { city: 'Rome' } }))
    waiting[process] = await run(process, variables);
  const [, unreported, order] = await Promise.all(['slow', 'unreported', 'order'].map(jobOf));
  orderID = order.workflowID;
  shipment = client.workflow.getHandle(`${workflowIdPrefix}${order.executionKey}`);
  await eventually('the shipment', () => shipment.describe().catch(() => undefined));
  await untilAwaited(3);

  await processes.kill(host);
  const silent = await processes.startHost();
  await completeWork('unreported-work');
  await processes.untilCompleted(unreported.workflowID);
  statusOfUnreported = (await waiting['unreported']!.describe()).status.name;

  const ended = once(caller, 'exit');
  caller.kill('SIGKILL');
  await Promise.all([ended, processes.kill(silent, connector)]);
  const workflows = [shipment, ...Object.values(waiting)].map(({ workflowId }) => workflowId);
  await forgetWorker(client.connection, workflows);
  await startAll();
}

const run = (processId: string, variables = {}) =>
  beginWorkflow(client, callers, 'callPerdure', {
    endpoint,
    operation: 'runProcess',
    input: { processId, variables },
    within: '10m',
  });

const instancesOf = async (processId: string) =>
  (await processes.call('viewer', 'GET', `/bpmn/instances?processId=${processId}`)).data as { workflowID: string }[];

/** The only job of the only instance. */
const jobOf = (processId: string) =>
  eventually('the job', async () => {
    const [instance] = await instancesOf(processId);
    if (!instance) return undefined;
    return (await processes.call('viewer', 'GET', `/bpmn/instances/${instance.workflowID}/external-jobs`)).data[0];
  });

const untilAwaited = (count: number) =>
  eventually('the waits for the instances', async () => {
    const { rowCount } = await processes.store.query('SELECT 1 FROM instances WHERE nexus_endpoint IS NOT NULL');
    return rowCount === count || undefined;
  });

async function completeWork(taskType: string): Promise<void> {
  const poll = { taskType, clientID: 'test', timeout: '20s' };
  const [{ executionKey, leaseToken, workflowID }] = await processes.call(
    'executor',
    'POST',
    '/bpmn/external-jobs/poll',
    poll,
  );
  const done = { workflowID, clientID: 'test', leaseToken, variables: { done: true } };
  await processes.call('executor', 'POST', `/bpmn/external-jobs/${executionKey}/complete`, done);
}

it('a worker that dies in the middle of runProcess is replaced by one that reports the end', async () => {
  await completeWork('slow-work');
  expect(await waiting['slow']!.result()).toEqual({ result: { done: true } });
  expect(await instancesOf('slow')).toHaveLength(1);
});

it('an end that nothing could report is reported by the next worker', async () => {
  expect(statusOfUnreported).toBe('RUNNING');
  expect(await waiting['unreported']!.result()).toEqual({ result: { done: true } });
});

it('a coded workflow and a process that call each other both end after everything has died', async () => {
  await shipment.signal('deliver');
  expect(await waiting['order']!.result()).toMatchObject({ result: { city: 'Rome', shippedTo: 'Rome' } });
  await processes.untilCompleted(orderID);
  expect(await instancesOf('order')).toHaveLength(1);
});
