/** One measured round of one workload at one number of callers. */
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client, Instance } from './client.js';
import { quantile } from './statistics.js';
import type { Workload } from './workloads.js';

/** Asking without a pause whether all have ended would cost more than what is measured. */
const DRAIN_PAUSE_MS = 10;

export interface Round {
  instancesPerSecond: number;
  /** CPU milliseconds of the host process per instance, user and system together. */
  nodeCpuMs: number;
}

/** Instances that are started one after another when nothing else happens. */
export interface IdleLatency {
  p50Ms: number;
  p95Ms: number;
}

export interface Subject {
  client: Client;
  /** The process whose CPU counts. */
  processID: number;
}

/** Starts `count` instances with `callers` at once and waits until none runs. */
export async function measureRound(subject: Subject, workload: Workload, definitionID: string, callers: number, count: number): Promise<Round> {
  const cpuBefore = await cpuMs(subject.processID);
  const begin = performance.now();
  await runInstances(subject.client, workload, definitionID, callers, count);
  const seconds = (performance.now() - begin) / 1000;
  return { instancesPerSecond: count / seconds, nodeCpuMs: ((await cpuMs(subject.processID)) - cpuBefore) / count };
}

/** Start to end of single instances, by the times that the host itself records. */
export async function measureIdleLatency(subject: Subject, workload: Workload, definitionID: string, count: number): Promise<IdleLatency> {
  const { client } = subject;
  const alone = { ...workload, help: undefined };
  const latencies: number[] = [];
  await withHelp(client, workload, async () => {
    for (let index = 0; index < count; index += 1) {
      await runInstances(client, alone, definitionID, 1, 1);
      const [newest] = await client.instances(definitionID, 1);
      latencies.push(durationMs(newest!));
    }
  });
  return { p50Ms: quantile(latencies, 0.5), p95Ms: quantile(latencies, 0.95) };
}

async function runInstances(client: Client, workload: Workload, definitionID: string, callers: number, count: number): Promise<void> {
  await withHelp(client, workload, async () => {
    let left = count;
    const call = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const workflowID = await client.start(definitionID, workload.variables);
        await workload.afterStart?.(client, workflowID);
      }
    };
    await Promise.all(Array.from({ length: callers }, call));
    while ((await client.running(definitionID)) > 0) await delay(DRAIN_PAUSE_MS);
  });
}

async function withHelp(client: Client, workload: Workload, work: () => Promise<void>): Promise<void> {
  let done = false;
  const helping = workload.help?.(client, () => done);
  await work();
  done = true;
  await helping;
}

function durationMs(instance: Instance): number {
  return Date.parse(instance.completedAt!) - Date.parse(instance.createdAt);
}

/** CPU time of a process so far; Linux only (`proc(5)`, fields 14 and 15, in ticks of 10 ms). */
async function cpuMs(processID: number): Promise<number> {
  const stat = await readFile(`/proc/${processID}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
