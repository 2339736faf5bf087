import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endEvent, processModel, startEvent } from '@perdure/testkit/models';
import { eventually } from '../support/eventually.js';
import {
  createDatabase,
  createEmptyDatabase,
  temporalAddress,
  tokenFor,
  uniqueName,
  type TestDatabase,
} from '../support/infrastructure.js';
import { startHostProcess, type HostProcess } from '../support/hosts/host-process.js';
import { endpointOf, openTcpProxy } from './support/tcp-proxy.js';

let database: TestDatabase;
let ticking: TestDatabase | undefined;
const children: ChildProcess[] = [];

beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await database.drop();
  await ticking?.drop();
});

async function startHost(environment: NodeJS.ProcessEnv = {}): Promise<HostProcess> {
  const host = await startHostProcess({ DATABASE_URL: database.url, ...environment });
  children.push(host.child);
  return host;
}

test('a worker alone has no API and says so', async () => {
  const { child, ready, exited } = await startHost({ PERDURE_ROLES: 'worker' });
  expect(await ready).toEqual({ kind: 'ready' });
  child.kill('SIGINT');
  expect(await exited).toBe(0);
});

test('every mistake in the configuration is one clear sentence, and no secret is repeated', async () => {
  const { exited, output } = await startHost({ DATABASE_URL: 'secret', ENGINE_CAN_MAX_ROTATIONS: 'many' });
  expect(await exited).toBe(1);
  expect(output()).toMatch(/DATABASE_URL must be a Postgres URL/);
  expect(output()).toMatch(/ENGINE_CAN_MAX_ROTATIONS must be a whole number/);
  expect(output()).not.toMatch(/secret"|at .*\.js/);
});

test('a port that is taken is one clear sentence', async () => {
  const taken = await openTcpProxy(endpointOf(await temporalAddress()));
  const { exited, output } = await startHost({ PORT: String(endpointOf(taken.address).port) });
  expect(await exited).toBe(1);
  expect(output()).toMatch(/cannot listen: .*EADDRINUSE/);
  expect(output()).not.toMatch(/\n\s+at /);
  await taken.close();
});

// These wait for most of their time.
test.concurrent(
  'a host whose parent goes away says that it is not ready, serves on for the delay, asking its callers to connect again, and ends',
  async () => {
    const { child, ready, exited } = await startHost({ PERDURE_ROLES: 'api', SHUTDOWN_DELAY: '3s' });
    const { api } = await ready;
    expect((await fetch(`${api}/health`)).headers.get('connection')).toBe('keep-alive');
    child.disconnect();
    const leaving = await eventually('an answer that sends its caller away', async () => {
      const answer = await fetch(`${api}/ready`);
      return answer.status === 503 ? answer : undefined;
    });
    expect(await leaving.json()).toEqual({
      status: 'not ready',
      missing: [{ name: 'host', message: 'The host is stopping' }],
    });
    const served = await fetch(`${api}/openapi.json`);
    expect([served.status, served.headers.get('connection')]).toEqual([200, 'close']);
    expect(await exited).toBe(0);
  },
);

test.concurrent(
  'a host that starts before Temporal waits for it, says where it is, and is ready',
  async () => {
    const temporal = await openTcpProxy(endpointOf(await temporalAddress()));
    temporal.cut();
    const { child, ready, exited, output } = await startHost({ TEMPORAL_ADDRESS: temporal.address });
    while (!output().includes('cannot reach Temporal')) await once(child.stdout!, 'data');
    temporal.restore();
    const said = await ready;
    const { api } = said;
    expect(said).toEqual({ kind: 'ready', api, console: `${api}/console` });
    expect((await fetch(`${api}/ready`)).status).toBe(200);
    temporal.cut();
    const unready = await eventually('a host that is not ready', async () => {
      const response = await fetch(`${api}/ready`);
      return response.status === 503 ? response : undefined;
    });
    expect(await unready.text()).toMatch(/"name":"temporal"/);
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    await temporal.close();
  },
  60_000,
);

test.concurrent('a host that is asked to stop while it waits for Postgres stops', async () => {
  const { child, exited, output } = await startHost({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
  while (!output().includes('cannot reach Postgres')) await once(child.stdout!, 'data');
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
});

test.concurrent(
  'a timer starts an instance for each of its ticks and no second one, though the host is killed in between; asked to stop, it ends in order',
  async () => {
    // The relay of another host would start the instances in another task queue.
    ticking = await createDatabase();
    const environment = { DATABASE_URL: ticking.url, TEMPORAL_TASK_QUEUE: uniqueName('killed') };
    const first = await startHost(environment);
    const { api } = await first.ready;
    const token = await tokenFor('editor');
    const call = async (base: string, method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
      const response = await fetch(`${base}/projects/demo/bpmn${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
      return response.status === 204
        ? undefined
        : ((await response.json()) as { id: string; data: { status: string }[]; processes: { id: string }[] });
    };
    const timer = '<bpmn:timerEventDefinition><bpmn:timeCycle>R6/PT1S</bpmn:timeCycle></bpmn:timerEventDefinition>';
    const xml = processModel('ticking', [startEvent('tick', timer), endEvent('end')], ['a: tick -> end']);
    const resource = (await call(api!, 'POST', '/resources', { name: 'ticking', xml }))!;
    await call(api!, 'POST', `/resources/${resource.id}/deploy`);
    const definitionID = (await call(api!, 'GET', `/resources/${resource.id}`))!.processes[0]!.id;
    const started = async (base: string) =>
      (await call(base, 'GET', `/instances?definitionID=${definitionID}`))!.data.map(({ status }) => status);
    await eventually('the first tick', async () => ((await started(api!)).length > 0 ? true : undefined));
    first.child.kill('SIGKILL');
    await first.exited;
    const second = await startHost(environment);
    const { api: again } = await second.ready;
    const ended = await eventually('six instances', async () => {
      const statuses = await started(again!);
      return statuses.filter((status) => status === 'COMPLETED').length >= 6 ? statuses : undefined;
    });
    expect(ended).toHaveLength(6);
    second.child.kill('SIGTERM');
    expect(await second.exited).toBe(0);
  },
  120_000,
);
