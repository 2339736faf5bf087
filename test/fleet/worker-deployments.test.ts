/** Two builds of a worker at once, as versions of a worker deployment of Temporal: ramped, made current, rolled back. */
import { pathToFileURL } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { accessTokens, unwrap, createClient } from '@perdure/client';
import { deploy } from '../../examples/order-fulfilment/place-order.js';
import type { Shop } from '../../examples/order-fulfilment/settings.js';
import { repositoryRoot } from '../../dev/repository.js';
import { deployParcels, openGates } from '../chaos/parcels.js';
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
import { eventually } from '../support/eventually.js';
import {
  createDatabase,
  issuerTokenEndpoint,
  temporalAddress,
  uniqueName,
  type TestDatabase,
} from '../support/infrastructure.js';
import { startHostProcess, type HostProcess } from '../support/hosts/host-process.js';
import { buildsOf, Deployment } from './support/deployment.js';
import type { PooledDatabase } from '../../store/connections/pooled-database.js';
import { openDatabase } from '../support/database.js';

const ordersEach = 5;
vi.setConfig({ testTimeout: 600_000 });

const names = { TEMPORAL_TASK_QUEUE: uniqueName('versions'), TEMPORAL_DEPLOYMENT_NAME: uniqueName('perdure') };
const hosts: HostProcess[] = [];
let database: TestDatabase;
let store: PooledDatabase;
let connection: Connection;
let client: Client;
let deployment: Deployment;

beforeAll(async () => {
  database = await createDatabase();
  store = openDatabase(database.url);
  connection = await Connection.connect({ address: await temporalAddress() });
  client = new Client({ connection });
  deployment = new Deployment(client, names.TEMPORAL_DEPLOYMENT_NAME);
});
afterAll(async () => {
  for (const { child } of hosts) child.kill('SIGKILL');
  await connection?.close();
  await store?.end();
  await database?.drop();
});

async function startHost(roles: string, build: string): Promise<HostProcess> {
  const host = await startHostProcess({
    DATABASE_URL: database.url,
    PERDURE_ROLES: roles,
    LOG_LEVEL: 'warn',
    ...names,
    TEMPORAL_WORKER_BUILD_ID: build,
  });
  hosts.push(host);
  return host;
}

async function shopOf(account: string, api: string): Promise<Shop> {
  const tokenEndpoint = await issuerTokenEndpoint();
  return {
    client: createClient({
      api,
      accessToken: accessTokens({ tokenEndpoint, clientID: account, clientSecret: `dev-${account}` }),
    }),
    projectID: 'demo',
  };
}

it('instances under way go from build to build, forwards and back, and nothing is lost', async () => {
  // API and worker in one: its starts ask for their first task at once.
  const { ready } = await startHost('api,worker', 'one');
  const api = (await ready).api!;
  await deployment.makeCurrent('one');
  const [editor, executor, viewer] = [
    await shopOf('editor', api),
    await shopOf('executor', api),
    await shopOf('viewer', api),
  ];
  const folder = pathToFileURL(`${repositoryRoot}/examples/order-fulfilment/`);
  await deploy(editor, 'collect-payment.bpmn', folder);
  const definition = await deploy(editor, 'order-fulfilment.bpmn', folder);
  const parcel = await startParcel(executor, await deployParcels(editor));

  const approved = new Map<string, boolean>();
  const ledger = new Ledger();
  const closing = new AbortController();
  record(executor.client, ledger);
  const shop = runShop({ shop: executor, approves: (orderID) => approved.get(orderID) === true }, closing.signal);
  const placed: PlacedOrder[] = [];
  const placeSome = async () => {
    const orders = writeOrders(ordersEach);
    for (const { orderID, kind } of orders) approved.set(orderID, kind.approved === true);
    placed.push(...(await placeOrders(executor, definition, orders)));
  };

  await Promise.all([placeSome(), startHost('worker', 'two').then((host) => host.ready)]);
  await deployment.ramp('two', 50);
  await placeSome();
  await deployment.makeCurrent('two');
  await Promise.all([placeSome(), touchUntil(editor, parcel, 'two')]);
  await deployment.makeCurrent('one');
  await Promise.all([placeSome(), touchUntil(editor, parcel, 'one')]);
  await publishPayment(executor);
  await openGates(executor, 1);
  await untilAllHaveEnded(viewer, 240_000);
  closing.abort();
  await shop;

  expect(await buildsOf(client, parcel)).toEqual(['one', 'two', 'one']);
  const { rows } = await store.query<{ id: string }>('SELECT workflow_id AS id FROM instances');
  const builds = await Promise.all(rows.map(({ id }) => buildsOf(client, id)));
  expect(new Set(builds.flat())).toEqual(new Set(['one', 'two']));
  await expectStartedOnce(
    store,
    'demo',
    placed.map(({ orderID }) => orderID),
  );
  await expectRightEnds(viewer, placed);
  await expectCountedOnce(store, ledger.entries);
  await untilAllAgree(store, client);
});

it('a build that was never made current does nothing, not even for instances that its API starts', async () => {
  const { ready } = await startHost('api,worker', 'three');
  const executor = await shopOf('executor', (await ready).api!);
  const { rows } = await store.query<{ id: string }>("SELECT id FROM definitions WHERE process_id = 'parcel'");
  const started = await startParcel(executor, rows[0]!.id);
  const builds = await eventually('its first task', async () => {
    const done = await buildsOf(client, started);
    return done.length > 0 ? done : undefined;
  });
  expect(builds).toEqual(['one']);
});

async function startParcel({ client: caller, projectID }: Shop, processDefinitionID: string): Promise<string> {
  const id = uniqueName('parcel');
  const body = { processDefinitionID, businessId: id, variables: { parcelID: 'the-parcel' } };
  const { workflowID } = await unwrap(
    caller.POST('/projects/{projectID}/bpmn/instances', { params: { path: { projectID } }, body }),
  );
  return workflowID;
}

async function publishPayment({ client: caller, projectID }: Shop): Promise<void> {
  const body = { messageName: 'parcel paid', correlationKeys: 'the-parcel', variables: { paidBy: 'the-parcel' } };
  await unwrap(caller.POST('/projects/{projectID}/bpmn/messages', { params: { path: { projectID } }, body }));
}

/** Gives the instance something to do until this build has done it. */
async function touchUntil({ client: caller, projectID }: Shop, workflowID: string, build: string): Promise<void> {
  await eventually(`a task of ${workflowID} done by build ${build}`, async () => {
    const params = { path: { projectID, workflowID } };
    await unwrap(
      caller.PUT('/projects/{projectID}/bpmn/instances/{workflowID}/variables', {
        params,
        body: { variables: { touched: true } },
      }),
    );
    return (await buildsOf(client, workflowID)).at(-1) === build ? true : undefined;
  });
}
