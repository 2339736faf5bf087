/**
 * Compares the instances that should be running with what Temporal has, and repairs or fails them: a workflow that
 * was terminated from outside does not tell anybody.
 *
 * Two loops: one asks Temporal every few seconds which workflows were ended from outside since it last did, one walks
 * over all running instances at a low rate, for what no list of Temporal tells.
 *
 * It fails only what Temporal says was ended from outside. Where a workflow is gone, or has come to its own end while the
 * rows say that it runs, one of the two is older than the other (a restored backup, another namespace): that instance is
 * set aside, it says so, and a person has to look (ADR 37). The others do not wait for that.
 */
import { WorkflowNotFoundError, type Client, type WorkflowExecutionDescription } from '@temporalio/client';
import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import { cancelWithoutWorkflow, failInstance } from '../store/fail-instance.js';
import { areAtLeastRunning, newestParked, runningInstances, stillRunning, type RunningInstance } from '../store/instances.js';
import { offerStartAgain } from '../store/outbox.js';
import { messageOf } from '../tracing/message-of.js';
import { PROCESS_INSTANCE } from '../workflows/messages.js';
import { keep, pause, type Keeper } from './keeper.js';

export interface ReconcilerOptions {
  store: Pool;
  client: Client;
  /** Of the host: other workflows of the namespace are somebody else's. */
  taskQueue: string;
  logger: Logger;
  /** Pause between two looks at what was ended from outside. */
  intervalMilliseconds: number;
  /** Told after each walk how many instances are adrift. */
  onAdrift?(count: number): void;
}

export interface Reconciler extends Keeper {
  /** What it cannot repair, one sentence; undefined when there is nothing. */
  problem(): string | undefined;
}

/** An instance whose workflow was ended from outside. */
interface Lost {
  workflowID: string;
  reason: string;
  /** Epoch milliseconds, by Temporal's clock. */
  endedAt: number;
}

/** What one walk found. */
interface Findings {
  checked: number;
  lost: Lost[];
  /** Instances whose rows and workflow cannot be of the same moment: how many, and the first of them. */
  adrift: { count: number; first: string[] };
}

const INSTANCES_PER_PAGE = 100;
const CALLS_AT_ONCE = 10;
/** Leaves Temporal's frontend, by default 2,400 requests a second, to the instances. */
const PAUSE_BETWEEN_PAGES_MS = 1_000;
const PAUSE_BETWEEN_WALKS_MS = 60_000;
/** Time for a start or a last park that is under way. */
const YOUNGEST_MS = 10_000;
/** Temporal lists what has ended some seconds later, and by another clock. */
const LISTED_WITHIN_MS = 300_000;
/** How far the first look goes back; what was ended before that the walk finds. */
const FIRST_LOOK_BACK_MS = 3_600_000;
/** Temporal answers ten lists a second by default, for everybody. */
const PAUSE_BETWEEN_LISTS_MS = 500;
const LISTED_AT_ONCE = 500;
/** So many are failed at once without waiting, beyond that one in a hundred of those that run. */
const ALWAYS_ALLOWED = 5;
const ALLOWED_SHARE = 0.01;
/** More than that are failed after this time: whoever has ended them by mistake may start them again from the rows until then. */
const MANY_AFTER_MS = 3_600_000;
/** So many of the newest instances show whether Postgres and Temporal are of the same moment. */
const WITNESSES = 10;
const MOST_NAMED = 10;
/** Any numbers that nothing else in the database locks: one process at a time is enough. */
const WALK_LOCK = 7_303_015;
const LOOK_LOCK = 7_303_016;

/** Runs until it is stopped; it outlives failures of Temporal and Postgres. */
export function startReconciler(options: ReconcilerOptions): Reconciler {
  const look = newLook(options);
  const looking = repeat(options, LOOK_LOCK, options.intervalMilliseconds, look);
  const walking = repeat(options, WALK_LOCK, PAUSE_BETWEEN_WALKS_MS, (stopping) => reconcile(options, stopping));
  return {
    problem: () => walking.problem() ?? looking.problem(),
    async stop() {
      await Promise.all([looking.stop(), walking.stop()]);
    },
  };
}

