/** Instances that continue for long: what their runs leave in Temporal, and whether a turn costs at the end what it cost at the beginning. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client as TemporalClient, Connection, type WorkflowHandle } from '@temporalio/client';
import type { Client } from '../client.js';
import { longRuns, type LongRun } from './long-run-models.js';
import { rounded } from '../statistics.js';
import type { Stack } from '../stack.js';

export interface LongRunFigures {
  turns: number;
  seconds: number;
  /** Milliseconds of a turn in each tenth of the turns, pauses between runs included. */
  turnMs: number[];
  runs: number;
  /** Largest of all runs. */
  events: number;
  historyBytes: number;
  /** Bytes of a run's input as JSON, or 0 if there was only one run. */
  carriedBytes: number;
}

interface Sample {
  turns: number;
  ms: number;
}

const LOOK_EVERY_MS = 200;
const WORKERS = 2;
const JOBS_AT_ONCE = 50;

/** @param name of one of them; all unless given */
export async function measureLongRuns(
  { host, temporalAddress }: Stack,
  name?: string,
): Promise<Record<string, LongRunFigures>> {
  const figures: Record<string, LongRunFigures> = {};
  for (const shape of longRuns.filter((candidate) => name === undefined || candidate.name === name)) {
    figures[shape.name] = await measure(host.client, shape, temporalAddress);
    process.stdout.write(`${shape.name} ${JSON.stringify(figures[shape.name])}\n`);
  }
  return figures;
}

async function measure(client: Client, shape: LongRun, temporalAddress: string): Promise<LongRunFigures> {
  const definition = await client.deploy(shape.name, shape.xml);
  const begin = performance.now();
  const workflowID = await client.start(definition, shape.variables);
  const samples: Sample[] = [{ turns: 0, ms: 0 }];
  let jobsDone = 0;
  let running = true;
  const working = shape.jobs
    ? work(
        client,
        () => running,
        () => (jobsDone += 1),
      )
    : undefined;
  while (running) {
    await delay(LOOK_EVERY_MS);
    running = (await client.running(definition)) > 0;
    const turns = shape.jobs ? jobsDone : Number((await client.variables(workflowID))['done'] ?? 0);
    if (turns > samples.at(-1)!.turns) samples.push({ turns, ms: performance.now() - begin });
  }
  await working;
  const { turns, ms } = samples.at(-1)!;
  return {
    turns,
    seconds: rounded(ms / 1000),
    turnMs: tenths(samples, turns),
    ...(await runsOf(temporalAddress, workflowID)),
  };
}

async function work(client: Client, isRunning: () => boolean, onDone: () => void): Promise<void> {
  const clientIDs = Array.from({ length: WORKERS }, () => randomUUID());
  await Promise.all(
    clientIDs.map(async (clientID) => {
      while (isRunning()) {
        const jobs = await client.poll('long-run', clientID, JOBS_AT_ONCE);
        await Promise.all(jobs.map((job) => client.completeJob(job, clientID).then(onDone)));
      }
    }),
  );
}

function tenths(samples: readonly Sample[], turns: number): number[] {
  const times = Array.from({ length: 11 }, (_, tenth) => timeOf(samples, (turns * tenth) / 10));
  return times.slice(1).map((time, index) => rounded((time - times[index]!) / (turns / 10)));
}

/** When so many turns were done, between two looks as if evenly. */
function timeOf(samples: readonly Sample[], turns: number): number {
  const after = samples.findIndex((sample) => sample.turns >= turns);
  const next = samples[after]!;
  if (after === 0) return next.ms;
  const last = samples[after - 1]!;
  return last.ms + ((turns - last.turns) / (next.turns - last.turns)) * (next.ms - last.ms);
}

async function runsOf(
  temporalAddress: string,
  workflowID: string,
): Promise<Pick<LongRunFigures, 'runs' | 'events' | 'historyBytes' | 'carriedBytes'>> {
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    const { workflow } = new TemporalClient({ connection });
    const found = { runs: 0, events: 0, historyBytes: 0, carriedBytes: 0 };
    const newest = await workflow.getHandle(workflowID).describe();
    let runID = newest.raw.workflowExecutionInfo?.firstRunId ?? undefined;
    while (runID) {
      const run = await costOf(workflow.getHandle(workflowID, runID));
      found.events = Math.max(found.events, run.events);
      found.historyBytes = Math.max(found.historyBytes, run.bytes);
      if (found.runs > 0) found.carriedBytes = Math.max(found.carriedBytes, run.inputBytes);
      found.runs += 1;
      runID = run.next;
    }
    return found;
  } finally {
    await connection.close();
  }
}

async function costOf(
  handle: WorkflowHandle,
): Promise<{ events: number; bytes: number; inputBytes: number; next: string | undefined }> {
  const [{ historySize }, { events }] = await Promise.all([handle.describe(), handle.fetchHistory()]);
  const input = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]?.data;
  return {
    events: events?.length ?? 0,
    bytes: historySize ?? 0,
    inputBytes: input?.length ?? 0,
    next: events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? undefined,
  };
}
