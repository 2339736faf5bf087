/** CPU time that processes have used; Linux only. */
import { readdir, readFile } from 'node:fs/promises';
import type { Pool } from 'pg';

/** Of whom CPU counts. */
export interface Processes {
  /** The host's own. */
  node: readonly number[];
  /** The first process of the server. */
  postgres: number;
  temporal: number;
}

/** Milliseconds, user and system together. */
export type Cpu = { [part in keyof Processes]: number };

export async function cpuOf({ node, postgres, temporal }: Processes): Promise<Cpu> {
  const own = await Promise.all(node.map((processID) => cpuMs(processID)));
  return {
    node: own.reduce((sum, ms) => sum + ms, 0),
    postgres: await cpuMsWithChildren(postgres),
    temporal: await cpuMs(temporal),
  };
}

/** CPU time used between two samples, for each of `count`. */
export function cpuEach(before: Cpu, after: Cpu, count: number): Cpu {
  return {
    node: (after.node - before.node) / count,
    postgres: (after.postgres - before.postgres) / count,
    temporal: (after.temporal - before.temporal) / count,
  };
}

/** Of the processes behind the connections to one database that are open now, exactly: milliseconds by process. */
export async function backendCpu(pool: Pool, database: string): Promise<Map<number, number>> {
  const { rows } = await pool.query<{ pid: number }>('SELECT pid FROM pg_stat_activity WHERE datname = $1', [database]);
  const times = new Map<number, number>();
  for (const { pid } of rows) {
    const [nanoseconds] = (await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '0')).split(' ');
    times.set(pid, Number(nanoseconds) / 1e6);
  }
  return times;
}

async function cpuMs(processID: number): Promise<number> {
  const fields = await statOf(processID);
  return fields ? ticksToMs(fields[11], fields[12]) : 0;
}

/** With its children that run and those that have ended: Postgres serves each connection with one. */
async function cpuMsWithChildren(processID: number): Promise<number> {
  const parent = await statOf(processID);
  if (!parent) return 0;
  const children = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) => {
        const fields = await statOf(Number(name));
        return fields && Number(fields[1]) === processID ? ticksToMs(fields[11], fields[12]) : 0;
      }),
  );
  return ticksToMs(parent[11], parent[12], parent[13], parent[14]) + children.reduce((sum, ms) => sum + ms, 0);
}

/** Those of `proc(5)` from the third, the state, on: the name before it may hold spaces. Undefined when it has ended. */
async function statOf(processID: number): Promise<string[] | undefined> {
  const stat = await readFile(`/proc/${processID}/stat`, 'utf8').catch(() => undefined);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** The kernel counts in ticks of 10 ms. */
function ticksToMs(...ticks: (string | undefined)[]): number {
  return ticks.reduce((sum, tick) => sum + Number(tick), 0) * 10;
}