function repeat(options: ReconcilerOptions, lock: number, pauseMilliseconds: number, pass: (stopping: AbortSignal) => Promise<string | undefined>): Reconciler {
  let problem: string | undefined;
  const keeper = keep(async (stopping) => {
    await pause(options.intervalMilliseconds, stopping);
    while (!stopping.aborted) {
      try {
        problem = await alone(options.store, lock, () => pass(stopping));
      } catch (error) {
        options.logger.warn({ error: messageOf(error) }, 'instances could not be compared with Temporal; trying again');
      }
      await pause(pauseMilliseconds, stopping);
    }
  });
  return { problem: () => problem, ...keeper };
}

/** Nothing, while another process is at it. */
async function alone<T>(store: Pool, lock: number, work: () => Promise<T>): Promise<T | undefined> {
  const connection = await store.connect();
  try {
    if (!(await tryLock(connection, lock))) return undefined;
    try {
      return await work();
    } finally {
      await connection.query('SELECT pg_advisory_unlock($1)', [lock]);
    }
  } finally {
    connection.release();
  }
}

async function tryLock(connection: PoolClient, lock: number): Promise<boolean> {
  const { rows } = await connection.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [lock]);
  return rows[0]?.locked === true;
}

/** A look at what was ended from outside since the last one that came to its end. */
function newLook(options: ReconcilerOptions): (stopping: AbortSignal) => Promise<string | undefined> {
  let since = Date.now() - FIRST_LOOK_BACK_MS;
  return async (stopping) => {
    const now = Date.now();
    // Those that were left for later are looked at again until their time has come.
    const problem = await failEndedSince(options, since, stopping);
    if (problem === undefined && !stopping.aborted) since = now - LISTED_WITHIN_MS;
    return problem;
  };
}

/**
 * Fails the instances whose workflows were ended from outside since then, as Temporal lists them.
 * @param since epoch milliseconds
 * @returns why some were left as they are; undefined when none were
 */
export async function failEndedSince(options: ReconcilerOptions, since: number, stopping: AbortSignal): Promise<string | undefined> {
  const { store, client, taskQueue } = options;
  const query = `WorkflowType = '${PROCESS_INSTANCE}' AND TaskQueue = '${taskQueue}'
    AND ExecutionStatus IN ('Terminated', 'TimedOut', 'Failed', 'Canceled') AND CloseTime >= '${new Date(since).toISOString()}'`;
  const lost = new Map<string, Lost>();
  let listed: string[] = [];
  const compareListed = async () => {
    // An instance may have a new workflow since, and most have ended in their rows.
    const running = await stillRunning(store, listed);
    listed = [];
    for (const found of await inGroups([...running], (workflowID) => lostOne(client, workflowID))) if (found) lost.set(found.workflowID, found);
  };
  for await (const { workflowId } of client.workflow.list({ query, pageSize: LISTED_AT_ONCE })) {
    if (stopping.aborted) return undefined;
    listed.push(workflowId);
    if (listed.length < LISTED_AT_ONCE) continue;
    await compareListed();
    await pause(PAUSE_BETWEEN_LISTS_MS, stopping);
  }
  await compareListed();
  return endLost(options, [...lost.values()]);
}

async function lostOne(client: Client, workflowID: string): Promise<Lost | undefined> {
  const workflow = await describe(client, workflowID);
  return workflow && lostBy(workflowID, workflow);
}

/**
 * One walk over all running instances.
 * @returns what it could not repair; undefined when all is well or repaired
 */
export async function reconcile(options: ReconcilerOptions, stopping: AbortSignal): Promise<string | undefined> {
  const findings = await walk(options, stopping);
  const { checked, adrift, lost } = findings;
  options.onAdrift?.(adrift.count);
  const left = await endLost(options, lost);
  if (adrift.count === 0) return left;
  const named = adrift.first.join(', ') + (adrift.count > adrift.first.length ? ', ...' : '');
  const problem = `${adrift.count} of ${checked} running instances have no workflow in Temporal, or one that has completed: ${named}. For them Postgres and Temporal are not of the same moment, and they are left as they are. Check that TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE are right; after a restore, realign tells what differs and repairs it; cancel those that are meant to end.`;
  options.logger.error({ checked, adrift: adrift.count, first: adrift.first }, problem);
  return problem;
}

async function walk(options: ReconcilerOptions, stopping: AbortSignal): Promise<Findings> {
  const findings: Findings = { checked: 0, lost: [], adrift: { count: 0, first: [] } };
  let after = 0;
  while (!stopping.aborted) {
    const page = await runningInstances(options.store, { after, limit: INSTANCES_PER_PAGE, olderThanMilliseconds: YOUNGEST_MS });
    await comparePage(options, page, findings);
    const last = page.at(-1);
    if (!last || page.length < INSTANCES_PER_PAGE) break;
    after = last.number;
    await pause(PAUSE_BETWEEN_PAGES_MS, stopping);
  }
  return findings;
}

