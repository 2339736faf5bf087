/**
 * A payment as an activity, and a workflow that calls the process, as the README of the example has it. `npm run examples`
 * takes every language whose toolchain is installed.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { NativeConnection } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { accessTokens, createClient } from '@perdure/client';
import { compiledScript, repositoryRoot } from '../../dev/repository.js';
import { deploy } from '../../examples/order-fulfilment/place-order.js';
import { createEndpoint } from '../connectors/support/nexus.js';
import {
  createDatabase,
  issuerTokenEndpoint,
  temporalAddress,
  uniqueName,
  type TestDatabase,
} from '../support/infrastructure.js';
import { startHost, type Host } from '../support/hosts/host.js';
import { chosenWorkers, paymentsExample } from './support/payment-workers.js';

// Toolchains may download what they need.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 600_000 });

const run = promisify(execFile);
const workers = chosenWorkers(process.env['EXAMPLE_LANGUAGES'] || 'typescript');
const endpoint = uniqueName('shop-processes');
const folder = mkdtempSync(join(tmpdir(), 'payments-'));
const payments = join(folder, 'payments.log');
let host: Host;
let database: TestDatabase;
let connection: NativeConnection;

beforeAll(async () => {
  const address = await temporalAddress();
  database = await createDatabase();
  host = await startHost({
    DATABASE_URL: database.url,
    PERDURE_ROLES: 'api,worker,connectors',
    LOG_LEVEL: 'warn',
    NEXUS_ALLOW: JSON.stringify({ [endpoint]: 'demo' }),
    TEMPORAL_TASKS_ALLOW: JSON.stringify({ demo: { taskQueues: workers.map(({ taskQueue }) => taskQueue) } }),
  });
  connection = await NativeConnection.connect({ address });
  await createEndpoint(connection, endpoint, `perdure-nexus-${endpoint}`);
  const accessToken = accessTokens({
    tokenEndpoint: await issuerTokenEndpoint(),
    clientID: 'editor',
    clientSecret: 'dev-editor',
  });
  const shop = { client: createClient({ api: host.api, accessToken }), projectID: 'demo' };
  await deploy(shop, 'order-with-payment.bpmn', pathToFileURL(`${repositoryRoot}/${paymentsExample}/`));
});
afterAll(async () => {
  await host?.stop();
  await connection?.close();
  await database?.drop();
  rmSync(folder, { recursive: true });
});

async function buy(language: string, amount: number): Promise<string> {
  const env = { ...process.env, TEMPORAL_ADDRESS: await temporalAddress(), NEXUS_ENDPOINT: endpoint };
  const script = compiledScript(`${paymentsExample}/buy.js`);
  const { stdout } = await run(process.execPath, [script, language, String(amount)], { env });
  return stdout.trim();
}

describe.each(workers)('in $language', ({ language, build }) => {
  let worker: ChildProcess;
  beforeAll(async () => {
    const [program, ...given] = await build();
    const env = { ...process.env, TEMPORAL_ADDRESS: await temporalAddress(), PAYMENTS_FILE: payments };
    worker = spawn(program, given, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  });
  afterAll(() => void worker?.kill('SIGKILL'));

  it('a workflow calls the process, whose payment is an activity', async () => {
    const paymentID = await buy(language, 120);
    expect(paymentID).toMatch(/^payment-order-/);
    const [order, key, by] = readFileSync(payments, 'utf8').trim().split('\n').at(-1)!.split(' ');
    expect([`payment-${order}`, by]).toEqual([paymentID, language]);
    expect(key).toMatch(/^perdure-task:/);
  });

  it('a card that is declined is an error that the process catches', async () => {
    expect(await buy(language, 5_000)).toBe('not paid');
  });
});
