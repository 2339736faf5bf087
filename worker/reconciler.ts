/**
 * Compares the instances that should be running with what Temporal has, and repairs or fails them: a workflow that
 * was terminated from outside does not tell anybody.
 *
 * It fails only what Temporal says was ended from outside, and nothing when that would be too much at once. Where a
 * workflow is gone, or has come to its own end while the rows say that it runs, one of the two is older than the other
 * (a restored backup, another namespace): it says so, and a person has to look (ADR 37).
 */
import { WorkflowNotFoundError, type Client, type WorkflowExecutionStatusName } from '@temporalio/client';
import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import { failInstance } from '../store/fail-instance.js';
import { runningInstances, stillRunning, type RunningInstance } from '../store/instances.js';
import { offerStartAgain } from '../store/outbox.js';
import { messageOf } from '../tracing/message-of.js';
import { keep, pause, type Keeper } from './keeper.js';

export interface ReconcilerOptions {
  store: Pool;
  client: Client;
  logger: Logger;
  /** Pause between two passes over all running instances. */
  intervalMilliseconds: number;
  /** Told after each pass how many instances are adrift. */
  onAdrift?(count: number): void;
}

export interface Reconciler extends Keeper {
  /** What keeps it from repairing, one sentence; undefined when nothing does. */
  problem(): string | undefined;
}

/** What one pass found. */
export interface Findings {
  checked: number;
  /** Instances whose workflow was ended from outside, with the reason. */
  lost: { workflowID: string; reason: string }[];
  /** Instances whose rows and workflow cannot be of the same moment. */
  adrift: string[];
  /** Instances that have never parked and that Temporal does not know. */
  unstarted: string[];
}

const INSTANCES_PER_PAGE = 100;
const CALLS_AT_ONCE = 10;
/** Leaves Temporal's frontend, by default 2,400 requests a second, to the instances. */
const PAUSE_BETWEEN_PAGES_MS = 1_000;
/** Time for a start or a last park that is under way. */
const YOUNGEST_MS = 10_000;
/** So many may always be failed in one pass, beyond that one in a hundred of those checked. */
const ALWAYS_ALLOWED = 5;
const ALLOWED_SHARE = 0.01;
/** Any number that nothing else in the database locks: one reconciler at a time is enough. */
const RECONCILER_LOCK = 7_303_015;

/** Runs until it is stopped; it outlives failures of Temporal and Postgres. */
export function startReconciler(options: ReconcilerOptions): Reconciler {
  let problem: string | undefined;
  const keeper = keep(async (stopping) => {
    while (!stopping.aborted) {
      await pause(options.intervalMilliseconds, stopping);
      if (stopping.aborted) return;
      try {
        problem = await passAlone(options, stopping);
      } catch (error) {
        options.logger.warn({ error: messageOf(error) }, 'instances could not be compared with Temporal; trying again');
      }
    }
  });
  return { problem: () => problem, ...keeper };
}

/** One pass, unless another process is at it. */
async function passAlone(options: ReconcilerOptions, stopping: AbortSignal): Promise<string | undefined> {
  const connection = await options.store.connect();
  try {
    if (!(await tryLock(connection))) return undefined;
    try {
      return await reconcile(options, stopping);
    } finally {
      await connection.query('SELECT pg_advisory_unlock($1)', [RECONCILER_LOCK]);
    }
  } finally {
    connection.release();
  }
}

async function tryLock(connection: PoolClient): Promise<boolean> {
  const { rows } = await connection.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [RECONCILER_LOCK]);
  return rows[0]?.locked === true;
}

/**
 * One pass over all running instances.
 * @returns why nothing was failed although something is lost; undefined when all is well or repaired
 */
export async function reconcile(options: ReconcilerOptions, stopping: AbortSignal): Promise<string | undefined> {
  const { store, logger } = options;
  const findings = await look(options, stopping);
  // The last park comes before the end of the workflow: whoever ended well meanwhile is no longer running here.
  const running = await stillRunning(store, [...findings.lost.map(({ workflowID }) => workflowID), ...findings.adrift]);
  findings.lost = findings.lost.filter(({ workflowID }) => running.has(workflowID));
  findings.adrift = findings.adrift.filter((workflowID) => running.has(workflowID));
  options.onAdrift?.(findings.adrift.length);
  for (const workflowID of findings.unstarted) await offerStartAgain(store, workflowID);
  const problem = doubt(findings);
  if (problem) {
    logger.error({ checked: findings.checked, lost: findings.lost.length, adrift: findings.adrift.length, first: findings.adrift[0] }, problem);
    return problem;
  }
  for (const { workflowID, reason } of findings.lost) {
    const failed = await failInstance(store, workflowID, reason);
    if (failed) logger.warn({ workflowID }, `the instance has failed: ${reason}`);
  }
  return undefined;
}

async function look({ store, client }: ReconcilerOptions, stopping: AbortSignal): Promise<Findings> {
  const findings: Findings = { checked: 0, lost: [], adrift: [], unstarted: [] };
  let after = 0;
  while (!stopping.aborted) {
    const page = await runningInstances(store, { after, limit: INSTANCES_PER_PAGE, olderThanMilliseconds: YOUNGEST_MS });
    for (let first = 0; first < page.length; first += CALLS_AT_ONCE) {
      await Promise.all(page.slice(first, first + CALLS_AT_ONCE).map((instance) => compare(client, instance, findings)));
    }
    const last = page.at(-1);
    if (!last || page.length < INSTANCES_PER_PAGE) break;
    after = last.number;
    await pause(PAUSE_BETWEEN_PAGES_MS, stopping);
  }
  return findings;
}

async function compare(client: Client, instance: RunningInstance, findings: Findings): Promise<void> {
  const { workflowID } = instance;
  findings.checked += 1;
  const status = await statusOf(client, workflowID);
  if (status === undefined) {
    (instance.parkCount > 0 ? findings.adrift : findings.unstarted).push(workflowID);
  } else if (status === 'COMPLETED') {
    findings.adrift.push(workflowID);
  } else if (status !== 'RUNNING' && status !== 'CONTINUED_AS_NEW' && status !== 'PAUSED') {
    findings.lost.push({ workflowID, reason: `Its workflow was ended from outside: Temporal says ${status}` });
  }
}

async function statusOf(client: Client, workflowID: string): Promise<WorkflowExecutionStatusName | undefined> {
  try {
    const { status } = await client.workflow.getHandle(workflowID).describe();
    return status.name;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** Why nothing is failed, whatever was found: a person has to look first. */
function doubt({ checked, lost, adrift }: Findings): string | undefined {
  if (adrift.length > 0) {
    return `${adrift.length} of ${checked} running instances have no workflow in Temporal, or one that has completed: Postgres and Temporal are not of the same moment. Check that TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE are right; after a restore, realign tells what differs and repairs it.`;
  }
  if (lost.length > Math.max(ALWAYS_ALLOWED, checked * ALLOWED_SHARE)) {
    return `${lost.length} of ${checked} running instances were ended from outside in Temporal, which is too many at once to fail them. Realign starts their workflows again from the rows; cancel those that were meant to end.`;
  }
  return undefined;
}
