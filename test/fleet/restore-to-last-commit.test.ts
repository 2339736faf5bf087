/** Postgres loses its data during work and is restored from a base backup and its write-ahead log: nothing is lost. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { accessTokens, createClient } from '@perdure/client';
import { deploy } from '../../examples/order-fulfilment/place-order.js';
import type { Shop } from '../../examples/order-fulfilment/settings.js';
import { repositoryRoot } from '../../dev/repository.js';
import { expectRightEnds, placeOrders, untilAllHaveEnded, writeOrders } from '../faults/support/batch.js';
import { expectCountedOnce, expectStartedOnce } from '../faults/support/counted.js';
import { Ledger, record } from '../faults/support/ledger.js';
import { runShop } from '../faults/support/shop.js';
import { untilAllAgree } from '../support/agreement.js';
import { issuerTokenEndpoint, temporalAddress, uniqueName } from '../support/infrastructure.js';
import { startHostProcess, type HostProcess } from '../support/hosts/host-process.js';
import { ArchivedPostgres } from './support/archived-postgres.js';
import type { PooledDatabase } from '../../store/connections/pooled-database.js';
import { openDatabase } from '../support/database.js';

vi.setConfig({ testTimeout: 600_000 });

const ORDERS = 10;
const folder = mkdtempSync(join(tmpdir(), 'perdure-drill-'));
let postgres: ArchivedPostgres;
let host: HostProcess;
let store: PooledDatabase;

beforeAll(async () => {
  postgres = await ArchivedPostgres.start(folder);
  host = await startHostProcess({
    DATABASE_URL: postgres.url,
    TEMPORAL_TASK_QUEUE: uniqueName('drill'),
    LOG_LEVEL: 'fatal',
  });
  store = openDatabase(postgres.url);
});
afterAll(async () => {
  host?.child.kill('SIGKILL');
  await store?.end();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('after the loss of its data Postgres comes back with every commit, and all orders under way continue', async () => {
  const api = (await host.ready).api!;
  const tokenEndpoint = await issuerTokenEndpoint();
  const shopOf = (account: string): Shop => ({
    client: createClient({
      api,
      accessToken: accessTokens({ tokenEndpoint, clientID: account, clientSecret: `dev-${account}` }),
    }),
    projectID: 'demo',
  });
  const examples = pathToFileURL(`${repositoryRoot}/examples/order-fulfilment/`);
  await deploy(shopOf('editor'), 'collect-payment.bpmn', examples);
  const definition = await deploy(shopOf('editor'), 'order-fulfilment.bpmn', examples);
  const orders = writeOrders(ORDERS);
  const approved = new Map(orders.map(({ orderID, kind }) => [orderID, kind.approved === true]));
  const placed = await placeOrders(shopOf('executor'), definition, orders.slice(0, ORDERS / 2));

  const ledger = new Ledger();
  const closing = new AbortController();
  const recorded = shopOf('executor');
  record(recorded.client, ledger);
  const approves = (orderID: string) => approved.get(orderID) === true;
  const shop = runShop({ shop: recorded, approves, leaseMs: 5_000 }, closing.signal);
  await ledger.reaches(ORDERS / 4);
  await postgres.backUp();
  placed.push(...(await placeOrders(shopOf('executor'), definition, orders.slice(ORDERS / 2))));
  await ledger.reaches(ledger.entries.length + ORDERS / 4);
  await postgres.lose();
  await postgres.restore();
  // Another line of time than the one whose data is lost: it has been recovered, and not merely started.
  // The control file has it only from the next checkpoint on, the write-ahead log as soon as there is any.
  const timeline = async () =>
    (await store.query('SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline')).rows;
  await vi.waitFor(async () => expect(await timeline()).toEqual([{ timeline: '00000002' }]), {
    timeout: 60_000,
    interval: 100,
  });
  await untilAllHaveEnded(shopOf('viewer'), 300_000);
  closing.abort();
  await shop;

  await expectStartedOnce(
    store,
    'demo',
    orders.map(({ orderID }) => orderID),
  );
  await expectRightEnds(shopOf('viewer'), placed);
  await expectCountedOnce(store, ledger.entries);
  const connection = await Connection.connect({ address: await temporalAddress() });
  try {
    await untilAllAgree(store, new Client({ connection }));
  } finally {
    await connection.close();
  }
});
