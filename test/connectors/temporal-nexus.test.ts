import { HandlerError, operation, OperationError, service, serviceHandler } from 'nexus-rpc';
import { Worker, type NativeConnection } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { uniqueName } from '../support/infrastructure.js';
import { startTemporalTasks, type TemporalTasks } from './support/temporal-tasks.js';

vi.setConfig({ testTimeout: 120_000 });

const bank = service('bank', { charge: operation<{ amount: number }, { paid: number }>() });
const handler = serviceHandler(bank, {
  async charge(_context, { amount }) {
    if (amount > 100) throw new OperationError('failed', 'too much');
    if (amount < 0) throw new HandlerError('BAD_REQUEST', 'less than nothing');
    return { paid: amount };
  },
});

const endpoint = uniqueName('bank');
let tasks: TemporalTasks;
let worker: Worker;
let ended: Promise<void>;
beforeAll(async () => {
  tasks = await startTemporalTasks({ none: async () => undefined });
  const connection = tasks.host.client.connection as NativeConnection;
  const taskQueue = uniqueName('nexus');
  await connection.operatorService.createNexusEndpoint({
    spec: { name: endpoint, target: { worker: { namespace: 'default', taskQueue } } },
  });
  worker = await Worker.create({ connection, taskQueue, nexusServices: [handler] });
  ended = worker.run();
  await tasks.startConnectors({ allowed: { p1: { taskQueues: [], endpoints: [endpoint] } } });
});
afterAll(async () => {
  await tasks?.close();
  worker?.shutdown();
  await ended;
});

const charge = (amount: number, to = endpoint) => ({
  type: 'temporal:nexus',
  inputs: { amount: `=${amount}` },
  headers: { endpoint: to, service: 'bank', operation: 'charge', scheduleToCloseTimeout: 'PT30S' },
});

it('an operation gets its input, and its result is that of the task', async () => {
  expect(await tasks.completed(charge(5))).toMatchObject({ paid: 5 });
});

it('an operation that fails is a BPMN error, and an endpoint without a permission is refused', async () => {
  expect((await tasks.incident(charge(500))).errorCode).toMatch(/^TEMPORAL_FAILED$|Error$/);
  expect(await tasks.incident(charge(5, 'other'))).toMatchObject({ errorCode: 'TEMPORAL_REFUSED' });
});
