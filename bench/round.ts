/** One measured round of one workload at one number of callers. */
import type { Contender } from './contender.js';
import { cpuEach, cpuOf, type Cpu, type Processes } from './cpu.js';
import { quantile, rounded } from './statistics.js';
import type { Workload } from './workloads.js';

export interface Round {
  instancesPerSecond: number;
  /** CPU milliseconds per instance. */
  cpuMs: Cpu;
}

/** Instances that are started one after another when nothing else happens. */
export interface IdleLatency {
  p50Ms: number;
  p95Ms: number;
}

/** The servers that all contenders share. Contenders alternate, so what a server does in a round is for one of them. */
export type Servers = Omit<Processes, 'node'>;

/** Instances that run before the first round, until caches are warm and V8 has compiled the hot code: of the first thousand W3, compiling takes a sixth of Node's CPU. */
export const WARM_UP_INSTANCES = 1000;

/**
 * The order of the contenders in a round, counted from 0. It changes with every round: the one that comes
 * second finds the machine warmer, and what a server still writes of one's instances falls on the next.
 */
export function inTurn<Compared>(compared: readonly Compared[], round: number): readonly Compared[] {
  return round % 2 === 0 ? compared : compared.toReversed();
}

/** Starts `count` instances with `callers` at once and waits until none runs. */
export async function measureRound(
  contender: Contender,
  servers: Servers,
  workload: Workload,
  callers: number,
  count: number,
): Promise<Round> {
  const processes = { ...servers, node: contender.processIDs };
  const before = await cpuOf(processes);
  const begin = performance.now();
  await contender.run(workload, callers, count);
  const seconds = (performance.now() - begin) / 1000;
  return { instancesPerSecond: count / seconds, cpuMs: cpuEach(before, await cpuOf(processes), count) };
}

export function idleLatencyOf(latenciesMs: readonly number[]): IdleLatency {
  return { p50Ms: rounded(quantile(latenciesMs, 0.5)), p95Ms: rounded(quantile(latenciesMs, 0.95)) };
}
