/**
 * Orders of the example that have ended, compared with versions of their process while processes are killed.
 * `PERDURE_FAULT_INSTANCES` says how many instances are compared, times 20; `npm run faults` takes 4,000.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { accessTokens, ApiError, createClient, unwrap, type Schemas } from '@perdure/client';
import { repositoryRoot } from '../../dev/repository.js';
import { deploy } from '../../examples/order-fulfilment/place-order.js';
import type { Shop } from '../../examples/order-fulfilment/settings.js';
import type { PooledDatabase } from '../../store/connections/pooled-database.js';
import { openDatabase } from '../support/database.js';
import { placeOrders, untilAllHaveEnded, writeOrders, type PlacedOrder } from './support/batch.js';
import { startFleet, type Fleet } from './support/fleet.js';
import { runShop } from './support/shop.js';

type Backtest = Schemas['BpmnBacktest'];

const ORDERS = 12;
const COPIES = 20 * Number(process.env['PERDURE_FAULT_INSTANCES'] || 10);
const PATIENCE = 240_000 + COPIES * 300;
vi.setConfig({ testTimeout: 2 * PATIENCE, hookTimeout: 2 * PATIENCE });

const folder = join(repositoryRoot, 'examples', 'order-fulfilment');
const orderModel = readFileSync(join(folder, 'order-fulfilment.bpmn'), 'utf8');
/** No order is large anymore, so the sales department is not asked. */
const generous = orderModel.replace('=total &gt; 1000', '=total &gt; 1000000');
const projectID = 'demo';

let fleet: Fleet;
let store: PooledDatabase;
let definitionID: string;
let placed: PlacedOrder[];

beforeAll(async () => {
  fleet = await startFleet();
  store = openDatabase(fleet.ready.postgres);
  const models = pathToFileURL(`${folder}/`);
  await deploy(shopOf('editor'), 'collect-payment.bpmn', models);
  definitionID = await deploy(shopOf('editor'), 'order-fulfilment.bpmn', models);
  const orders = writeOrders(ORDERS);
  const approved = new Map(orders.map(({ orderID, kind }) => [orderID, kind.approved === true]));
  const closing = new AbortController();
  const shop = runShop(
    { shop: shopOf('executor'), approves: (orderID) => approved.get(orderID) === true },
    closing.signal,
  );
  placed = await placeOrders(shopOf('executor'), definitionID, orders);
  await untilAllHaveEnded(shopOf('viewer'), PATIENCE);
  closing.abort();
  await shop;
});
afterAll(async () => {
  await store?.end();
  await fleet?.remove();
});

function shopOf(account: string): Shop {
  const { api, tokenEndpoint } = fleet.ready;
  return {
    projectID,
    client: createClient({
      api,
      accessToken: accessTokens({ tokenEndpoint, clientID: account, clientSecret: `dev-${account}` }),
    }),
  };
}

async function start(body: Schemas['CreateBpmnBacktestRequest']): Promise<string> {
  const params = { path: { projectID, definitionID } };
  const { client } = shopOf('editor');
  const accepted = await unwrap(
    client.POST('/projects/{projectID}/bpmn/definitions/{definitionID}/backtests', { params, body }),
  );
  return accepted.backtestID;
}

async function draftOf(xml: string): Promise<string> {
  const draft = await unwrap(
    shopOf('editor').client.POST('/projects/{projectID}/bpmn/resources', {
      params: { path: { projectID } },
      body: { name: 'changed', xml },
    }),
  );
  return draft.id;
}

async function startOfDraft(resourceID: string): Promise<string> {
  const accepted = await unwrap(
    shopOf('editor').client.POST('/projects/{projectID}/bpmn/resources/{resourceID}/backtests', {
      params: { path: { projectID, resourceID } },
      body: { newest: 100_000 },
    }),
  );
  return accepted.backtestID;
}

/** The backtest as the API returns it; its counts add up at every read. */
async function read(backtestID: string): Promise<Backtest> {
  const backtest = await unwrap(
    shopOf('viewer').client.GET('/projects/{projectID}/bpmn/backtests/{backtestID}', {
      params: { path: { projectID, backtestID } },
    }),
  );
  expect(Object.values(backtest.counts).reduce((sum, count) => sum + count, 0)).toBe(backtest.done);
  return backtest;
}

function until(backtestID: string, isWanted: (backtest: Backtest) => boolean): Promise<Backtest> {
  return vi.waitFor(
    async () => {
      const backtest = await read(backtestID);
      expect(isWanted(backtest), `the backtest is ${backtest.status} with ${JSON.stringify(backtest.counts)}`).toBe(
        true,
      );
      return backtest;
    },
    { timeout: PATIENCE, interval: 100 },
  );
}

const isCompleted = ({ status }: Backtest) => status === 'COMPLETED';
const asked = () => placed.filter(({ kind }) => kind.approved !== undefined).map(({ workflowID }) => workflowID);

async function itemsOf(backtestID: string, outcome: 'OTHER_PATH'): Promise<Schemas['BpmnBacktestItem'][]> {
  const params = { path: { projectID, backtestID }, query: { outcome, pageSize: 100 } };
  const { client } = shopOf('viewer');
  const { data } = await unwrap(client.GET('/projects/{projectID}/bpmn/backtests/{backtestID}/items', { params }));
  return data;
}

it('orders are the same against the version that they ran', async () => {
  const backtest = await until(await start({}), isCompleted);
  expect(backtest).toMatchObject({ total: ORDERS, counts: { same: ORDERS }, groups: [] });
  expect(backtest.flows.find(({ flowID }) => flowID === 'Flow_Received')).toEqual({
    flowID: 'Flow_Received',
    before: ORDERS,
    after: ORDERS,
  });
});

