/**
 * `npm run chaos`: load on the production topology while its parts are killed, frozen, restarted and cut off from one
 * another; then, with everything healed, what must hold of every instance is checked (docs/chaos.md shows what is checked
 * where). `PERDURE_CHAOS_MINUTES` (default 5), `PERDURE_CHAOS_SEED` (default: chosen and printed), `PERDURE_CHAOS_INSTANCES`
 * (default 150 a minute) say how much, `PERDURE_CHAOS_REPORT` where the report goes. With `PERDURE_CHAOS_FAULTS=none` nothing
 * is broken: the hostile tenant works and rests in turns, and ordinary work may take at most twice as long next to it.
 */
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { deploy } from '../../examples/order-fulfilment/place-order.js';
import { repositoryRoot } from '../../dev/repository.js';
import { buildTemporalCluster } from '../../dev/topology/temporal-cluster.js';
import { Random } from '../engine/random/random.js';
import { checkEverything } from './check-everything.js';
import { chooseFault, type Happened } from './faults.js';
import { Play } from './play.js';
import { Violations } from './violations.js';
import { openWorld, processOf, type World } from './world.js';
import type { PooledDatabase } from '../../store/connections/pooled-database.js';
import { openDatabase } from '../support/database.js';

const minutes = Number(process.env['PERDURE_CHAOS_MINUTES'] || 5);
const seed = Number(process.env['PERDURE_CHAOS_SEED'] || randomInt(1_000_000_000));
const instances = Number(process.env['PERDURE_CHAOS_INSTANCES'] || Math.ceil(150 * minutes));
const withFaults = process.env['PERDURE_CHAOS_FAULTS'] !== 'none';
/** How long the cancel of a hostile instance may take; where things break, until they are healed. */
const cancelPatience = withFaults ? 60_000 : 5000;
const mostTimesSlower = 2;
const quietSeconds = { least: 2, most: 10 };
const patience = 30 * 60_000;
vi.setConfig({ testTimeout: minutes * 60_000 + 3 * patience, hookTimeout: patience });

Runtime.install({ logger: new DefaultLogger('ERROR') });

const folder = mkdtempSync(join(tmpdir(), 'perdure-chaos-'));
const report: string[] = [];
const start = Date.now();
let world: World;
let store: PooledDatabase;

beforeAll(async () => {
  say(`seed ${seed}, ${minutes} minutes, ${instances} orders and parcels at least; ${cpus().length} processors`);
  console.log(`logs in ${folder}`);
  await buildTemporalCluster();
  world = await openWorld(folder);
  store = openDatabase(world.topology.postgres.url);
});
afterAll(async () => {
  await store?.end();
  await world?.close();
  const file = process.env['PERDURE_CHAOS_REPORT'];
  if (file) writeFileSync(file, `${report.join('\n')}\n`);
});

it('nothing is lost, doubled or stuck, whatever breaks', async () => {
  const violations = new Violations();
  const play = await Play.begin(world, {
    seed,
    violations,
    store,
    patience: cancelPatience,
    orders: await deployOrders(),
  });
  const pids = pidsOf(world);
  const faults = withFaults ? await breakThings(play) : [];
  if (withFaults) say(`${faults.length} faults; everything is healed, waiting for what is under way`);
  else await takeTurns(play, violations);
  const quietSince = await play.finish();
  say(play.summary);

  if (!withFaults)
    for (const [name, pid] of pidsOf(world))
      violations.check('R22', pid === pids.get(name), () => `${name} has died and was started again`);
  const checking = checkEverything({ play, world, store, quietSince, faults, violations, patience, say });
  await violations.around('R13, R16', 'a check failed before its end', checking);
  for (const { invariant, found } of violations.found) say(`${invariant} VIOLATED: ${found}`);
  expect(violations.found).toEqual([]);
  say('no violation');
  rmSync(folder, { recursive: true, force: true });
});

async function deployOrders(): Promise<string> {
  const editor = world.shop('editor', 0);
  const examples = pathToFileURL(`${repositoryRoot}/examples/order-fulfilment/`);
  await deploy(editor, 'collect-payment.bpmn', examples);
  return deploy(editor, 'order-fulfilment.bpmn', examples);
}

async function breakThings(play: Play): Promise<Happened[]> {
  const random = new Random(seed);
  const begun = Date.now();
  const end = begun + minutes * 60_000;
  const happened: Happened[] = [];
  while (Date.now() < end) {
    const elapsed = (Date.now() - begun) / (minutes * 60_000);
    play.load.release(Math.floor(instances * Math.min(1, elapsed + 0.05)));
    const fault = chooseFault(world, random);
    say(`${fault.name} (${play.load.summary})`);
    const faultBegan = Date.now();
    await fault.happen();
    happened.push({ name: fault.name, began: faultBegan, healed: Date.now() });
    await pause(1000 * (quietSeconds.least + random.below(quietSeconds.most - quietSeconds.least)));
  }
  play.load.release(instances);
  return happened;
}

/** The hostile tenant rests and works in turns, so that both are measured on the same machine in the same state. */
async function takeTurns(play: Play, violations: Violations): Promise<void> {
  const turns = 2 * Math.max(1, Math.round(minutes));
  for (let turn = 1; turn <= turns; turn += 1) {
    const phase = turn % 2 === 1 ? 'alone' : 'next to the hostile tenant';
    if (phase === 'alone') await play.hostile.rest();
    else play.hostile.resume();
    play.load.release(Math.floor((instances * turn) / turns));
    play.probe.enter(phase);
    await pause((minutes * 60_000) / turns);
    play.probe.enter(undefined);
    say(`${phase} (${play.load.summary}; ${play.hostile.summary})`);
  }
  const [alone, beside] = [play.probe.p99('alone'), play.probe.p99('next to the hostile tenant')];
  const ratio = (beside ?? Infinity) / (alone ?? 0);
  say(
    `p99 of ordinary work: ${alone?.toFixed(0)} ms alone (${play.probe.count('alone')}), ${beside?.toFixed(0)} ms next to the hostile tenant (${play.probe.count('next to the hostile tenant')}): ${ratio.toFixed(2)} times`,
  );
  violations.check(
    'R22',
    ratio <= mostTimesSlower,
    () =>
      `ordinary work takes ${ratio.toFixed(2)} times as long next to the hostile tenant; ${mostTimesSlower} times are allowed`,
  );
}

function pidsOf({ parts }: World): Map<string, number | undefined> {
  return new Map(parts.map((part) => [part.name, processOf(part)]));
}

function say(line: string): void {
  const said = `${((Date.now() - start) / 60_000).toFixed(1).padStart(5)} min, load ${loadavg()[0]!.toFixed(0)}: ${line}`;
  report.push(said);
  console.log(said);
}
