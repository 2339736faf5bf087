/** Serves callers of Nexus, and tells them the ends of the instances that they run. */
import { WorkflowNotFoundError } from '@temporalio/client';
import { repeat, type Chore } from '../../background/chore.js';
import { endedRuns, forgetRuns, type AwaitedRun } from '../../store/work/executions/runs.js';
import { RUN_ENDED, runID } from '../temporal/runner/run-messages.js';
import type { NexusOptions } from './options.js';
import { nexusWorkers } from './workers.js';

const EVERY_MS = 500;
const AT_ONCE = 20;
/** A signal that takes longer is abandoned, and repeated. */
const SIGNAL_TIMEOUT_MS = 5_000;

export interface NexusService {
  /** Reports ends of instances. */
  readonly chore: Chore;
  start(): void;
  /** Takes no more requests, and lets those in progress finish. */
  stop(): Promise<void>;
}

export function createNexusService(options: NexusOptions): NexusService {
  const workers = nexusWorkers(options);
  return {
    chore: {
      name: 'nexus_runs',
      every: EVERY_MS,
      prompt: true,
      run: (turn) => repeat(turn, () => reportEnds(options)),
    },
    start() {
      for (const worker of workers) worker.start();
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}

/** @returns whether there may be more. @throws when Postgres or Temporal does not respond */
async function reportEnds({ store, client }: NexusOptions): Promise<boolean> {
  const ended = await endedRuns(store, AT_ONCE);
  if (ended.length === 0) return false;
  const reports = await Promise.allSettled(ended.map((run) => report(client, run)));
  const reported = ended.filter((_, index) => reports[index]!.status === 'fulfilled');
  await forgetRuns(
    store,
    reported.map(({ workflowID }) => workflowID),
  );
  const failed = reports.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return ended.length === AT_ONCE;
}

/** A workflow that has ended knows already. */
async function report(client: NexusOptions['client'], { endpoint, workflowID }: AwaitedRun): Promise<void> {
  try {
    await client.withDeadline(Date.now() + SIGNAL_TIMEOUT_MS, () =>
      client.workflow.getHandle(runID(endpoint, workflowID)).signal(RUN_ENDED),
    );
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
