/**
 * Orders of the example under way while processes are killed. `PERDURE_FAULT_INSTANCES` says how many orders each crash
 * meets; `npm run faults` takes 200.
 */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { accessTokens, createClient } from '@perdure/client';
import { deploy } from '../../examples/order-fulfilment/place-order.js';
import type { Shop } from '../../examples/order-fulfilment/settings.js';
import { compiledScript, repositoryRoot } from '../../dev/repository.js';
import { untilAllAgree } from '../support/agreement.js';
import { quietRuntime } from '../support/quiet-runtime.js';
import { expectRightEnds, placeOrders, untilAllHaveEnded, writeOrders } from './support/batch.js';
import { expectCountedOnce, expectStartedOnce } from './support/counted.js';
import { startFleet, type Fleet } from './support/fleet.js';
import { Ledger, record } from './support/ledger.js';
import { runShop } from './support/shop.js';
import { StoredPayloadCodec } from '../../temporal/stored-payload-codec.js';
import type { PooledDatabase } from '../../store/connections/pooled-database.js';
import { openDatabase } from '../support/database.js';

const instances = Number(process.env['PERDURE_FAULT_INSTANCES'] || 10);
const patience = 240_000 + instances * 3_000;
vi.setConfig({ testTimeout: 2 * patience });

quietRuntime();

let fleet: Fleet;
let definitionID: string;
let store: PooledDatabase;

beforeAll(async () => {
  fleet = await startFleet();
  const folder = pathToFileURL(`${repositoryRoot}/examples/order-fulfilment/`);
  await deploy(shopOf('editor'), 'collect-payment.bpmn', folder);
  definitionID = await deploy(shopOf('editor'), 'order-fulfilment.bpmn', folder);
  store = openDatabase(fleet.ready.postgres);
});
afterAll(async () => {
  await store?.end();
  await fleet?.remove();
});

function shopOf(account: string): Shop {
  const { api, tokenEndpoint } = fleet.ready;
  return {
    projectID: 'demo',
    client: createClient({
      api,
      accessToken: accessTokens({ tokenEndpoint, clientID: account, clientSecret: `dev-${account}` }),
    }),
  };
}

/** Results that were reported per order before each crash. In the short form, only the worker crashes a second time. */
const TWICE = [0.6, 1.8];
const oftenEnough = instances > 10 ? TWICE : [0.6];

const crashes: [string, (fleet: Fleet) => Promise<void>, readonly number[]][] = [
  ['the worker', (target) => target.crashWorker(), TWICE],
  ['the API', (target) => target.crashApi(), oftenEnough],
  ['everything', (target) => target.crashEverything(), oftenEnough],
];

it.each(crashes)('orders under way survive that %s is killed and started again', async (_what, crash, shares) => {
  const orders = writeOrders(instances);
  const approved = new Map(orders.map(({ orderID, kind }) => [orderID, kind.approved === true]));
  const ledger = new Ledger();
  const closing = new AbortController();
  // Most are under way before anybody works on them; the rest come while things break.
  const early = Math.ceil(orders.length * 0.8);
  const placed = await placeOrders(shopOf('executor'), definitionID, orders.slice(0, early));

  const recorded = shopOf('executor');
  record(recorded.client, ledger);
  const shop = runShop({ shop: recorded, approves: (orderID) => approved.get(orderID) === true }, closing.signal);
  const late = placeOrders(shopOf('executor'), definitionID, orders.slice(early));
  for (const share of shares) {
    await ledger.reaches(Math.floor(instances * share));
    await crash(fleet);
  }
  placed.push(...(await late));
  await untilAllHaveEnded(shopOf('viewer'), patience);
  closing.abort();
  await shop;

  await expectStartedOnce(
    store,
    'demo',
    orders.map(({ orderID }) => orderID),
  );
  await expectRightEnds(shopOf('viewer'), placed);
  await expectCountedOnce(store, ledger.entries);
  await expectAgreement();
});

/** The rows, the facts and Temporal tell the same, and each history replays. */
async function expectAgreement(): Promise<void> {
  const connection = await Connection.connect({ address: fleet.ready.temporal });
  try {
    const client = new Client({ connection });
    await untilAllAgree(store, client);
    await expectReplays(client);
  } finally {
    await connection.close();
  }
}

async function expectReplays(client: Client): Promise<void> {
  const { rows } = await store.query<{ id: string }>('SELECT workflow_id AS id FROM instances');
  const histories = (async function* () {
    for (const { id } of rows) yield { workflowId: id, history: await client.workflow.getHandle(id).fetchHistory() };
  })();
  const failed: unknown[] = [];
  for await (const { workflowId, error } of Worker.runReplayHistories(
    {
      workflowBundle: { code: readFileSync(compiledScript('workflow-bundle.js'), 'utf8') },
      dataConverter: { payloadCodecs: [new StoredPayloadCodec(store)] },
    },
    histories,
  )) {
    if (error) failed.push({ workflowId, error: error.message });
  }
  expect(failed).toEqual([]);
}
