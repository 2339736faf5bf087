/** The gain of more worker processes on one machine: one API with one worker against one API with several, alternating. */
import type { Cpu } from '../cpu.js';
import { RestContender } from '../rest-contender.js';
import { inTurn, measureRound, WARM_UP_INSTANCES, type Round } from '../round.js';
import { openServices, type Services } from '../services.js';
import { productBundle } from '../stack.js';
import { median, rounded } from '../statistics.js';
import type { Workload } from '../workloads.js';

export interface ScaleFigures {
  callers: number;
  one: FleetFigures;
  several: FleetFigures;
  /** Of several workers divided by that of one. */
  throughputRatio: number;
}

export interface FleetFigures {
  workers: number;
  instancesPerSecond: number;
  /** Milliseconds per instance; Node's is that of the API and of all workers. */
  cpuMs: Cpu;
}

const CALLERS = 16;

/** @param workers how many the larger fleet has */
export async function measureScale(
  workers: number,
  workloads: readonly Workload[],
  rounds: number,
): Promise<Record<string, ScaleFigures>> {
  const services = await openServices();
  try {
    const fleets = [await startFleet(services, 1), await startFleet(services, workers)];
    const figures: Record<string, ScaleFigures> = {};
    for (const workload of workloads) {
      const measured: Round[][] = fleets.map(() => []);
      for (const fleet of fleets) {
        await fleet.prepare(workload);
        await fleet.run(workload, CALLERS, WARM_UP_INSTANCES);
      }
      for (let round = 0; round < rounds; round += 1) {
        for (const [index, fleet] of inTurn([...fleets.entries()], round))
          measured[index]!.push(await measureRound(fleet, services.servers, workload, CALLERS, workload.count));
      }
      const [one, several] = [summarize(1, measured[0]!), summarize(workers, measured[1]!)];
      figures[workload.name] = {
        callers: CALLERS,
        one,
        several,
        throughputRatio: rounded(several.instancesPerSecond / one.instancesPerSecond),
      };
    }
    return figures;
  } finally {
    await services.stop();
  }
}

async function startFleet(services: Services, workers: number): Promise<RestContender> {
  const host = { name: `with-${workers}-workers`, workflowBundle: productBundle };
  const api = await services.startHost({ ...host, roles: 'api' });
  const processIDs = [api.processID];
  for (let number = 1; number <= workers; number += 1)
    processIDs.push((await services.startHost({ ...host, roles: 'worker' })).processID);
  return new RestContender(host.name, await services.clientOf(api.api!), processIDs);
}

function summarize(workers: number, rounds: readonly Round[]): FleetFigures {
  const cpu = (part: keyof Cpu) => rounded(median(rounds.map(({ cpuMs }) => cpuMs[part])));
  return {
    workers,
    instancesPerSecond: rounded(median(rounds.map(({ instancesPerSecond }) => instancesPerSecond))),
    cpuMs: { node: cpu('node'), postgres: cpu('postgres'), temporal: cpu('temporal') },
  };
}
