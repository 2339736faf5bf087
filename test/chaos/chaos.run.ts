/**
 * `npm run chaos`: load on the production topology while its parts are killed, frozen and cut off from one another; then,
 * with everything healed, what must hold of every instance is checked. `PERDURE_CHAOS_MINUTES` (default 5),
 * `PERDURE_CHAOS_SEED` (default: chosen and printed), `PERDURE_CHAOS_INSTANCES` (default 300 a minute) say how much.
 */
import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { deploy } from '../../examples/order-fulfilment/place-order.js';
import { compiledScript, repositoryRoot } from '../../scripts/repository.js';
import { buildTemporalCluster } from '../../scripts/topology/temporal-cluster.js';
import { findDiscrepancies } from '../../scripts/verify/find-discrepancies.js';
import { Random } from '../engine/random/random.js';
import { expectRightEnds, untilAllHaveEnded } from '../faults/support/batch.js';
import { expectCountedOnce, expectStartedOnce } from '../faults/support/counted.js';
import { chooseFault } from './faults.js';
import { Load } from './load.js';
import { openWorld, type World } from './world.js';

const minutes = Number(process.env['PERDURE_CHAOS_MINUTES'] || 5);
const seed = Number(process.env['PERDURE_CHAOS_SEED'] || randomInt(1_000_000_000));
const instances = Number(process.env['PERDURE_CHAOS_INSTANCES'] || Math.ceil(300 * minutes));
const quietSeconds = { least: 2, most: 10 };
const patience = 30 * 60_000;
vi.setConfig({ testTimeout: minutes * 60_000 + 3 * patience, hookTimeout: patience });

Runtime.install({ logger: new DefaultLogger('ERROR') });

const folder = mkdtempSync(join(tmpdir(), 'perdure-chaos-'));
const report: string[] = [];
let world: World;
let store: pg.Pool;

beforeAll(async () => {
  say(`seed ${seed}, ${minutes} minutes, ${instances} instances; logs in ${folder}`);
  await buildTemporalCluster();
  world = await openWorld(folder);
  store = new pg.Pool({ connectionString: world.topology.postgres.url });
  // Postgres is among what gets killed.
  store.on('error', () => undefined);
});
afterAll(async () => {
  await store?.end();
  await world?.close();
  const file = process.env['PERDURE_CHAOS_REPORT'];
  if (file) writeFileSync(file, `${report.join('\n')}\n`);
});

it('nothing is lost, doubled or stuck, whatever breaks', async () => {
  const editor = world.shop('editor', 0);
  const examples = pathToFileURL(`${repositoryRoot}/examples/order-fulfilment/`);
  await deploy(editor, 'collect-payment.bpmn', examples);
  const load = await Load.begin(world, { order: await deploy(editor, 'order-fulfilment.bpmn', examples), editor, seed });
  const faults = await breakThings(load);

  say(`${faults} faults; everything is healed, waiting for what is under way`);
  await load.finish();
  await untilAllHaveEnded(world.shop('viewer', 0), patience);
  await load.close();
  say(`${load.summary()}; all have ended`);

  await expectStartedOnce(store, load.businessIDs);
  await expectRightEnds(world.shop('viewer', 0), load.placedOrders);
  await expectCountedOnce(store, load.ledger.entries);
  await load.expectParcelsArrived(store);
  await expectAgreement();
  say('rows, facts, Temporal and the replay of every history agree; no violation');
  rmSync(folder, { recursive: true, force: true });
});

/** @returns how many faults there were */
async function breakThings(load: Load): Promise<number> {
  const random = new Random(seed);
  const start = Date.now();
  const end = start + minutes * 60_000;
  let faults = 0;
  for (; Date.now() < end; faults += 1) {
    const elapsed = (Date.now() - start) / (minutes * 60_000);
    load.release(Math.floor(instances * Math.min(1, elapsed + 0.05)));
    const fault = chooseFault(world, random);
    say(`${((Date.now() - start) / 60_000).toFixed(1)} min: ${fault.name} (${load.summary()})`);
    await fault.happen();
    await pause(1000 * (quietSeconds.least + random.below(quietSeconds.most - quietSeconds.least)));
  }
  load.release(instances);
  return faults;
}

/** The rows, the facts and Temporal tell the same, and each history replays. */
async function expectAgreement(): Promise<void> {
  const connection = await Connection.connect({ address: world.topology.temporal.address });
  try {
    const client = new Client({ connection, namespace: world.topology.temporal.namespace });
    // The workflow's own end follows the park that tells it.
    await vi.waitFor(async () => expect((await findDiscrepancies(store, client)).discrepancies).toEqual([]), { timeout: patience, interval: 10_000 });
    await expectReplays(client);
  } finally {
    await connection.close();
  }
}

async function expectReplays(client: Client): Promise<void> {
  const { rows } = await store.query<{ id: string }>('SELECT workflow_id AS id FROM instances');
  const workflowBundle = { code: readFileSync(compiledScript('workflow-bundle.js'), 'utf8') };
  const histories = (async function* () {
    for (const { id } of rows) yield { workflowId: id, history: await client.workflow.getHandle(id).fetchHistory() };
  })();
  const failed: unknown[] = [];
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, histories)) {
    if (error) failed.push({ workflowId, error: error.message });
  }
  expect(failed).toEqual([]);
}

function say(line: string): void {
  report.push(line);
  console.log(line);
}
