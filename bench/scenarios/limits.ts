/** The cost of a limit: one job per key at a time, for many keys, compared with jobs without a limit in turns. */
import type { Cpu } from '../cpu.js';
import { inTurn, measureRound, WARM_UP_INSTANCES, type Round } from '../round.js';
import { openServices } from '../services.js';
import { productBundle, startContender } from '../stack.js';
import { median, rounded } from '../statistics.js';
import { workloads, workOnJobsOf, type Workload } from '../workloads.js';

export interface LimitFigures {
  keys: number;
  callers: number;
  unlimited: JobFigures;
  limited: JobFigures;
  /** Of limited jobs divided by that of the others. */
  throughputRatio: number;
}

interface JobFigures {
  instancesPerSecond: number;
  /** Milliseconds per instance. */
  cpuMs: Cpu;
}

const CALLERS = 16;
const TASK_TYPE = 'bench-limited';

/** @param keys of the limited jobs; each instance has the next one */
export async function measureLimits(keys: number, rounds: number, instances?: number): Promise<LimitFigures> {
  const services = await openServices();
  try {
    const host = await startContender(services, 'host', productBundle);
    const both = workloadsOf(keys, instances);
    await (await services.clientOf(host.client.target.api, 'admin')).limit(TASK_TYPE, 1);
    for (const workload of both) {
      await host.prepare(workload);
      await host.run(workload, CALLERS, WARM_UP_INSTANCES);
    }
    const measured: Round[][] = both.map(() => []);
    for (let round = 0; round < rounds; round += 1)
      for (const [index, workload] of inTurn([...both.entries()], round))
        measured[index]!.push(await measureRound(host, services.servers, workload, CALLERS, workload.count));
    const [unlimited, limited] = [summarize(measured[0]!), summarize(measured[1]!)];
    const throughputRatio = rounded(limited.instancesPerSecond / unlimited.instancesPerSecond);
    return { keys, callers: CALLERS, unlimited, limited, throughputRatio };
  } finally {
    await services.stop();
  }
}

function workloadsOf(keys: number, instances?: number): Workload[] {
  const w2 = workloads.find(({ name }) => name === 'W2')!;
  const unlimited = { ...w2, count: instances ?? w2.count };
  let started = 0;
  return [
    unlimited,
    {
      ...unlimited,
      name: 'W2 with a limit',
      model: 'w2-limited.bpmn',
      variables: () => ({ key: started++ % keys }),
      help: workOnJobsOf(TASK_TYPE),
    },
  ];
}

function summarize(rounds: readonly Round[]): JobFigures {
  const cpu = (part: keyof Cpu) => rounded(median(rounds.map(({ cpuMs }) => cpuMs[part])));
  return {
    instancesPerSecond: rounded(median(rounds.map(({ instancesPerSecond }) => instancesPerSecond))),
    cpuMs: { node: cpu('node'), postgres: cpu('postgres'), temporal: cpu('temporal') },
  };
}
