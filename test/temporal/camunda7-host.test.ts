/** External task clients at host processes that are stopped and killed. */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { processModel, endEvent, serviceTask, startEvent } from '@perdure/testkit/models';
import { freePort } from '../../dev/ports.js';
import { eventually } from '../support/eventually.js';
import { forgetWorker } from '../support/forget-worker.js';
import { startHost } from '../support/hosts/host.js';
import { startHostProcess, type HostProcess } from '../support/hosts/host-process.js';
import { createDatabase, temporalAddress, tokenFor, uniqueName, type TestDatabase } from '../support/infrastructure.js';

vi.setConfig({ testTimeout: 120_000 });

let database: TestDatabase;
const children: ChildProcess[] = [];

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await database.drop();
});

const WORKER = 'some-random-id';

interface Task {
  readonly id: string;
  readonly processInstanceId: string;
}

const tokens = new Map<string, Promise<string>>();

async function tokenOf(name: string): Promise<string> {
  if (!tokens.has(name)) tokens.set(name, tokenFor(name));
  return tokens.get(name)!;
}

async function send(base: string, path: string, body: object, name: string): Promise<Response> {
  return fetch(`${base}/projects/demo${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await tokenOf(name)}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const fetchTasks = async (engine: string, topicName: string, more: object = {}): Promise<Task[]> => {
  const response = await send(
    engine,
    '/engine-rest/external-task/fetchAndLock',
    { workerId: WORKER, maxTasks: 10, topics: [{ topicName, lockDuration: 5_000 }], ...more },
    'executor',
  );
  if (response.status !== 200) throw new Error(`Fetching answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Task[];
};

async function get<Body>(api: string, path: string): Promise<Body> {
  const headers = { authorization: `Bearer ${await tokenOf('editor')}` };
  return (await (await fetch(`${api}/projects/demo/bpmn${path}`, { headers })).json()) as Body;
}

/** Deploys a process with one task of this topic. */
async function deploy(api: string, topic: string): Promise<string> {
  const elements = [startEvent('start'), serviceTask('work', { type: topic }), endEvent('end')];
  const xml = processModel(topic, elements, ['a: start -> work', 'b: work -> end']);
  const created = await send(api, '/bpmn/resources', { name: topic, xml }, 'editor');
  const { id } = (await created.json()) as { id: string };
  await send(api, `/bpmn/resources/${id}/deploy`, {}, 'editor');
  const { processes } = await get<{ processes: { id: string }[] }>(api, `/resources/${id}`);
  return processes[0]!.id;
}

test('a request that waits for tasks is answered at once when the host stops', async () => {
  const host = await startHost({ DATABASE_URL: database.url, CAMUNDA7_PORT: '0' });
  const waiting = fetchTasks(host.camunda7!, 'nothing', { asyncResponseTimeout: 50_000 });
  await fetchTasks(host.camunda7!, 'nothing');
  const begun = performance.now();
  const stopped = host.stop();
  expect(await waiting).toEqual([]);
  expect(performance.now() - begun).toBeLessThan(10_000);
  await stopped;
});

test('no task is completed twice, though the host is killed while clients complete them', async () => {
  const port = await freePort();
  const engine = `http://127.0.0.1:${port}`;
  const environment = {
    DATABASE_URL: database.url,
    CAMUNDA7_PORT: String(port),
    TEMPORAL_TASK_QUEUE: uniqueName('killed'),
  };
  const launch = async (): Promise<{ host: HostProcess; api: string }> => {
    const host = await startHostProcess(environment);
    children.push(host.child);
    return { host, api: (await host.ready).api! };
  };
  const first = await launch();
  const topic = uniqueName('killed');
  const definitionID = await deploy(first.api, topic);
  const COUNT = 12;
  for (let index = 0; index < COUNT; index += 1)
    await send(first.api, '/bpmn/instances', { processDefinitionID: definitionID }, 'executor');

  const accepted = new Map<string, string[]>();
  let running = true;
  const client = async (name: string) => {
    while (running) {
      try {
        for (const { id, processInstanceId } of await fetchTasks(engine, topic, { maxTasks: 1, workerId: name }))
          await complete(name, id, processInstanceId);
      } catch {
        // The host is being started again.
        await delay(100);
      }
    }
  };
  /** As a client does that does not know whether its request has arrived. */
  const complete = async (workerId: string, id: string, instance: string) => {
    const variables = { by: { value: workerId, type: 'String' } };
    for (;;) {
      try {
        const { status } = await send(
          engine,
          `/engine-rest/external-task/${id}/complete`,
          { workerId, variables },
          'executor',
        );
        if (status >= 500 || status === 401) continue;
        if (status === 204) accepted.set(instance, [...(accepted.get(instance) ?? []), workerId]);
        return;
      } catch {
        if (!running) return;
        await delay(100);
      }
    }
  };
  const clients = ['one', 'two'].map(client);
  await eventually('some completions', () => accepted.size >= 3 || undefined);
  const instancesOf = async (api: string) =>
    (
      await get<{ data: { workflowID: string; status: string }[] }>(
        api,
        `/instances?definitionID=${definitionID}&pageSize=50`,
      )
    ).data;
  const all = (await instancesOf(first.api)).map(({ workflowID }) => workflowID);
  first.host.child.kill('SIGKILL');
  await first.host.exited;
  const temporal = await Connection.connect({ address: await temporalAddress() });
  await forgetWorker(temporal, all);
  await temporal.close();
  const second = await launch();
  const instances = await eventually('the end of all', async () => {
    const data = await instancesOf(second.api);
    return data.every(({ status }) => status === 'COMPLETED') ? data : undefined;
  });
  running = false;
  await Promise.all(clients);
  expect(instances).toHaveLength(COUNT);
  for (const { workflowID } of instances) {
    const { variables } = await get<{ variables: { by: string } }>(second.api, `/instances/${workflowID}/variables`);
    expect(accepted.get(workflowID)).toEqual([variables.by]);
  }
  second.host.child.kill('SIGTERM');
  expect(await second.host.exited).toBe(0);
});