it('a changed condition changes exactly the orders that it is about, whatever happens to its draft', async () => {
  const resourceID = await draftOf(generous);
  const backtestID = await startOfDraft(resourceID);
  await unwrap(
    shopOf('editor').client.DELETE('/projects/{projectID}/bpmn/resources/{resourceID}', {
      params: { path: { projectID, resourceID } },
    }),
  );
  const backtest = await until(backtestID, isCompleted);
  const { length } = asked();
  expect(length).toBeGreaterThan(0);
  expect(backtest.counts).toMatchObject({ same: ORDERS - length, otherPath: length });
  const items = await itemsOf(backtestID, 'OTHER_PATH');
  expect(items.map(({ workflowID }) => workflowID).toSorted()).toEqual(asked().toSorted());
  for (const { first } of items)
    expect(first).toEqual({ nodeID: 'LargeOrder', occurrence: 1, expected: ['ApproveOrder'], found: ['Accepted'] });
  expect(backtest.flows.find(({ flowID }) => flowID === 'Flow_Large')).toMatchObject({ before: length, after: 0 });
  expect(backtest.groups).toMatchObject([
    { outcome: 'OTHER_PATH', nodeID: 'LargeOrder', count: length, durationBeforeMs: { p50: expect.any(Number) } },
  ]);
});

it('a redacted order is skipped, and the others are not', async () => {
  const [{ workflowID }] = placed as [PlacedOrder];
  const body = { variables: ['total'], reason: 'asked for' };
  await unwrap(
    shopOf('admin').client.POST('/projects/{projectID}/bpmn/instances/{workflowID}/redact', {
      params: { path: { projectID, workflowID } },
      body,
    }),
  );
  const backtest = await until(await start({}), isCompleted);
  expect(backtest.counts).toMatchObject({ same: ORDERS - 1, skipped: 1 });
  expect(backtest.groups).toMatchObject([
    { outcome: 'SKIPPED', reason: 'Values of the history were redacted', examples: [workflowID] },
  ]);
});

/** Copies of an order that is delivered: instances with the same history. */
async function copy(workflowID: string): Promise<void> {
  const columns = async (table: string) => {
    const { rows } = await store.query<{ names: string }>(
      `SELECT string_agg(column_name, ', ') AS names FROM information_schema.columns
       WHERE table_name = $1 AND is_identity = 'NO' AND column_name NOT IN ('workflow_id', 'root_workflow_id', 'id', 'business_id')`,
      [table],
    );
    return rows[0]!.names;
  };
  for (const table of ['instances', 'steps', 'commands']) {
    const names = await columns(table);
    const root = table === 'instances' ? ', root_workflow_id' : '';
    await store.query(
      `INSERT INTO ${table} (workflow_id${root}, ${names}) SELECT 'copy-' || n${root && ", 'copy-' || n"}, ${names}
       FROM ${table}, generate_series(1, $2) n WHERE workflow_id = $1`,
      [workflowID, COPIES],
    );
  }
}

it('counts are exact although everything is killed in the middle', async () => {
  const delivered = placed.findLast(({ kind }) => kind.end === 'OrderDelivered' && kind.approved !== undefined)!;
  await copy(delivered.workflowID);
  const backtestID = await startOfDraft(await draftOf(generous));
  await until(backtestID, ({ done }) => done > 0);
  await fleet.crashWorker();
  const before = await until(backtestID, ({ done }) => done > COPIES / 10);
  expect(before.status).toBe('RUNNING');
  await fleet.crashEverything();
  const backtest = await until(backtestID, isCompleted);
  const others = asked().filter((workflowID) => workflowID !== placed[0]!.workflowID).length;
  expect(backtest).toMatchObject({ total: ORDERS + COPIES, done: ORDERS + COPIES });
  expect(backtest.counts).toMatchObject({ otherPath: COPIES + others, skipped: 1, incident: 0, unanswered: 0 });
  expect(backtest.flows.find(({ flowID }) => flowID === 'Flow_Received')).toEqual({
    flowID: 'Flow_Received',
    before: ORDERS + COPIES - 1,
    after: ORDERS + COPIES - 1,
  });
  expect(backtest.groups.reduce((sum, { count }) => sum + count, 0)).toBe(COPIES + others + 1);
});

it('a canceled backtest keeps what it has, and compares nothing more', async () => {
  const backtestID = await start({ newest: 100_000 });
  await until(backtestID, ({ done }) => done > 0);
  const params = { path: { projectID, backtestID } };
  const cancel = () =>
    unwrap(
      shopOf('editor').client.POST('/projects/{projectID}/bpmn/backtests/{backtestID}/cancel', {
        params,
        body: { reason: 'seen enough' },
      }),
    );
  await cancel();
  const { done, status, completedAt } = await read(backtestID);
  expect({ status, completedAt }).toEqual({ status: 'CANCELED', completedAt: expect.any(String) });
  await cancel();
  // A further one completes in the meantime.
  await until(await start({ newest: 10 }), isCompleted);
  expect((await read(backtestID)).done).toBe(done);
  const completed = await until(await start({ filter: { status: ['RUNNING'] } }), isCompleted);
  expect(completed).toMatchObject({ total: 0, done: 0 });
  await expect(
    unwrap(
      shopOf('editor').client.POST('/projects/{projectID}/bpmn/backtests/{backtestID}/cancel', {
        params: { path: { projectID, backtestID: completed.backtestID } },
        body: {},
      }),
    ),
  ).rejects.toThrow(ApiError);
});
