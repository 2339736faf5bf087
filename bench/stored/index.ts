/**
 * The cost of an instance when many are stored: one host over 1,000 instances that have ended, another over as many as
 * asked for, on the same servers, in turns.
 */
import pg from 'pg';
import { backendCpu } from '../cpu.js';
import type { RestContender } from '../rest-contender.js';
import { inTurn, measureRound } from '../round.js';
import { openServices, type Services } from '../services.js';
import { productBundle, startContender } from '../stack.js';
import { median, rounded } from '../statistics.js';
import type { Workload } from '../workloads.js';
import { copyEndedInstances } from './seed.js';
import {
  compareStatements,
  countStatements,
  forgetStatements,
  statementSettings,
  type StatementComparison,
} from './statements.js';

export interface StoredFigures {
  instances: { small: number; large: number };
  workloads: Record<string, { small: Cost; large: Cost; ratio: Cost }>;
  statements: StatementComparison;
}

interface Cost {
  instancesPerSecond: number;
  /** CPU milliseconds per instance. */
  nodeCpuMs: number;
  postgresCpuMs: number;
}

interface Store {
  host: RestContender;
  database: string;
  pool: pg.Pool;
}

const FEW = 1000;
/** Copies are made of so many of each workload. */
const SEEDS = 50;
const CALLERS = 4;

/** @param instances stored in the large one */
export async function measureStored(
  instances: number,
  workloads: readonly Workload[],
  rounds: number,
): Promise<StoredFigures> {
  const services = await openServices(statementSettings);
  const stores: Store[] = [];
  try {
    for (const [name, count] of [
      ['small', FEW],
      ['large', instances],
    ] as const)
      stores.push(await openStore(services, name, workloads, count));
    const [small, large] = stores as [Store, Store];
    await forgetStatements(small.pool);
    const figures: StoredFigures['workloads'] = {};
    for (const workload of workloads)
      figures[workload.name] = await measureInTurns(services, small, large, workload, rounds);
    return {
      instances: { small: FEW, large: instances },
      workloads: figures,
      statements: await compareStatements(small.pool, large.pool),
    };
  } finally {
    await Promise.all(stores.map(({ pool }) => pool.end()));
    await services.stop();
  }
}

async function openStore(
  services: Services,
  name: string,
  workloads: readonly Workload[],
  instances: number,
): Promise<Store> {
  const host = await startContender(services, name, productBundle);
  const database = `bench_${name}`;
  const pool = new pg.Pool({ connectionString: await services.databaseUrl(database), max: 1 });
  await countStatements(pool);
  for (const workload of workloads) {
    await host.prepare(workload);
    await host.run(workload, 4, SEEDS);
  }
  await copyEndedInstances(pool, instances);
  // Plans and pages as they are in a host that runs for a while.
  for (const workload of workloads) await host.run(workload, CALLERS, SEEDS);
  return { host, database, pool };
}

async function measureInTurns(
  services: Services,
  small: Store,
  large: Store,
  workload: Workload,
  rounds: number,
): Promise<StoredFigures['workloads'][string]> {
  const costs = new Map<Store, Cost[]>([
    [small, []],
    [large, []],
  ]);
  for (let round = 0; round < rounds; round += 1) {
    for (const store of inTurn([small, large], round)) costs.get(store)!.push(await measure(services, store, workload));
  }
  const [of1000, ofAll] = [summarize(costs.get(small)!), summarize(costs.get(large)!)];
  return { small: of1000, large: ofAll, ratio: divide(ofAll, of1000) };
}

async function measure({ servers }: Services, { host, database, pool }: Store, workload: Workload): Promise<Cost> {
  // The other host keeps listening in the meantime: only connections to this database count.
  const before = await backendCpu(pool, database);
  const { instancesPerSecond, cpuMs } = await measureRound(host, servers, workload, CALLERS, workload.count);
  const after = await backendCpu(pool, database);
  const postgres = [...after].reduce((sum, [processID, ms]) => sum + ms - (before.get(processID) ?? 0), 0);
  return { instancesPerSecond, nodeCpuMs: cpuMs.node, postgresCpuMs: postgres / workload.count };
}

function summarize(costs: readonly Cost[]): Cost {
  const middle = (figure: keyof Cost) => rounded(median(costs.map((cost) => cost[figure])));
  return {
    instancesPerSecond: middle('instancesPerSecond'),
    nodeCpuMs: middle('nodeCpuMs'),
    postgresCpuMs: middle('postgresCpuMs'),
  };
}

function divide(left: Cost, right: Cost): Cost {
  const ratio = (figure: keyof Cost) => rounded(left[figure] / right[figure]);
  return {
    instancesPerSecond: ratio('instancesPerSecond'),
    nodeCpuMs: ratio('nodeCpuMs'),
    postgresCpuMs: ratio('postgresCpuMs'),
  };
}
