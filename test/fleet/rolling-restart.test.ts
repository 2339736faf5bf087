/**
 * APIs and workers are replaced one after the other while orders and parcels are under way. `PERDURE_FLEET_ROUNDS` says
 * how often the whole fleet is replaced and `PERDURE_FLEET_ORDERS` how many orders come during each replacement;
 * `npm run rolling-restart` takes five rounds and more orders.
 */
import { pathToFileURL } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { accessTokens, createClient } from '@perdure/client';
import { deploy } from '../../examples/order-fulfilment/place-order.js';
import type { Shop } from '../../examples/order-fulfilment/settings.js';
import { repositoryRoot } from '../../dev/repository.js';
import { deployParcels, openGates, sendParcel } from '../chaos/parcels.js';
import { Random } from '../engine/random/random.js';
import {
  expectRightEnds,
  placeOrders,
  untilAllHaveEnded,
  writeOrders,
  type PlacedOrder,
} from '../faults/support/batch.js';
import { expectCountedOnce, expectStartedOnce } from '../faults/support/counted.js';
import { Ledger, record } from '../faults/support/ledger.js';
import { runShop } from '../faults/support/shop.js';
import { untilAllAgree } from '../support/agreement.js';
import {
  createDatabase,
  issuerTokenEndpoint,
  temporalAddress,
  uniqueName,
  type TestDatabase,
} from '../support/infrastructure.js';
import { startHostProcess, type HostProcess } from '../support/hosts/host-process.js';
import { openLoadBalancer, type LoadBalancer } from './support/load-balancer.js';
import { observe, type Observer } from './support/observer.js';
import type { PooledDatabase } from '../../store/connections/pooled-database.js';
import { openDatabase } from '../support/database.js';

const rounds = Number(process.env['PERDURE_FLEET_ROUNDS'] || 1);
const ordersEach = Number(process.env['PERDURE_FLEET_ORDERS'] || 5);
const replacements = rounds * 4;
const retry = 240_000 + replacements * ordersEach * 3_000;
vi.setConfig({ testTimeout: 2 * retry });

const taskQueue = uniqueName('fleet');
const observer: Observer = { failures: [], handOuts: new Map() };
const ledger = new Ledger();
const hosts: HostProcess[] = [];
let database: TestDatabase;
let balancer: LoadBalancer;
let store: PooledDatabase;

beforeAll(async () => {
  database = await createDatabase();
  store = openDatabase(database.url);
  balancer = await openLoadBalancer();
});
afterAll(async () => {
  for (const { child } of hosts) child.kill('SIGKILL');
  await balancer?.close();
  await store?.end();
  await database?.drop();
});

/** Longer than a client of Node's own keeps a connection that it does not use. */
const SHUTDOWN_DELAY = '5s';

async function startHost(role: 'api' | 'worker'): Promise<HostProcess> {
  const rates = { RATE_LIMIT_PER_SECOND: '10000', RATE_LIMIT_BURST: '10000' };
  const host = await startHostProcess({
    DATABASE_URL: database.url,
    TEMPORAL_TASK_QUEUE: taskQueue,
    PERDURE_ROLES: role,
    LOG_LEVEL: 'warn',
    SHUTDOWN_DELAY,
    ...rates,
  });
  hosts.push(host);
  const { api } = await host.ready;
  if (api !== undefined) balancer.add(api);
  return host;
}

/** The new one serves before the old one is asked to go. */
async function replace(old: HostProcess, role: 'api' | 'worker'): Promise<HostProcess> {
  const next = await startHost(role);
  old.child.kill('SIGTERM');
  expect(await old.exited, old.output()).toBe(0);
  return next;
}

async function shopOf(account: string): Promise<Shop> {
  const tokenEndpoint = await issuerTokenEndpoint();
  const client = createClient({
    api: balancer.url,
    accessToken: accessTokens({ tokenEndpoint, clientID: account, clientSecret: `dev-${account}` }),
  });
  observe(client, observer);
  return { client, projectID: 'demo' };
}

it('a fleet is replaced under load: no call fails, nothing acknowledged is lost, and no job is leased twice', async () => {
  const startTwo = (role: 'api' | 'worker') => Promise.all([startHost(role), startHost(role)]);
  const [api, worker] = await Promise.all([startTwo('api'), startTwo('worker')]);
  const fleet = { api, worker };
  await vi.waitFor(async () => expect((await fetch(`${balancer.url}/ready`)).status).toBe(200), { timeout: 30_000 });
  const folder = pathToFileURL(`${repositoryRoot}/examples/order-fulfilment/`);
  const [editor, executor] = [await shopOf('editor'), await shopOf('executor')];
  await deploy(editor, 'collect-payment.bpmn', folder);
  const definitions = {
    order: await deploy(editor, 'order-fulfilment.bpmn', folder),
    parcel: await deployParcels(editor),
  };

  const approved = new Map<string, boolean>();
  const closing = new AbortController();
  record(executor.client, ledger);
  const shop = runShop({ shop: executor, approves: (orderID) => approved.get(orderID) === true }, closing.signal);
  const random = new Random(1);
  const placed: PlacedOrder[] = [];
  const parcels: string[] = [];
  const load = async (round: number) => {
    const orders = writeOrders(ordersEach);
    for (const { orderID, kind } of orders) approved.set(orderID, kind.approved === true);
    for (let number = 0; number < ordersEach; number += 1) {
      const id = `parcel-${round}-${number}`;
      parcels.push((await sendParcel(executor, definitions.parcel, { id, key: id, paidBy: id }, random)).id);
    }
    placed.push(...(await placeOrders(executor, definitions.order, orders)));
    await openGates(executor, round);
  };

  // As a rollout of two deployments: of each, one host after the other.
  const replaceAll = async (role: 'api' | 'worker', round: number) => {
    for (const index of [0, 1]) {
      const [old] = fleet[role].splice(0, 1);
      const number = round * 4 + index * 2 + (role === 'api' ? 0 : 1);
      const [next] = await Promise.all([replace(old!, role), load(number)]);
      fleet[role].push(next);
    }
  };
  for (let round = 0; round < rounds; round += 1)
    await Promise.all([replaceAll('api', round), replaceAll('worker', round)]);
  await untilAllHaveEnded(await shopOf('viewer'), retry);
  closing.abort();
  await shop;

  expect(observer.failures).toEqual([]);
  expect([...observer.handOuts].filter(([, count]) => count > 1)).toEqual([]);
  expect([...balancer.farewells.values()]).toEqual(
    Array.from({ length: rounds * 2 }, () => expect.stringContaining('The host is stopping')),
  );
  await expectStartedOnce(store, 'demo', [...placed.map(({ orderID }) => orderID), ...parcels]);
  await expectRightEnds(await shopOf('viewer'), placed);
  await expectCountedOnce(store, ledger.entries);
  await expectAgreement();
});

async function expectAgreement(): Promise<void> {
  const connection = await Connection.connect({ address: await temporalAddress() });
  try {
    const client = new Client({ connection });
    await untilAllAgree(store, client);
  } finally {
    await connection.close();
  }
}
