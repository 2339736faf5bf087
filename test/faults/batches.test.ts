/**
 * Batches under way while processes are killed. `PERDURE_FAULT_INSTANCES` says how many instances a batch has, times
 * ten; `npm run faults` takes 2,000.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { accessTokens, ApiError, createClient, unwrap } from '@perdure/client';
import { sequenceModel, serviceTask } from '@perdure/testkit/models';
import { startFleet, type Fleet } from './support/fleet.js';
import type { PooledDatabase } from '../../store/connections/pooled-database.js';
import { openDatabase } from '../support/database.js';

const instances = 10 * Number(process.env['PERDURE_FAULT_INSTANCES'] || 20);
const patience = 240_000 + instances * 300;
vi.setConfig({ testTimeout: 2 * patience, hookTimeout: 2 * patience });

/** The most items of a batch that are begun without an outcome (ADR 82). */
const BEGUN_AT_MOST = 50;
const CALLERS = 16;
const projectID = 'demo';
const path = { projectID };

let fleet: Fleet;
let store: PooledDatabase;
let client: ReturnType<typeof createClient>;

beforeAll(async () => {
  fleet = await startFleet();
  const { api, tokenEndpoint, postgres } = fleet.ready;
  client = createClient({
    api,
    accessToken: accessTokens({ tokenEndpoint, clientID: 'editor', clientSecret: 'dev-editor' }),
  });
  store = openDatabase(postgres);
  await startWaitingInstances();
});
afterAll(async () => {
  await store?.end();
  await fleet?.remove();
});

/** All of them wait for a job without a worker. */
async function startWaitingInstances(): Promise<void> {
  await unwrap(
    client.POST('/projects/{projectID}/bpmn/deployments', {
      params: { path },
      body: { files: [{ name: 'ship.bpmn', content: sequenceModel('ship', [serviceTask('pack')]) }] },
    }),
  );
  let left = instances;
  const caller = async () => {
    while (left-- > 0)
      await unwrap(
        client.POST('/projects/{projectID}/bpmn/instances', { params: { path }, body: { processId: 'ship' } }),
      );
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

type Batch = Awaited<ReturnType<typeof read>>;

/** The batch as the API returns it; its counts add up at every read. */
async function read(batchID: string) {
  const batch = await unwrap(
    client.GET('/projects/{projectID}/bpmn/batches/{batchID}', { params: { path: { projectID, batchID } } }),
  );
  expect(Object.values(batch.counts).reduce((sum, count) => sum + count, 0)).toBe(instances);
  return batch;
}

/** Reads the batch until it is as wanted, also while the host is down. */
function until(batchID: string, isWanted: (batch: Batch) => boolean): Promise<Batch> {
  return vi.waitFor(
    async () => {
      const batch = await read(batchID);
      expect(isWanted(batch), `the batch has ${JSON.stringify(batch.counts)}`).toBe(true);
      return batch;
    },
    { timeout: patience, interval: 50 },
  );
}

async function create(body: { operation: 'SET_VARIABLES' | 'CANCEL'; variables?: Record<string, unknown> }) {
  // The same key when the response got lost, so that there is one batch.
  const accepted = await unwrap(
    client.POST('/projects/{projectID}/bpmn/batches', {
      params: { path, header: { 'Idempotency-Key': randomUUID() } },
      body: {
        ...body,
        filter: { processId: 'ship', status: ['RUNNING'] },
        reason: 'late parcels',
        itemsPerSecond: 200,
      },
    }),
  );
  if (!('batchID' in accepted)) expect.fail(`The host accepted no batch: ${JSON.stringify(accepted)}`);
  return accepted.batchID;
}

/** Instances by the number of commands of a kind that they have been given. */
async function commandsPerInstance(kind: string): Promise<Record<string, number>> {
  const { rows } = await store.query<{ commands: number; instances: number }>(
    `SELECT commands, count(*)::integer AS instances FROM
       (SELECT count(c.number)::integer AS commands FROM instances i
        LEFT JOIN commands c ON c.workflow_id = i.workflow_id AND c.body ->> 'kind' = $1 GROUP BY i.workflow_id) t
     GROUP BY commands`,
    [kind],
  );
  return Object.fromEntries(rows.map((row) => [row.commands, row.instances]));
}

it('a batch asks every instance exactly once, however often hosts are killed', async () => {
  const batchID = await create({ operation: 'SET_VARIABLES', variables: { express: true } });
  const crashes = [fleet.crashWorker, fleet.crashApi, fleet.crashEverything];
  for (const [index, crash] of crashes.entries()) {
    const share = (index + 1) / (crashes.length + 1);
    await until(batchID, ({ counts }) => counts.applied >= instances * share);
    await crash();
  }
  const { counts } = await until(batchID, ({ status }) => status === 'COMPLETED');
  expect(counts).toMatchObject({ applied: instances });
  expect(await commandsPerInstance('SET_VARIABLES')).toEqual({ 1: instances });
});

it('a batch begins nothing after it was canceled, also when everything is killed at that moment', async () => {
  const batchID = await create({ operation: 'CANCEL' });
  await until(batchID, ({ counts }) => counts.applied >= instances / 5);
  const params = { path: { projectID, batchID } };
  await unwrap(
    client.POST('/projects/{projectID}/bpmn/batches/{batchID}/cancel', { params, body: { reason: 'wrong filter' } }),
  );
  const { pending, canceled } = (await read(batchID)).counts;
  expect(pending).toBeLessThanOrEqual(BEGUN_AT_MOST);
  const begun = instances - canceled;
  await fleet.crashEverything();
  const { counts } = await until(batchID, ({ counts: left }) => left.pending === 0);
  expect(counts).toMatchObject({ applied: begun, canceled: instances - begun });
  const { rows } = await store.query<{ canceled: number }>(
    'SELECT count(*) FILTER (WHERE canceling OR status <> $1)::integer AS canceled FROM instances',
    ['RUNNING'],
  );
  expect(rows).toEqual([{ canceled: begun }]);
  await expect(
    unwrap(client.POST('/projects/{projectID}/bpmn/batches/{batchID}/pause', { params, body: { reason: 'too late' } })),
  ).rejects.toThrow(ApiError);
});
