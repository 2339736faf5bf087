/**
 * Many instances that wait at the same time, as the peers were measured: they are all started first and wait, then what
 * they wait for comes to all of them.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { stat } from 'node:fs/promises';
import pg from 'pg';
import type { Client } from '../client.js';
import type { RestContender } from '../rest-contender.js';
import { openServices, type Services } from '../services.js';
import { productBundle, startContender } from '../stack.js';
import { rounded } from '../statistics.js';
import { workloads, type Workload } from '../workloads.js';

export interface WaitingFigures {
  instances: number;
  callers: number;
  /** Until the last one was waiting. */
  startsPerSecond: number;
  /** Until the last one had ended. */
  completionsPerSecond: number;
  /** Time per waiting instance. */
  bytes: { postgres: number; temporal: number };
}

interface Shape {
  workload: string;
  instances: number;
  /** Counts those that wait. */
  waiting: string;
  /** Ends what all of them wait for. */
  complete(client: Client, keys: string[]): Promise<void>;
}

const CALLERS = 16;
const WARM_UP_INSTANCES = 60;
const LOOK_EVERY_MS = 50;
const TASKS_PER_PAGE = 100;

const shapes: Shape[] = [
  {
    workload: 'W5',
    instances: 10_000,
    waiting: "SELECT count(*)::integer AS count FROM user_tasks WHERE status = 'CREATED'",
    complete: completeTasks,
  },
  {
    workload: 'W6',
    instances: 2_000,
    waiting: 'SELECT count(*)::integer AS count FROM subscriptions',
    complete: publishMessages,
  },
];

/**
 * @param names of workloads, of those that wait
 * @param instances as many as the peers had unless given
 */
export async function measureWaiting(
  names: readonly string[],
  instances?: number,
): Promise<Record<string, WaitingFigures>> {
  const services = await openServices();
  try {
    const host = await startContender(services, 'host', productBundle);
    const figures: Record<string, WaitingFigures> = {};
    for (const shape of shapes.filter(({ workload }) => names.includes(workload))) {
      figures[shape.workload] = await measure(services, host, { ...shape, instances: instances ?? shape.instances });
    }
    return figures;
  } finally {
    await services.stop();
  }
}

async function measure(services: Services, host: RestContender, shape: Shape): Promise<WaitingFigures> {
  const workload = workloads.find(({ name }) => name === shape.workload)!;
  await host.prepare(workload);
  await host.run(workload, 4, Math.min(WARM_UP_INSTANCES, shape.instances));
  const store = new pg.Pool({ connectionString: await services.databaseUrl('bench_host'), max: 1 });
  try {
    const before = await sizes(store, services);
    const begin = performance.now();
    const keys = await startAll(host, workload, shape.instances);
    await until(async () => (await countOf(store, shape.waiting)) >= shape.instances);
    const waitingAt = performance.now();
    const after = await sizes(store, services);
    const completingFrom = performance.now();
    await shape.complete(host.client, keys);
    await until(async () => (await host.client.running(host.definition(workload))) === 0);
    const endedAt = performance.now();
    const each = (milliseconds: number) => rounded((shape.instances * 1000) / milliseconds);
    return {
      instances: shape.instances,
      callers: CALLERS,
      startsPerSecond: each(waitingAt - begin),
      completionsPerSecond: each(endedAt - completingFrom),
      bytes: {
        postgres: Math.round((after.postgres - before.postgres) / shape.instances),
        temporal: Math.round((after.temporal - before.temporal) / shape.instances),
      },
    };
  } finally {
    await store.end();
  }
}

/** @returns the key that each instance's message is correlated by, where it waits for one */
async function startAll(host: RestContender, workload: Workload, count: number): Promise<string[]> {
  const keys: string[] = [];
  await inParallel(count, async () => {
    const variables = workload.variables();
    await host.client.start(host.definition(workload), variables);
    keys.push(String(variables['key']));
  });
  return keys;
}

async function completeTasks(client: Client, keys: string[]): Promise<void> {
  for (let left = keys.length; left > 0;) {
    const tasks = await client.openTasks(TASKS_PER_PAGE);
    await inParallel(tasks.length, (index) => client.completeTask(tasks[index]!));
    left -= tasks.length;
  }
}

async function publishMessages(client: Client, keys: string[]): Promise<void> {
  await inParallel(keys.length, (index) => client.publish('bench-msg', keys[index]!));
}

async function inParallel(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const call = async () => {
    while (next < count) {
      next += 1;
      await work(next - 1);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
}

async function sizes(store: pg.Pool, { temporalDatabaseFile }: Services): Promise<WaitingFigures['bytes']> {
  const postgres = await countOf(store, 'SELECT pg_database_size(current_database())::float8 AS count');
  const files = await Promise.all(
    [temporalDatabaseFile, `${temporalDatabaseFile}-wal`].map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return { postgres, temporal: files.reduce((sum, size) => sum + size, 0) };
}

async function countOf(store: pg.Pool, statement: string): Promise<number> {
  return (await store.query<{ count: number }>(statement)).rows[0]!.count;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(LOOK_EVERY_MS);
}
