/**
 * Public external task clients of Camunda 7, unmodified, together with a job worker, while hosts are replaced.
 * `npm run camunda7-clients-proof` installs the clients; `npm test` skips this.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  accessTokens,
  ApiError,
  createClient,
  unwrap,
  workOnJobs,
  type PerdureClient,
  type Schemas,
} from '@perdure/client';
import { errorMessage } from '@perdure/lib/error-message.js';
import { sequenceModel, serviceTask } from '@perdure/testkit/models';
import { freePort } from '../../dev/ports.js';
import { repositoryRoot } from '../../dev/repository.js';
import { findNpmPackage } from '../../tools/foreign/npm.js';
import { findPythonPackage } from '../../tools/foreign/python.js';
import { eventually } from '../support/eventually.js';
import { startHostProcess, type HostProcess } from '../support/hosts/host-process.js';
import {
  createEmptyDatabase,
  issuerTokenEndpoint,
  tokenFor,
  uniqueName,
  type TestDatabase,
} from '../support/infrastructure.js';
import { openLoadBalancer, type LoadBalancer } from './support/load-balancer.js';

const isReal = process.env['CAMUNDA7_CLIENTS'] === 'real';
const JAVASCRIPT = { name: 'camunda-external-task-client-js', version: '3.1.0' };
const PYTHON = { name: 'camunda-external-task-client-python3', version: '4.5.0' };
const projectID = 'demo';
const REPLACEMENTS = 4;
const INSTANCES_EACH = 25;
const WORK_MS = 50;

vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });

let pythonPackages: string | undefined;
let missing = '';
if (isReal)
  try {
    pythonPackages = await findPythonPackage(PYTHON.name, PYTHON.version);
  } catch (error) {
    missing = ` (without the Python client: ${errorMessage(error)})`;
  }

/** Which workers have done the task of each instance, and what clients could not do. */
const handled = new Map<string, string[]>();
const troubles: string[] = [];
const note = (instance: string, by: string) => handled.set(instance, [...(handled.get(instance) ?? []), by]);