async function comparePage({ store, client }: ReconcilerOptions, page: readonly RunningInstance[], findings: Findings): Promise<void> {
  const compared = await inGroups(page, async (instance) => ({ instance, workflow: await describe(client, instance.workflowID) }));
  findings.checked += page.length;
  // The last park comes before the end of the workflow: whoever ended well meanwhile is no longer running here.
  const running = await stillRunning(store, compared.filter(({ workflow }) => workflow?.status.name !== 'RUNNING').map(({ instance }) => instance.workflowID));
  for (const { instance, workflow } of compared) {
    const { workflowID, parkCount } = instance;
    if (!running.has(workflowID)) continue;
    const lost = workflow && lostBy(workflowID, workflow);
    if (lost) findings.lost.push(lost);
    else if (!workflow && parkCount === 0) await offerStartAgain(store, workflowID);
    else if (!workflow || workflow.status.name === 'COMPLETED') setAside(findings, workflowID);
  }
}

function setAside({ adrift }: Findings, workflowID: string): void {
  adrift.count += 1;
  if (adrift.first.length < MOST_NAMED) adrift.first.push(workflowID);
}

/** Undefined when it was not ended from outside. */
function lostBy(workflowID: string, { status, closeTime }: WorkflowExecutionDescription): Lost | undefined {
  if (status.name === 'RUNNING' || status.name === 'CONTINUED_AS_NEW' || status.name === 'PAUSED' || status.name === 'COMPLETED') return undefined;
  return { workflowID, reason: `Its workflow was ended from outside: Temporal says ${status.name}`, endedAt: closeTime?.getTime() ?? 0 };
}

/** Undefined when Temporal has no such workflow. */
async function describe(client: Client, workflowID: string): Promise<WorkflowExecutionDescription | undefined> {
  try {
    return await client.workflow.getHandle(workflowID).describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

async function inGroups<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let first = 0; first < items.length; first += CALLS_AT_ONCE) results.push(...(await Promise.all(items.slice(first, first + CALLS_AT_ONCE).map(work))));
  return results;
}

/** Ends them in their rows. @returns why some were left as they are */
async function endLost(options: ReconcilerOptions, lost: readonly Lost[]): Promise<string | undefined> {
  if (lost.length === 0) return undefined;
  const { store, logger } = options;
  const due = await failable(options, lost);
  for (const { workflowID, reason } of due) {
    if (await cancelWithoutWorkflow(store, workflowID)) logger.info({ workflowID }, 'the instance is canceled; its workflow had been ended from outside');
    else if (await failInstance(store, workflowID, reason)) logger.warn({ workflowID }, `the instance has failed: ${reason}`);
  }
  if (due.length === lost.length) return undefined;
  const problem = `${lost.length} running instances were ended from outside in Temporal, for instance ${lost[0]!.workflowID}: too many to take that for meant at once. They fail an hour after their end, as soon as Temporal knows the newest instances. Until then realign starts their workflows again from the rows; cancel those that were meant to end.`;
  logger.error({ lost: lost.length, left: lost.length - due.length }, problem);
  return problem;
}

/** A few are failed at once; many only after a time for second thoughts, and by a Temporal that knows what is newest here. */
async function failable({ store, client }: ReconcilerOptions, lost: readonly Lost[]): Promise<readonly Lost[]> {
  if (lost.length <= ALWAYS_ALLOWED || (await areAtLeastRunning(store, lost.length / ALLOWED_SHARE))) return lost;
  if (!(await isOfThisMoment(store, client))) return [];
  return lost.filter(({ endedAt }) => endedAt < Date.now() - MANY_AFTER_MS);
}

/** Whether Temporal knows at least half of the newest instances, and has not seen them complete: what a restored or empty one cannot. */
async function isOfThisMoment(store: Pool, client: Client): Promise<boolean> {
  const newest = await newestParked(store, { limit: WITNESSES, olderThanMilliseconds: YOUNGEST_MS });
  const workflows = await inGroups(newest, (workflowID) => describe(client, workflowID));
  return 2 * workflows.filter((workflow) => workflow !== undefined && workflow.status.name !== 'COMPLETED').length >= newest.length;
}
