/** The product against itself without hot instances, its twin and Temporal alone. Rounds of all take turns, so that what else the machine does falls on each. */
import type { Contender } from './contender.js';
import type { Cpu } from './cpu.js';
import { historyOf, type HistoryCost } from './history.js';
import {
  idleLatencyOf,
  inTurn,
  measureRound,
  WARM_UP_INSTANCES,
  type IdleLatency,
  type Round,
  type Servers,
} from './round.js';
import { median, rounded } from './statistics.js';
import type { Stack } from './stack.js';
import type { Workload } from './workloads.js';

const CALLERS = [1, 4, 16];
const MAX_CALLERS = CALLERS.at(-1)!;
/** Of each contender, started one after another, ten at a turn. */
const IDLE_INSTANCES = 60;
const IDLE_TURN = 10;

export interface Figures {
  /** Instances per second by number of callers, median of the rounds. */
  throughput: { [callers: string]: number };
  /** CPU milliseconds per instance at the largest number of callers, of the contender's own process and of the servers. */
  cpuMs: Cpu;
  idleLatency: IdleLatency;
  history: HistoryCost;
}

/** The host's figures divided by another's; throughput and CPU at the largest number of callers. */
export interface Ratio {
  throughput: number;
  nodeCpu: number;
  /** Of Node, Postgres and Temporal together. */
  cpu: number;
  events: number;
  workflowTasks: number;
  idleLatencyP50: number;
}

export interface Comparison {
  host: Figures;
  /** Without hot instances. */
  cold: Figures;
  twin: Figures;
  floor: Figures;
  ceiling: Figures;
  hostToCold: Ratio;
  hostToTwin: Ratio;
  hostToFloor: Ratio;
  hostToCeiling: Ratio;
}

/** Whom the host is compared with, and as what. */
export const ratioTo = {
  cold: 'hostToCold',
  twin: 'hostToTwin',
  floor: 'hostToFloor',
  ceiling: 'hostToCeiling',
} as const;
export type Other = keyof typeof ratioTo;
const others = Object.keys(ratioTo) as Other[];

/** By name of the workload. */
export type Comparisons = Record<string, Comparison>;

/** Prints each workload when it is done. */
export async function compare(stack: Stack, workloads: readonly Workload[], rounds: number): Promise<Comparisons> {
  const comparisons: Comparisons = {};
  for (const workload of workloads) {
    const figures = await measureWorkload(
      [stack.host, stack.cold, stack.twin, stack.floor, stack.ceiling],
      workload,
      rounds,
      stack,
    );
    const comparison = compareFigures(figures);
    comparisons[workload.name] = comparison;
    print(workload.name, comparison);
  }
  return comparisons;
}

async function measureWorkload(
  contenders: readonly Contender[],
  workload: Workload,
  rounds: number,
  { servers, temporalAddress }: Stack,
): Promise<Figures[]> {
  for (const contender of contenders) {
    await contender.prepare(workload);
    await contender.run(workload, 4, WARM_UP_INSTANCES);
  }
  const measured = await measureInTurns(contenders, servers, workload, rounds);
  const idle = await measureIdleInTurns(contenders, workload);
  const histories = await Promise.all(
    contenders.map(async (contender) => historyOf(temporalAddress, await contender.newest(workload))),
  );
  return contenders.map((_, index) => summarize(measured[index]!, idle[index]!, histories[index]!));
}

/** Alternates too: the first contender bears the writes that the servers still have left from the last busy round. */
async function measureIdleInTurns(contenders: readonly Contender[], workload: Workload): Promise<IdleLatency[]> {
  const latencies = contenders.map((): number[] => []);
  for (let turn = 0; turn < IDLE_INSTANCES / IDLE_TURN; turn += 1) {
    for (const [index, contender] of inTurn([...contenders.entries()], turn))
      latencies[index]!.push(...(await contender.runOneByOne(workload, IDLE_TURN)));
  }
  return latencies.map(idleLatencyOf);
}

type RoundsByCallers = Map<number, Round[]>;

async function measureInTurns(
  contenders: readonly Contender[],
  servers: Servers,
  workload: Workload,
  rounds: number,
): Promise<RoundsByCallers[]> {
  const measured = contenders.map((): RoundsByCallers => new Map(CALLERS.map((callers) => [callers, []])));
  for (let round = 0; round < rounds; round += 1) {
    for (const callers of CALLERS) {
      for (const [index, contender] of inTurn([...contenders.entries()], round)) {
        measured[index]!.get(callers)!.push(await measureRound(contender, servers, workload, callers, workload.count));
      }
    }
  }
  return measured;
}

function summarize(rounds: RoundsByCallers, idleLatency: IdleLatency, history: HistoryCost): Figures {
  const throughput: Figures['throughput'] = {};
  for (const [callers, measured] of rounds)
    throughput[callers] = rounded(median(measured.map((round) => round.instancesPerSecond)));
  const busiest = rounds.get(MAX_CALLERS)!;
  const cpu = (part: keyof Cpu) => rounded(median(busiest.map(({ cpuMs }) => cpuMs[part])));
  return {
    throughput,
    cpuMs: { node: cpu('node'), postgres: cpu('postgres'), temporal: cpu('temporal') },
    idleLatency,
    history,
  };
}

function compareFigures([host, cold, twin, floor, ceiling]: readonly Figures[]): Comparison {
  return {
    host: host!,
    cold: cold!,
    twin: twin!,
    floor: floor!,
    ceiling: ceiling!,
    hostToCold: ratioOf(host!, cold!),
    hostToTwin: ratioOf(host!, twin!),
    hostToFloor: ratioOf(host!, floor!),
    hostToCeiling: ratioOf(host!, ceiling!),
  };
}

function ratioOf(host: Figures, other: Figures): Ratio {
  return {
    throughput: rounded(host.throughput[MAX_CALLERS]! / other.throughput[MAX_CALLERS]!),
    nodeCpu: rounded(host.cpuMs.node / other.cpuMs.node),
    cpu: rounded(total(host.cpuMs) / total(other.cpuMs)),
    events: rounded(host.history.events / other.history.events),
    workflowTasks: rounded(host.history.workflowTasks / other.history.workflowTasks),
    idleLatencyP50: rounded(host.idleLatency.p50Ms / other.idleLatency.p50Ms),
  };
}

function total({ node, postgres, temporal }: Cpu): number {
  return node + postgres + temporal;
}

function print(name: string, comparison: Comparison): void {
  const figures = (['host', ...others] as const).map((who) => line(who, comparison[who]));
  const ratios = others.map((other) => `  host / ${other.padEnd(8)}${JSON.stringify(comparison[ratioTo[other]])}\n`);
  process.stdout.write(`${name}\n${figures.join('')}${ratios.join('')}`);
}

function line(who: string, { throughput, cpuMs: { node, postgres, temporal }, idleLatency, history }: Figures): string {
  const perSecond = CALLERS.map((callers) => `${callers}: ${throughput[callers]}/s`).join('  ');
  const cpu = `CPU ms: Node ${node}, Postgres ${postgres}, Temporal ${temporal}`;
  return `  ${who.padEnd(8)} ${perSecond}  ${cpu}  idle p50 ${idleLatency.p50Ms} ms, p95 ${idleLatency.p95Ms} ms  ${history.events} events, ${history.workflowTasks} workflow tasks, ${history.bytes} bytes\n`;
}
