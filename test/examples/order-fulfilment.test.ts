import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { compiledScript, repositoryRoot } from '../../dev/repository.js';
import { createDatabase, issuerTokenEndpoint, type TestDatabase } from '../support/infrastructure.js';
import { startHost, type Host } from '../support/hosts/host.js';
import { orderKinds, type OrderKind } from './support/orders.js';

vi.setConfig({ testTimeout: 90_000 });

const example = 'examples/order-fulfilment';
const run = promisify(execFile);
let database: TestDatabase;
let host: Host;
let tokenEndpoint: string;
let worker: ChildProcess;

/** The worker as the example's README starts it. */
beforeAll(async () => {
  database = await createDatabase();
  host = await startHost({ DATABASE_URL: database.url, LOG_LEVEL: 'warn' });
  tokenEndpoint = await issuerTokenEndpoint();
  worker = spawn(process.execPath, [compiledScript(`${example}/worker.js`)], {
    env: environment(),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
});
afterAll(async () => {
  worker?.kill('SIGKILL');
  await host?.stop();
  await database?.drop();
});

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, PERDURE_API: host.api, PERDURE_TOKEN_ENDPOINT: tokenEndpoint };
}

async function placeOrder({ total, quantity }: OrderKind): Promise<string> {
  const { stdout } = await run(
    process.execPath,
    [compiledScript(`${example}/place-order.js`), String(total), String(quantity)],
    { cwd: repositoryRoot, env: environment() },
  );
  return /^Started (\S+)$/m.exec(stdout)?.[1] ?? expect.fail(`place-order said ${stdout}`);
}

async function tokenOf(account: string): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: account,
    client_secret: `dev-${account}`,
    scope: 'openid profile',
  });
  const { access_token: token } = (await (await fetch(tokenEndpoint, { method: 'POST', body })).json()) as {
    access_token: string;
  };
  return token;
}

/** A request as the person with curl in the README makes it. */
async function ask(method: 'GET' | 'POST', path: string, body?: object): Promise<any> {
  const response = await fetch(`${host.api}/projects/demo/bpmn${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await tokenOf('executor')}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.status, `${method} ${path}`).toBe(200);
  return response.json();
}

/** Claims and completes the approval of an order. */
async function approve(workflowID: string, approved: boolean): Promise<void> {
  const task = await vi.waitFor(
    async () => {
      const { data } = await ask('GET', `/user-tasks?status=CREATED&workflowID=${workflowID}`);
      expect(data).toHaveLength(1);
      return data[0];
    },
    { timeout: 30_000, interval: 100 },
  );
  expect(task).toMatchObject({ nodeID: 'ApproveOrder', candidateGroups: ['sales'], formID: 'approve-order' });
  expect(await ask('POST', `/user-tasks/${task.executionKey}/complete`, { variables: { approved } })).toMatchObject({
    status: 'APPLIED',
  });
}

async function untilEnded(workflowID: string): Promise<any> {
  return vi.waitFor(
    async () => {
      const instance = await ask('GET', `/instances/${workflowID}`);
      expect(instance.status).not.toBe('RUNNING');
      return instance;
    },
    { timeout: 30_000, interval: 100 },
  );
}

it.concurrent.each(orderKinds.map((kind) => [kind.name, kind] as const))('an order that %s', async (_name, kind) => {
  const workflowID = await placeOrder(kind);
  if (kind.approved !== undefined) await approve(workflowID, kind.approved);
  const { status, variables } = await untilEnded(workflowID);

  expect(status).toBe('COMPLETED');
  if (kind.end === 'OrderDelivered') {
    expect(variables).toMatchObject({
      reservationID: `reservation-${workflowID}`,
      paymentID: expect.stringMatching(`^payment-${workflowID}`),
      trackingNumber: `track-parcel-${workflowID}`,
    });
  } else {
    expect(variables).toMatchObject({ reason: kind.reason, notifiedWith: 'order-refused' });
    expect(variables).not.toHaveProperty('trackingNumber');
  }

  const { children } = await ask('GET', `/instances/${workflowID}/children`);
  expect(children.map((child: { processId: string; status: string }) => [child.processId, child.status])).toEqual(
    kind.payment ? [['collect-payment', kind.payment]] : [],
  );

  const { data: history } = await ask('GET', `/instances/${workflowID}/history?pageSize=100`);
  expect(history.at(-1)).toMatchObject({ nodeID: kind.end, status: 'Completed' });
  expect(history.filter((entry: { status: string }) => entry.status === 'Started')).toEqual([]);
  const timer = history.find((entry: { nodeID: string }) => entry.nodeID === 'WaitForPickup');
  if (kind.end === 'OrderDelivered')
    expect(timer).toMatchObject({
      status: 'Completed',
      durationMs: expect.toSatisfy((waited: number) => waited >= 2000),
    });
  else expect(timer).toBeUndefined();
});

it('the worker ends on SIGTERM', async () => {
  worker.kill('SIGTERM');
  expect(await once(worker, 'exit')).toEqual([0, null]);
});