describe.skipIf(!isReal)('unmodified external task clients', () => {
  const taskQueue = uniqueName('clients');
  const topic = uniqueName('pack');
  const stopping = new AbortController();
  const running: Promise<unknown>[] = [];
  const hosts: HostProcess[] = [];
  let database: TestDatabase;
  let apis: LoadBalancer;
  let engines: LoadBalancer;
  beforeAll(async () => {
    database = await createEmptyDatabase();
    apis = await openLoadBalancer();
    engines = await openLoadBalancer();
  });
  afterAll(async () => {
    stopping.abort();
    await Promise.allSettled(running);
    for (const { child } of hosts) child.kill('SIGKILL');
    await apis?.close();
    await engines?.close();
    await database?.drop();
  });

  async function startHost(): Promise<HostProcess> {
    const port = await freePort();
    const host = await startHostProcess({
      DATABASE_URL: database.url,
      TEMPORAL_TASK_QUEUE: taskQueue,
      CAMUNDA7_PORT: String(port),
      LOG_LEVEL: 'warn',
      // Longer than clients keep a connection that they do not use.
      SHUTDOWN_DELAY: '5s',
      RATE_LIMIT_PER_SECOND: '10000',
      RATE_LIMIT_BURST: '10000',
    });
    hosts.push(host);
    const api = (await host.ready).api!;
    apis.add(api);
    engines.add(api, `http://127.0.0.1:${port}`);
    return host;
  }

  /** The new one serves before the old one is asked to go. */
  async function replace(old: HostProcess): Promise<HostProcess> {
    const next = await startHost();
    old.child.kill('SIGTERM');
    expect(await old.exited, old.output()).toBe(0);
    return next;
  }

  async function clientOf(account: string): Promise<PerdureClient> {
    const tokenEndpoint = await issuerTokenEndpoint();
    const accessToken = accessTokens({ tokenEndpoint, clientID: account, clientSecret: `dev-${account}` });
    return createClient({ api: apis.url, accessToken });
  }

  const baseUrl = () => `${engines.url}/projects/${projectID}/engine-rest`;

  async function startJavaScript(): Promise<void> {
    const folder = await findNpmPackage(JAVASCRIPT.name, JAVASCRIPT.version);
    const { Client, Variables } = await import(/* @vite-ignore */ pathToFileURL(join(folder, 'index.js')).href);
    const token = await tokenFor('executor');
    const client = new Client({
      baseUrl: baseUrl(),
      workerId: 'javascript',
      maxTasks: 2,
      interval: 20,
      asyncResponseTimeout: 2_000,
      lockDuration: 60_000,
      interceptors: (request: any) => ({
        ...request,
        headers: { ...request.headers, Authorization: `Bearer ${token}` },
      }),
    });
    for (const event of ['poll:error', 'complete:error'])
      client.on(event, (...given: unknown[]) =>
        troubles.push(`javascript ${event}: ${given.map(errorMessage).join()}`),
      );
    client.subscribe(topic, async ({ task, taskService }: any) => {
      await delay(WORK_MS);
      note(task.processInstanceId, 'javascript');
      await taskService.complete(task, new Variables().set('by', 'javascript'));
    });
    stopping.signal.addEventListener('abort', () => client.stop());
  }

  async function startPython(): Promise<void> {
    const script = join(repositoryRoot, 'test', 'fleet', 'support', 'external_task_client.py');
    const child = spawn('python3', [script, baseUrl(), topic], {
      env: {
        ...process.env,
        PYTHONPATH: pythonPackages,
        PYTHONDONTWRITEBYTECODE: '1',
        TOKEN: await tokenFor('executor'),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    createInterface(child.stdout).on('line', (line) => {
      if (!line.startsWith('{')) return;
      const { instance, trouble } = JSON.parse(line) as { instance?: string; trouble?: string };
      if (instance !== undefined) note(instance, 'python');
      else if (trouble !== undefined) troubles.push(`python: ${trouble}`);
    });
    running.push(new Promise((resolve) => void child.once('exit', resolve)));
    stopping.signal.addEventListener('abort', () => child.kill('SIGTERM'));
  }

  async function startOwn(client: PerdureClient): Promise<void> {
    const handler = async ({ workflowID }: { workflowID: string }) => {
      await delay(WORK_MS);
      note(workflowID, 'own');
      return { by: 'own' };
    };
    const options = { client, projectID, clientID: 'own', taskType: topic, jobsAtOnce: 2, handler };
    running.push(workOnJobs(options, stopping.signal));
  }

  async function deploy(client: PerdureClient): Promise<string> {
    const body = { name: topic, xml: sequenceModel('packing', [serviceTask('work', { type: topic })]) };
    const { id: resourceID } = await unwrap(
      client.POST('/projects/{projectID}/bpmn/resources', { params: { path: { projectID } }, body }),
    );
    const params = { path: { projectID, resourceID } };
    await unwrap(client.POST('/projects/{projectID}/bpmn/resources/{resourceID}/deploy', { params }));
    return (await unwrap(client.GET('/projects/{projectID}/bpmn/resources/{resourceID}', { params }))).processes![0]!
      .id;
  }

  async function startInstances(client: PerdureClient, processDefinitionID: string): Promise<string[]> {
    const started: string[] = [];
    for (let count = 0; count < INSTANCES_EACH; count += 1) {
      const params = { path: { projectID }, header: { 'Idempotency-Key': uniqueName('start') } };
      const start = () =>
        unwrap(client.POST('/projects/{projectID}/bpmn/instances', { params, body: { processDefinitionID } }));
      const { workflowID } = await eventually('a start', () => start().catch(undefinedIfBusy));
      started.push(workflowID);
    }
    return started;
  }

  /** Its variable, and how often its task was completed. */
  async function endOf(client: PerdureClient, workflowID: string): Promise<{ by: unknown; completions: number }> {
    const path = { projectID, workflowID };
    await eventually(
      () => unwrap(client.GET('/projects/{projectID}/bpmn/instances/{workflowID}', { params: { path } })),
      ({ status }) => status === 'COMPLETED',
    );
    const { variables } = await unwrap(
      client.GET('/projects/{projectID}/bpmn/instances/{workflowID}/variables', { params: { path } }),
    );
    const { data } = await unwrap<{ data: Schemas['BpmnActivityState'][] }>(
      client.GET('/projects/{projectID}/bpmn/instances/{workflowID}/history', { params: { path } }),
    );
    const completions = data.filter(({ nodeID, status }) => nodeID === 'work' && status === 'Completed').length;
    return { by: variables['by'], completions };
  }

  it(`work together with a job worker while hosts are replaced: no task is lost, and none is completed twice${missing}`, async () => {
    // One after the other: the first brings the database to its schema.
    const fleet = [await startHost(), await startHost()];
    await eventually('a ready host', () => isReady(apis.url));
    const [editor, viewer] = [await clientOf('editor'), await clientOf('editor')];
    const definitionID = await deploy(editor);
    await startJavaScript();
    if (pythonPackages !== undefined) await startPython();
    await startOwn(await clientOf('executor'));
    const instances: string[] = [];
    for (let count = 0; count < REPLACEMENTS; count += 1) {
      const [next, started] = await Promise.all([replace(fleet.shift()!), startInstances(editor, definitionID)]);
      fleet.push(next);
      instances.push(...started);
    }
    for (const workflowID of instances) {
      const { by, completions } = await endOf(viewer, workflowID);
      expect({ workflowID, completions }).toEqual({ workflowID, completions: 1 });
      expect(handled.get(workflowID)).toContain(by);
    }
    // A host that is too busy asks a client to try again. It never breaks a connection or refuses a result.
    expect(troubles.filter((trouble) => !trouble.includes('503'))).toEqual([]);
    const workers = ['javascript', 'own', ...(pythonPackages === undefined ? [] : ['python'])];
    expect([...new Set([...handled.values()].flat())].toSorted()).toEqual(workers);
  });
});

function undefinedIfBusy(error: unknown): undefined {
  if (error instanceof ApiError && error.status === 503) return undefined;
  throw error;
}

async function isReady(url: string): Promise<true | undefined> {
  const answer = await fetch(`${url}/ready`).catch(() => undefined);
  return answer?.ok || undefined;
}
