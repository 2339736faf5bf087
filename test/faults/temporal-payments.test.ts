/**
 * Payments of examples/temporal-payments while the API, the worker, connectors, the workers of the payments, and Temporal are
 * killed at random. Half of the processes are started by REST, the others by coded workflows that wait for their ends.
 *
 * `npm run temporal-proof` takes a thousand orders in four languages for ten minutes. `TEMPORAL_ORDERS`, `TEMPORAL_SECONDS`,
 * and `TEMPORAL_LANGUAGES` change it.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Client, Connection } from '@temporalio/client';
import type { PooledDatabase } from '../../store/connections/pooled-database.js';
import { chosenWorkers } from '../examples/support/payment-workers.js';
import { untilAllAgree } from '../support/agreement.js';
import { openDatabase } from '../support/database.js';
import { killInTurns } from './support/kill-in-turns.js';
import { createOrders, Payments } from './support/payments.js';
import { chargesOf, recordedCharges, type Charge } from './support/payments-charges.js';
import { startPaymentsWorld, type PaymentsWorld } from './support/payments-world.js';

const count = Number(process.env['TEMPORAL_ORDERS'] || 20);
const seconds = Number(process.env['TEMPORAL_SECONDS'] || 10);
const workers = chosenWorkers(process.env['TEMPORAL_LANGUAGES'] || 'typescript');
/** For what is under way when the last process has been killed. */
const patience = 240_000 + count * 200;
// Toolchains may download what they need.
vi.setConfig({ testTimeout: seconds * 1_000 + 2 * patience, hookTimeout: 600_000 });

let world: PaymentsWorld;
let store: PooledDatabase;
let connection: Connection;
let client: Client;
beforeAll(async () => {
  world = await startPaymentsWorld(workers);
  store = openDatabase(world.databaseUrl);
  connection = await Connection.connect({ address: world.temporal });
  client = new Client({ connection });
});
afterAll(async () => {
  await connection?.close();
  await store?.end();
  await world?.close();
});

it('every job has one execution, and every instance ends right, whatever is killed', async () => {
  const orders = createOrders(
    count,
    workers.map(({ language }) => language),
  );
  const payments = new Payments(world, client, patience + seconds * 1_000);
  await payments.deploy();
  const [kills] = await Promise.all([killInTurns(world.deaths, seconds), payments.place(orders, seconds)]);
  const results = await payments.results(orders);
  await untilAllHaveEnded(orders.length);

  const charges = await chargesOf(client, orders.length);
  const recorded = recordedCharges(world.payments);
  const violations: string[] = [];
  for (const order of orders) {
    const instances = await payments.instancesOf(order);
    const declined = order.amount > 1_000;
    const right = { status: 'COMPLETED', paymentID: declined ? undefined : `payment-${order.id}` };
    const expected = (what: string, isSo: boolean, found: unknown) =>
      isSo || violations.push(`${order.id}: ${what}: ${JSON.stringify(found)}`);
    expected('one instance', instances.length === 1, instances);
    for (const { workflowID, ...end } of instances) {
      expected('the right end', end.status === right.status && end.paymentID === right.paymentID, end);
      const ofJob = charges.filter(({ key }) => key.startsWith(`perdure-task:${workflowID}:`));
      expected('one execution with one activity that ended once', isOneEnd(ofJob, declined), ofJob);
      const written = recorded.get(order.id);
      const isSame = written?.keys.size === 1 && written.keys.has(ofJob[0]!.key);
      expected('one idempotency key', isSame && written.languages.has(order.language), [...(written?.keys ?? [])]);
    }
    if (order.by === 'code')
      expected(
        'the result of the coded workflow',
        results.get(order.id) === (right.paymentID ?? 'not paid'),
        results.get(order.id),
      );
  }
  const attempts = charges.reduce((sum, charge) => sum + charge.attempts, 0);
  const told = [...kills].map(([name, times]) => `${name} ${times}`).join(', ');
  process.stdout.write(
    `Killed: ${told}. ${orders.length} orders, ${charges.length} executions, ${attempts} attempts, ${violations.length} violations\n`,
  );
  expect(violations).toEqual([]);
  expect(charges).toHaveLength(orders.length);
  await untilAllAgree(store, client);
});

function isOneEnd(charges: readonly Charge[], declined: boolean): boolean {
  const [charge, ...more] = charges;
  if (!charge || more.length > 0 || charge.status !== 'COMPLETED' || charge.scheduled !== 1) return false;
  return declined ? charge.failed === 1 && charge.completed === 0 : charge.failed === 0 && charge.completed === 1;
}

async function untilAllHaveEnded(expected: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await store.query<{ status: string; instances: number }>(
        'SELECT status, count(*)::integer AS instances FROM instances GROUP BY status',
      );
      const { rows: left } = await store.query('SELECT workflow_id, number FROM temporal_executions');
      expect({ rows, left }).toEqual({ rows: [{ status: 'COMPLETED', instances: expected }], left: [] });
    },
    { timeout: patience, interval: 1_000 },
  );
}
