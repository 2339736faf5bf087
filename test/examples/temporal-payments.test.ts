/** A payment as an activity, and a workflow that calls the process, as the README of the example has it. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NativeConnection } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { compiledScript, repositoryRoot } from '../../dev/repository.js';
import { createEndpoint } from '../connectors/support/nexus.js';
import { createDatabase, temporalAddress, tokenFor, uniqueName, type TestDatabase } from '../support/infrastructure.js';
import { startHost, type Host } from '../support/hosts/host.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const example = 'examples/temporal-payments';
const run = promisify(execFile);
const endpoint = uniqueName('shop-processes');
let host: Host;
let database: TestDatabase;
let connection: NativeConnection;
let worker: ChildProcess;

beforeAll(async () => {
  const address = await temporalAddress();
  database = await createDatabase();
  host = await startHost({
    DATABASE_URL: database.url,
    PERDURE_ROLES: 'api,worker,connectors',
    LOG_LEVEL: 'warn',
    NEXUS_ALLOW: JSON.stringify({ [endpoint]: 'demo' }),
    TEMPORAL_TASKS_ALLOW: JSON.stringify({ demo: { taskQueues: ['payments-typescript'] } }),
  });
  connection = await NativeConnection.connect({ address });
  await createEndpoint(connection, endpoint, `perdure-nexus-${endpoint}`);
  await deploy();
  worker = spawn(process.execPath, [compiledScript(`${example}/typescript/worker.js`)], {
    env: { ...process.env, TEMPORAL_ADDRESS: address },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
});
afterAll(async () => {
  worker?.kill('SIGKILL');
  await host?.stop();
  await connection?.close();
  await database?.drop();
});

async function deploy(): Promise<void> {
  const headers = { authorization: `Bearer ${await tokenFor('editor')}`, 'content-type': 'application/json' };
  const post = (path: string, body?: object) =>
    fetch(`${host.api}/projects/demo/bpmn/resources${path}`, {
      method: 'POST',
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
  const xml = readFileSync(join(repositoryRoot, example, 'order-with-payment.bpmn'), 'utf8');
  const { id } = (await (await post('', { name: 'order-with-payment', xml })).json()) as { id: string };
  expect((await post(`/${id}/deploy`)).status).toBe(204);
}

async function buy(amount: number): Promise<string> {
  const env = { ...process.env, TEMPORAL_ADDRESS: await temporalAddress(), NEXUS_ENDPOINT: endpoint };
  const script = compiledScript(`${example}/buy.js`);
  const { stdout } = await run(process.execPath, [script, 'typescript', String(amount)], { env });
  return stdout.trim();
}

it('a workflow calls the process, whose payment is an activity', async () => {
  expect(await buy(120)).toMatch(/^payment-order-/);
});

it('a card that is declined is an error that the process catches', async () => {
  expect(await buy(5_000)).toBe('not paid');
});
