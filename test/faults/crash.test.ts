/**
 * Orders of the example, a backtest of them, and batches, under way while processes are killed. All share a fleet, because its
 * start takes longer than most of what happens in it. `PERDURE_FAULT_INSTANCES` says how many orders each crash meets, and how
 * many instances a batch and a backtest have, times ten and twenty; `npm run faults` takes 200.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { accessTokens, ApiError, createClient, unwrap } from '@perdure/client';
import { deploy } from '../../examples/order-fulfilment/place-order.js';
import type { Shop } from '../../examples/order-fulfilment/settings.js';
import { compiledScript, repositoryRoot } from '../../dev/repository.js';
import { untilAllAgree } from '../support/agreement.js';
import { quietRuntime } from '../support/quiet-runtime.js';
import { BackgroundWork, type Backtest, type Batch } from './support/background-work.js';
import { expectRightEnds, placeOrders, untilAllHaveEnded, writeOrders, type PlacedOrder } from './support/batch.js';
import { expectCountedOnce, expectStartedOnce } from './support/counted.js';
import { startFleet, type Fleet } from './support/fleet.js';
import { Ledger, record } from './support/ledger.js';
import { runShop } from './support/shop.js';
import { StoredPayloadCodec } from '../../temporal/stored-payload-codec.js';
import type { PooledDatabase } from '../../store/connections/pooled-database.js';
import { openDatabase } from '../support/database.js';

const instances = Number(process.env['PERDURE_FAULT_INSTANCES'] || 5);
const isLong = instances > 10;
const patience = 240_000 + instances * 6_000;
vi.setConfig({ testTimeout: 2 * patience, hookTimeout: 4 * patience });

quietRuntime();

const projectID = 'demo';
const folder = join(repositoryRoot, 'examples', 'order-fulfilment');
let fleet: Fleet;
let definitionID: string;
let store: PooledDatabase;
/** All orders, which the backtests compare once they have ended. */
const orders: PlacedOrder[] = [];

