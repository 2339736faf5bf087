/**
 * This build against another one, in pairs of rounds: this, other, other, this, and so on. Adjacent rounds find the machine in
 * the same state, so their ratio depends little on what else it does.
 */
import { join, resolve } from 'node:path';
import pg from 'pg';
import { compiledScript } from '../dev/repository.js';
import type { Cpu } from './cpu.js';
import { historyOf, type HistoryCost } from './history.js';
import { RestContender } from './rest-contender.js';
import { measureRound, WARM_UP_INSTANCES, type Round } from './round.js';
import { openServices, type Services } from './services.js';
import { median, rounded } from './statistics.js';
import type { Workload } from './workloads.js';

/** Of the times that the interval shall contain the true median. */
const CONFIDENCE = 0.95;

/** Per instance. */
interface Cost extends HistoryCost {
  statements: number;
  /** Medians of the rounds. */
  cpuMs: Cpu;
}

export interface Pairs {
  /** Time of this build divided by that of the other one, by pair of adjacent rounds. */
  ratios: number[];
  medianRatio: number;
  /** Contains the median with at least 95 % confidence; undefined for fewer than six pairs. */
  interval: [number, number] | undefined;
  /** The same ratio for total CPU: Node, Postgres, and Temporal. */
  medianCpuRatio: number;
  cost: { here: Cost; there: Cost };
}

interface Side {
  contender: RestContender;
  pool: pg.Pool;
  rounds: Round[];
  /** Statements of its database in all rounds. */
  statements: number;
}

/**
 * @param folder of a checkout whose `dist` is built
 * @param callers that start instances at once
 */
export async function measureAgainst(
  folder: string,
  workloads: readonly Workload[],
  pairs: number,
  callers: number,
): Promise<Record<string, Pairs>> {
  const services = await openServices({ shared_preload_libraries: 'pg_stat_statements' });
  const found: Record<string, Pairs> = {};
  const sides: Side[] = [];
  try {
    sides.push(await startSide(services, 'here', undefined));
    sides.push(await startSide(services, 'there', resolve(folder)));
    for (const workload of workloads) {
      found[workload.name] = await measurePairs(services, sides, workload, { pairs, callers });
      process.stdout.write(line(workload.name, found[workload.name]!));
    }
  } finally {
    await Promise.all(sides.map(({ pool }) => pool.end()));
    await services.stop();
  }
  return found;
}

async function startSide(services: Services, name: string, folder: string | undefined): Promise<Side> {
  const of = (path: string) => (folder === undefined ? compiledScript(path) : join(folder, 'dist', path));
  const { api, processID } = await services.startHost({
    name,
    workflowBundle: of('workflow-bundle.js'),
    script: of('bench/subject.js'),
  });
  const pool = new pg.Pool({ connectionString: await services.databaseUrl(`bench_${name}`), max: 1 });
  pool.on('error', () => undefined);
  await pool.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  const contender = new RestContender(name, await services.clientOf(api!), [processID]);
  return { contender, pool, rounds: [], statements: 0 };
}

async function measurePairs(
  { servers, temporalAddress }: Services,
  sides: readonly Side[],
  workload: Workload,
  { pairs, callers }: { pairs: number; callers: number },
): Promise<Pairs> {
  const [here, there] = sides as [Side, Side];
  for (const side of sides) {
    Object.assign(side, { rounds: [], statements: 0 });
    await side.contender.prepare(workload);
    await side.contender.run(workload, 4, WARM_UP_INSTANCES);
  }
  for (let pair = 0; pair < pairs; pair += 1) {
    for (const side of pair % 2 === 0 ? [here, there] : [there, here]) {
      const before = await statementsOf(side.pool);
      side.rounds.push(await measureRound(side.contender, servers, workload, callers, workload.count));
      side.statements += (await statementsOf(side.pool)) - before;
    }
  }
  const costOf = async ({ contender, rounds, statements }: Side): Promise<Cost> => ({
    cpuMs: medianCpu(rounds),
    statements: rounded(statements / pairs / workload.count),
    ...(await historyOf(temporalAddress, await contender.newest(workload))),
  });
  const ratios = here.rounds.map((round, pair) => there.rounds[pair]!.instancesPerSecond / round.instancesPerSecond);
  return {
    ratios: ratios.map(rounded),
    medianRatio: rounded(median(ratios)),
    interval: intervalOfMedian(ratios),
    medianCpuRatio: rounded(median(here.rounds.map((round, pair) => cpuOf(round) / cpuOf(there.rounds[pair]!)))),
    cost: { here: await costOf(here), there: await costOf(there) },
  };
}

async function statementsOf(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ calls: string }>(
    'SELECT sum(calls) AS calls FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())',
  );
  return Number(rows[0]!.calls);
}

function medianCpu(rounds: readonly Round[]): Cpu {
  const of = (part: keyof Cpu) => rounded(median(rounds.map(({ cpuMs }) => cpuMs[part])));
  return { node: of('node'), postgres: of('postgres'), temporal: of('temporal') };
}

function cpuOf({ cpuMs: { node, postgres, temporal } }: Round): number {
  return node + postgres + temporal;
}

/**
 * The order statistics between which the median lies with at least 95 % confidence, whatever the distribution: the number of
 * values below the median is binomial.
 */
export function intervalOfMedian(values: readonly number[]): [number, number] | undefined {
  const sorted = [...values].sort((left, right) => left - right);
  let rank = 0;
  let outside = 0.5 ** sorted.length;
  for (let probability = outside; rank < sorted.length / 2; rank += 1) {
    if (1 - 2 * outside < CONFIDENCE) break;
    probability *= (sorted.length - rank) / (rank + 1);
    outside += probability;
  }
  return rank === 0 ? undefined : [rounded(sorted[rank - 1]!), rounded(sorted[sorted.length - rank]!)];
}

function line(name: string, { ratios, medianRatio, interval, medianCpuRatio, cost: { here, there } }: Pairs): string {
  const costs = (['statements', 'events', 'workflowTasks', 'bytes'] as const).map(
    (what) => `${what} ${here[what]} (${there[what]})`,
  );
  const cpu = (['node', 'postgres', 'temporal'] as const).map(
    (part) => `${part} ${here.cpuMs[part]} (${there.cpuMs[part]})`,
  );
  return `${name}  time ${medianRatio}, 95 % interval ${interval?.join(' to ') ?? 'needs six pairs'}\n  CPU ${medianCpuRatio}: ${cpu.join(', ')} ms\n  ${costs.join(', ')}\n  pairs ${ratios.join(' ')}\n`;
}
