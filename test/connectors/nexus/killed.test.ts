/** Everything dies while coded workflows and processes wait for each other: both end, and nothing is started twice. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { sequenceModel, serviceTask } from '@perdure/testkit/models';
import { eventually } from '../../support/eventually.js';
import type { HostProcess } from '../../support/hosts/host-process.js';
import { temporalAddress, uniqueName } from '../../support/infrastructure.js';
import { quietRuntime } from '../../support/quiet-runtime.js';
import { beginWorkflow, createEndpoint } from '../support/nexus.js';
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
});
afterAll(async () => {
  caller?.kill('SIGKILL');
  await processes?.close();
  await connection?.close();
});

async function startAll(): Promise<void> {
  const script = fileURLToPath(new URL('../support/nexus-caller.mjs', import.meta.url));
  caller = spawn(process.execPath, [script, await temporalAddress(), callers], { stdio: 'inherit' });
  [host, connector] = await Promise.all([processes.startHost(serving), processes.startConnector()]);
}

async function kill(...children: ChildProcess[]): Promise<void> {
  const ended = children.map((child) => once(child, 'exit'));
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(ended);
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

const untilAwaited = () =>
  eventually('the wait for the instance', async () => {
    const { rows } = await processes.store.query('SELECT 1 FROM instances WHERE nexus_endpoint IS NOT NULL');
    return rows[0];
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
  await processes.deploy(sequenceModel('slow', [serviceTask('work', { type: 'slow-work' })]));
  const waiting = await run('slow');
  await jobOf('slow');
  await untilAwaited();
  await kill(host.child);
  host = await processes.startHost(serving);
  await completeWork('slow-work');
  expect(await waiting.result()).toEqual({ result: { done: true } });
  expect(await instancesOf('slow')).toHaveLength(1);
});

it('an end that nothing could report is reported by the next worker', async () => {
  await processes.deploy(sequenceModel('unreported', [serviceTask('work', { type: 'unreported-work' })]));
  const waiting = await run('unreported');
  const { workflowID } = await jobOf('unreported');
  await untilAwaited();
  await kill(host.child);
  const silent = await processes.startHost();
  await completeWork('unreported-work');
  await processes.untilCompleted(workflowID);
  await kill(silent.child);
  expect((await waiting.describe()).status.name).toBe('RUNNING');
  host = await processes.startHost(serving);
  expect(await waiting.result()).toEqual({ result: { done: true } });
});

it('a coded workflow and a process that call each other both end after everything has died', async () => {
  const workflowIdPrefix = uniqueName('ship-');
  const headers = { workflow: 'ship', taskQueue: callers, workflowIdPrefix };
  const task = serviceTask('ship', { type: 'temporal:workflow', headers, inputs: { to: '=city' } });
  await processes.deploy(sequenceModel('order', [task]));
  const waiting = await run('order', { city: 'Rome' });
  const { executionKey, workflowID } = await jobOf('order');
  const shipment = client.workflow.getHandle(`${workflowIdPrefix}${executionKey}`);
  await eventually('the shipment', () => shipment.describe().catch(() => undefined));
  await untilAwaited();

  await kill(host.child, connector.child, caller);
  await startAll();
  await shipment.signal('deliver');
  expect(await waiting.result()).toMatchObject({ result: { city: 'Rome', shippedTo: 'Rome' } });
  await processes.untilCompleted(workflowID);
  expect(await instancesOf('order')).toHaveLength(1);
});