beforeAll(async () => {
  fleet = await startFleet();
  const models = pathToFileURL(`${folder}/`);
  await deploy(shopOf('editor'), 'collect-payment.bpmn', models);
  definitionID = await deploy(shopOf('editor'), 'order-fulfilment.bpmn', models);
  store = openDatabase(fleet.ready.postgres);
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

/** Results that were reported per order before each crash. In the short form, only the worker crashes a second time. */
const TWICE = [0.6, 1.8];
const oftenEnough = isLong ? TWICE : [0.6];

const crashes: [string, (fleet: Fleet) => Promise<void>, readonly number[]][] = [
  ['the worker', (target) => target.crashWorker(), TWICE],
  ['the API', (target) => target.crashApi(), oftenEnough],
  ['everything', (target) => target.crashEverything(), oftenEnough],
];

/** A job whose lease got lost with the response of its poll is leased again after this time. */
const LEASE_MS = 5_000;

it.each(crashes)('orders under way survive that %s is killed and started again', async (_what, crash, shares) => {
  const written = writeOrders(instances);
  const approved = new Map(written.map(({ orderID, kind }) => [orderID, kind.approved === true]));
  const ledger = new Ledger();
  const closing = new AbortController();
  // Most are under way before anybody works on them; the rest come while things break.
  const early = Math.ceil(written.length * 0.8);
  const placed = await placeOrders(shopOf('executor'), definitionID, written.slice(0, early));

  const recorded = shopOf('executor');
  record(recorded.client, ledger);
  const approves = (orderID: string) => approved.get(orderID) === true;
  const shop = runShop({ shop: recorded, approves, leaseMs: LEASE_MS }, closing.signal);
  const late = placeOrders(shopOf('executor'), definitionID, written.slice(early));
  for (const share of shares) {
    await ledger.reaches(Math.floor(instances * share));
    await crash(fleet);
  }
  placed.push(...(await late));
  orders.push(...placed);
  await untilAllHaveEnded(shopOf('viewer'), patience);
  closing.abort();
  await shop;

  await expectStartedOnce(
    store,
    projectID,
    written.map(({ orderID }) => orderID),
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

/** Instances of earlier crashes, whose histories are complete. */
const replayed = new Set<string>();

async function expectReplays(client: Client): Promise<void> {
  const { rows } = await store.query<{ id: string }>('SELECT workflow_id AS id FROM instances');
  const others = rows.filter(({ id }) => !replayed.has(id));
  for (const { id } of others) replayed.add(id);
  const histories = (async function* () {
    for (const { id } of others) yield { workflowId: id, history: await client.workflow.getHandle(id).fetchHistory() };
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

const orderModel = readFileSync(join(folder, 'order-fulfilment.bpmn'), 'utf8');
/** No order is large anymore, so the sales department is not asked. */
const generous = orderModel.replace('=total &gt; 1000', '=total &gt; 1000000');

describe('backtests of the orders, and batches', () => {
  let work: BackgroundWork;
  /** The first order, from when its values are redacted. */
  let redacted: PlacedOrder;

  beforeAll(() => {
    work = new BackgroundWork({
      editor: shopOf('editor').client,
      viewer: shopOf('viewer').client,
      projectID,
      definitionID,
      patience,
    });
  });

  const asked = () => orders.filter(({ kind }) => kind.approved !== undefined).map(({ workflowID }) => workflowID);

  it('orders are the same against the version that they ran', async () => {
    const backtest = await work.untilCompleted(await work.backtest());
    expect(backtest).toMatchObject({ total: orders.length, counts: { same: orders.length }, groups: [] });
    expect(backtest.flows.find(({ flowID }) => flowID === 'Flow_Received')).toEqual({
      flowID: 'Flow_Received',
      before: orders.length,
      after: orders.length,
    });
  });

  it('a changed condition changes exactly the orders that it is about, whatever happens to its draft', async () => {
    const resourceID = await work.draftOf(generous);
    const backtestID = await work.backtestOfDraft(resourceID);
    await work.deleteDraft(resourceID);
    const backtest = await work.untilCompleted(backtestID);
    const { length } = asked();
    expect(length).toBeGreaterThan(0);
    expect(backtest.counts).toMatchObject({ same: orders.length - length, otherPath: length });
    const items = await work.itemsOf(backtestID, 'OTHER_PATH');
    // A page of them, in the long form.
    expect(items).toHaveLength(Math.min(length, 100));
    expect(asked()).toEqual(expect.arrayContaining(items.map(({ workflowID }) => workflowID)));
    for (const { first } of items)
      expect(first).toEqual({ nodeID: 'LargeOrder', occurrence: 1, expected: ['ApproveOrder'], found: ['Accepted'] });
    expect(backtest.flows.find(({ flowID }) => flowID === 'Flow_Large')).toMatchObject({ before: length, after: 0 });
    expect(backtest.groups).toMatchObject([
      { outcome: 'OTHER_PATH', nodeID: 'LargeOrder', count: length, durationBeforeMs: { p50: expect.any(Number) } },
    ]);
  });

  it('a redacted order is skipped, and the others are not', async () => {
    [redacted] = orders as [PlacedOrder];
    const { workflowID } = redacted;
    const body = { variables: ['total'], reason: 'asked for' };
    await unwrap(
      shopOf('admin').client.POST('/projects/{projectID}/bpmn/instances/{workflowID}/redact', {
        params: { path: { projectID, workflowID } },
        body,
      }),
    );
    const backtest = await work.untilCompleted(await work.backtest());
    expect(backtest.counts).toMatchObject({ same: orders.length - 1, skipped: 1 });
    expect(backtest.groups).toMatchObject([
      { outcome: 'SKIPPED', reason: 'Values of the history were redacted', examples: [workflowID] },
    ]);
  });

  describe('of which everything is killed in the middle', () => {
    /** Enough for a backtest that is under way for half a minute. */
    const copies = Math.max(150, 20 * instances);
    const items = 10 * instances;
    /** A batch that is begun in so many seconds is under way at each crash. */
    const itemsPerSecond = (seconds: number) => Math.ceil(items / seconds);
    let compared: Backtest;
    let asking: Batch;
    /** With what it had begun, and what of it had no outcome, when it was canceled. */
    let canceled: { batch: Batch; begun: number; pending: number };

    beforeAll(async () => {
      const delivered = orders.findLast(({ kind }) => kind.end === 'OrderDelivered' && kind.approved !== undefined)!;
      await copy(delivered.workflowID, copies);
      for (const processId of ['ship', 'return']) await work.startWaiting(processId, items);
      const ship = { operation: 'SET_VARIABLES', variables: { express: true } } as const;
      const batchID = await work.batch('ship', { ...ship, itemsPerSecond: itemsPerSecond(16) });
      await work.untilBatch(batchID, ({ counts }) => counts.applied >= items / 4);
      const backtestID = await work.backtestOfDraft(await work.draftOf(generous));
      const first = await work.until(backtestID, ({ done }) => done > 0);
      await fleet.crashWorker();

      // Others take over what the worker had after 15 seconds.
      const returning = await work.batch('return', { operation: 'CANCEL', itemsPerSecond: itemsPerSecond(50) });
      const [before] = await Promise.all([
        work.until(backtestID, ({ done }) => done > first.done),
        work.untilBatch(batchID, ({ counts }) => counts.applied >= items / 2),
        work.untilBatch(returning, ({ counts }) => counts.applied >= items / 5),
      ]);
      expect(before.status).toBe('RUNNING');
      await work.cancelBatch(returning);
      const { pending, canceled: left } = (await work.readBatch(returning)).counts;
      await fleet.crashEverything();

      await work.untilBatch(batchID, ({ counts }) => counts.applied >= (items * 3) / 4);
      await fleet.crashApi();
      const [one, all, settled] = await Promise.all([
        work.untilCompleted(backtestID),
        work.untilBatch(batchID, ({ status }) => status === 'COMPLETED'),
        work.untilBatch(returning, ({ counts }) => counts.pending === 0),
      ]);
      [compared, asking, canceled] = [one, all, { batch: settled, pending, begun: items - left }];
    });

    it('counts are exact although everything is killed in the middle', () => {
      const others = asked().filter((workflowID) => workflowID !== redacted.workflowID).length;
      expect(compared).toMatchObject({ total: orders.length + copies, done: orders.length + copies });
      expect(compared.counts).toMatchObject({ otherPath: copies + others, skipped: 1, incident: 0, unanswered: 0 });
      expect(compared.flows.find(({ flowID }) => flowID === 'Flow_Received')).toEqual({
        flowID: 'Flow_Received',
        before: orders.length + copies - 1,
        after: orders.length + copies - 1,
      });
      expect(compared.groups.reduce((sum, { count }) => sum + count, 0)).toBe(copies + others + 1);
    });

    it('a batch asks every instance exactly once, however often hosts are killed', async () => {
      expect(asking.counts).toMatchObject({ applied: items });
      const { rows } = await store.query<{ commands: number; instances: number }>(
        `SELECT commands, count(*)::integer AS instances FROM
           (SELECT count(c.number)::integer AS commands FROM instances i JOIN definitions d ON d.id = i.definition_id
            LEFT JOIN commands c ON c.workflow_id = i.workflow_id AND c.body ->> 'kind' = 'SET_VARIABLES'
            WHERE d.process_id = 'ship' GROUP BY i.workflow_id) t
         GROUP BY commands`,
      );
      expect(rows).toEqual([{ commands: 1, instances: items }]);
    });

    it('a batch begins nothing after it was canceled, also when everything is killed at that moment', async () => {
      const { batch, begun, pending } = canceled;
      expect(begun).toBeLessThan(items);
      expect(pending).toBeLessThanOrEqual(BEGUN_AT_MOST);
      expect(batch.counts).toMatchObject({ applied: begun, canceled: items - begun });
      const { rows } = await store.query<{ canceled: number }>(
        `SELECT count(*) FILTER (WHERE i.canceling OR i.status <> 'RUNNING')::integer AS canceled
         FROM instances i JOIN definitions d ON d.id = i.definition_id WHERE d.process_id = 'return'`,
      );
      expect(rows).toEqual([{ canceled: begun }]);
      await expect(work.pauseBatch(batch.batchID)).rejects.toThrow(ApiError);
    });
  });

  it('a canceled backtest keeps what it has, and compares nothing more', async () => {
    const backtestID = await work.backtest();
    await work.until(backtestID, ({ done }) => done > 0);
    await work.cancelBacktest(backtestID);
    const { done, status, completedAt } = await work.read(backtestID);
    expect({ status, completedAt }).toEqual({ status: 'CANCELED', completedAt: expect.any(String) });
    await work.cancelBacktest(backtestID);
    // A further one completes in the meantime.
    await work.untilCompleted(await work.backtest({ newest: 10 }));
    expect((await work.read(backtestID)).done).toBe(done);
    const completed = await work.untilCompleted(await work.backtest({ filter: { status: ['RUNNING'] } }));
    expect(completed).toMatchObject({ total: 0, done: 0 });
    await expect(work.cancelBacktest(completed.backtestID)).rejects.toThrow(ApiError);
  });
});

/** The most items of a batch that are begun without an outcome (ADR 82). */
const BEGUN_AT_MOST = 50;

/** Copies of an order that is delivered: instances with the same history. */
async function copy(workflowID: string, copies: number): Promise<void> {
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
      [workflowID, copies],
    );
  }
}
