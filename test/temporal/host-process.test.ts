import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compiledScript } from '../../scripts/repository.js';
import { createEmptyDatabase, issuerUrl, temporalAddress, uniqueName, type TestDatabase } from '../support/infrastructure.js';
import { endpointOf, openTcpProxy } from './support/tcp-proxy.js';

let database: TestDatabase;
const children: ChildProcess[] = [];

beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await database.drop();
});

interface HostProcess {
  child: ChildProcess;
  output(): string;
  ready: Promise<{ api?: string; console?: string }>;
  exited: Promise<number | null>;
}

async function startHost(environment: NodeJS.ProcessEnv = {}): Promise<HostProcess> {
  const child = spawn(process.execPath, [compiledScript('host/main.js')], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      TZ: 'UTC',
      LC_ALL: 'C.UTF-8',
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: await temporalAddress(),
      TEMPORAL_TASK_QUEUE: uniqueName('host'),
      OIDC_ISSUER: await issuerUrl(),
      ...environment,
    },
  });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return {
    child,
    output: () => output,
    ready: once(child, 'message').then(([message]) => message as { api?: string; console?: string }),
    exited: once(child, 'exit').then(([code]) => code as number | null),
  };
}

test('the host says where it is, is ready, and ends in order when it is told to', async () => {
  const { child, ready, exited } = await startHost();
  const said = await ready;
  expect(said).toEqual({ kind: 'ready', api: said.api, console: `${said.api}/console` });
  expect((await fetch(`${said.api}/ready`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
});

test('the host ends when its parent goes away', async () => {
  const { child, ready, exited } = await startHost({ PERDURE_ROLES: 'api' });
  await ready;
  child.disconnect();
  expect(await exited).toBe(0);
});

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

test('a host that starts before Temporal waits for it', async () => {
  const temporal = await openTcpProxy(endpointOf(await temporalAddress()));
  temporal.cut();
  const { child, ready, exited, output } = await startHost({ TEMPORAL_ADDRESS: temporal.address });
  while (!output().includes('cannot be reached')) await once(child.stdout!, 'data');
  temporal.restore();
  const { api } = await ready;
  expect((await fetch(`${api}/ready`)).status).toBe(200);
  temporal.cut();
  const unready = await fetch(`${api}/ready`);
  expect(unready.status).toBe(503);
  expect(await unready.text()).toMatch(/"name":"temporal"/);
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
  await temporal.close();
}, 60_000);

test('a host that is told to stop while it waits for Postgres stops', async () => {
  const { child, exited, output } = await startHost({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
  while (!output().includes('Postgres cannot be reached')) await once(child.stdout!, 'data');
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
});
