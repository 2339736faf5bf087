/** The shapes that are measured. Each starts instances through REST and brings every one of them to its end. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Variables } from '@perdure/engine/contract/json.js';
import type { Client, Job } from './client.js';

export interface Workload {
  name: string;
  /** File in `models/`. */
  model: string;
  /** Of the next instance. */
  variables: () => Variables;
  /** Instances per measured round. */
  count: number;
  /** How often an instance waits for something from outside. */
  waits: number;
  /** Work in addition to the starts, until `done` is aborted after the last instance has ended; undefined if starting is all. */
  help?: (client: Client, done: AbortSignal) => Promise<void>;
  /** The caller's work on each instance that it has started. */
  afterStart?: (client: Client, workflowID: string, variables: Variables) => Promise<void>;
}

export const workloads: Workload[] = [
  { name: 'W1', model: 'w1.bpmn', variables: () => ({ x: 0 }), count: 300, waits: 0 },
  { name: 'W2', model: 'w2.bpmn', variables: () => ({}), count: 600, waits: 1, help: workOnJobsOf('bench') },
  { name: 'W3', model: 'w3.bpmn', variables: () => ({}), count: 300, waits: 5, help: workOnJobsOf('bench') },
  { name: 'W4', model: 'w4.bpmn', variables: () => ({ x: 0 }), count: 300, waits: 0 },
  { name: 'W5', model: 'w5.bpmn', variables: () => ({}), count: 200, waits: 1, help: workOnTasks },
  {
    name: 'W6',
    model: 'w6.bpmn',
    variables: () => ({ key: randomUUID() }),
    count: 200,
    waits: 1,
    afterStart: publishMessage,
  },
];

/** Enough job workers to keep up with starts: the floor receives its results at once. */
const WORKERS = 4;
const JOBS_AT_ONCE = 8;
/** Between two looks at a list without new tasks: looking without a pause would cost more than what is measured. */
const LIST_PAUSE_MS = 5;
const TASKS_AT_ONCE = 16;

/** Job workers that complete every job of the type. */
export function workOnJobsOf(taskType: string): NonNullable<Workload['help']> {
  return async (client, done) => {
    await Promise.all(Array.from({ length: WORKERS }, () => workUntil(client, taskType, done)));
  };
}

async function workUntil(client: Client, taskType: string, done: AbortSignal): Promise<void> {
  const clientID = randomUUID();
  let jobs: Job[] = [];
  while (!done.aborted) {
    const [first, ...others] = jobs;
    const polled = first
      ? client.completeAndPoll(first, taskType, clientID, JOBS_AT_ONCE, done)
      : client.poll(taskType, clientID, JOBS_AT_ONCE, done);
    const completed = others.map((job) => client.completeJob(job, clientID));
    // A poll that waits in vain is given up, or its time would count as time of the instances.
    jobs = await polled.catch((error: unknown) => {
      if (done.aborted) return [];
      throw error;
    });
    await Promise.all(completed);
  }
}

/** One inbox for all callers: a list of open tasks, all of which are completed at once. */
async function workOnTasks(client: Client, done: AbortSignal): Promise<void> {
  while (!done.aborted) {
    const tasks = await client.openTasks(TASKS_AT_ONCE);
    await Promise.all(tasks.map((task) => client.completeTask(task)));
    if (tasks.length === 0) await delay(LIST_PAUSE_MS);
  }
}

async function publishMessage(client: Client, _workflowID: string, { key }: Variables): Promise<void> {
  await client.publish('bench-msg', key as string);
}
