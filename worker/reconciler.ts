/**
 * Compares running instances with their workflows in Temporal, and repairs or fails them.
 *
 * Two loops do this. One lists, every few seconds, the workflows that were closed from outside. The other walks over
 * all running instances at a low rate, because no list shows a workflow that is missing.
 *
 * Only instances whose workflow Temporal reports as closed from outside are failed. An instance has diverged when its
 * workflow is missing, or has completed while the row says RUNNING: one database is then older than the other (ADR 37).
 * Diverged instances are reported and left unchanged, and all others are repaired (ADR 54).
 */
import { WorkflowNotFoundError, type Client, type WorkflowExecutionDescription } from '@temporalio/client';
import type { Logger } from 'pino';
import { cancelWithoutWorkflow, failInstance } from '../store/steps/fail-instance.js';
import {
  areAtLeastRunning,
  newestWithSteps,
  runningInstances,
  stillRunning,
  type RunningInstance,
} from '../store/instances/instances.js';
import { offerStartAgain } from '../store/instances/outbox.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import { PROCESS_INSTANCE } from '../workflows/messages.js';
import { startLoop, pause, type BackgroundLoop } from './background-loop.js';
import type { PooledDatabase } from '../store/connections/pooled-database.js';
import type { Database } from '../store/sql/database.js';

export interface ReconcilerOptions {
  store: PooledDatabase;
  client: Client;
  /** The task queue of the host: other workflows of the namespace are not Perdure's. */
  taskQueue: string;
  logger: Logger;
  /** Pause between two lists of workflows that were closed from outside. */
  intervalMilliseconds: number;
  /** Called after each walk with the number of diverged instances. */
  onDiverged?(count: number): void;
}

export interface Reconciler extends BackgroundLoop {
  /** A problem that requires an operator, or undefined. */
  problem(): string | undefined;
}

/** A running instance whose workflow was closed from outside. */
interface Lost {
  workflowID: string;
  reason: string;
  /** Close time in epoch milliseconds, by Temporal's clock. */
  endedAt: number;
}

/** The result of one walk. */
interface Findings {
  checked: number;
  lost: Lost[];
  /** The number of diverged instances, and the ids of the first ones. */
  diverged: { count: number; first: string[] };
}

const INSTANCES_PER_PAGE = 100;
const CALLS_AT_ONCE = 10;
/** Leaves Temporal's frontend, by default 2,400 requests a second, to the instances. */
const PAUSE_BETWEEN_PAGES_MS = 1_000;
const PAUSE_BETWEEN_WALKS_MS = 60_000;
/** Younger instances are skipped: their start may still be in progress. */
const YOUNGEST_MS = 10_000;
/** Covers the delay of Temporal's visibility store and the difference between clocks. */
const LISTED_WITHIN_MS = 300_000;
/** How far back the first list reaches. The walk finds older ones. */
const FIRST_LOOK_BACK_MS = 3_600_000;
/** Temporal's default limit is ten list requests per second and namespace. */
const PAUSE_BETWEEN_LISTS_MS = 500;
const LISTED_AT_ONCE = 500;
/** Up to this number, or this share of the running instances, lost instances are failed at once. */
const ALWAYS_ALLOWED = 5;
const ALLOWED_SHARE = 0.01;
/** More are failed this long after their workflows closed, so that a terminate by mistake can be undone with resync. */
const MANY_AFTER_MS = 3_600_000;
/** The newest instances show whether Postgres and Temporal are consistent. */
const WITNESSES = 10;
const MAX_NAMED = 10;
/** Advisory locks, unique in this database: one process at a time runs each loop. */
const WALK_LOCK = 7_303_015;
const LOOK_LOCK = 7_303_016;

/** Runs until it is stopped; survives failures of Temporal and Postgres. */
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

function repeat(
  options: ReconcilerOptions,
  lock: number,
  pauseMilliseconds: number,
  pass: (stopping: AbortSignal) => Promise<string | undefined>,
): Reconciler {
  let problem: string | undefined;
  const loop = startLoop(async (stopping) => {
    await pause(options.intervalMilliseconds, stopping);
    while (!stopping.aborted) {
      try {
        problem = await alone(options.store, lock, () => pass(stopping));
      } catch (error) {
        options.logger.warn({ error: errorMessage(error) }, 'comparison with Temporal failed; retrying');
      }
      await pause(pauseMilliseconds, stopping);
    }
  });
  return { problem: () => problem, ...loop };
}

/** Runs `work` unless another process holds the lock. */
function alone<T>(store: PooledDatabase, lock: number, work: () => Promise<T>): Promise<T | undefined> {
  return store.onOneConnection(async (connection) => {
    const { rows } = await connection.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [lock]);
    if (rows[0]?.locked !== true) return undefined;
    try {
      return await work();
    } finally {
      await connection.query('SELECT pg_advisory_unlock($1)', [lock]);
    }
  });
}

/** A pass over the workflows that were closed since the last pass that left nothing. */
function newLook(options: ReconcilerOptions): (stopping: AbortSignal) => Promise<string | undefined> {
  let since = Date.now() - FIRST_LOOK_BACK_MS;
  return async (stopping) => {
    const now = Date.now();
    // Lost instances that are not yet due must be listed again.
    const problem = await failEndedSince(options, since, stopping);
    if (problem === undefined && !stopping.aborted) since = now - LISTED_WITHIN_MS;
    return problem;
  };
}

/**
 * Fails the running instances whose workflows were closed from outside after `since`.
 * @param since epoch milliseconds
 * @returns why some were left unchanged, or undefined
 */
export async function failEndedSince(
  options: ReconcilerOptions,
  since: number,
  stopping: AbortSignal,
): Promise<string | undefined> {
  const { store, client, taskQueue } = options;
  const query = `WorkflowType = '${PROCESS_INSTANCE}' AND TaskQueue = '${taskQueue}'
    AND ExecutionStatus IN ('Terminated', 'TimedOut', 'Failed', 'Canceled') AND CloseTime >= '${new Date(since).toISOString()}'`;
  const lost = new Map<string, Lost>();
  let listed: string[] = [];
  const compareListed = async () => {
    // Most have ended in their rows, and resync may have started a new workflow.
    const running = await stillRunning(store, listed);
    listed = [];
    for (const found of await inGroups([...running], (workflowID) => lostOne(client, workflowID)))
      if (found) lost.set(found.workflowID, found);
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
 * Walks over all running instances once.
 * @returns a problem that requires an operator, or undefined
 */
export async function reconcile(options: ReconcilerOptions, stopping: AbortSignal): Promise<string | undefined> {
  const findings = await walk(options, stopping);
  const { checked, diverged, lost } = findings;
  options.onDiverged?.(diverged.count);
  const left = await endLost(options, lost);
  if (diverged.count === 0) return left;
  const named = diverged.first.join(', ') + (diverged.count > diverged.first.length ? ', ...' : '');
  const problem = `${diverged.count} of ${checked} running instances have no open workflow in Temporal: ${named}. They are left unchanged. Check TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE. After a restore, run resync. Cancel the instances that should end.`;
  options.logger.error({ checked, diverged: diverged.count, first: diverged.first }, problem);
  return problem;
}

async function walk(options: ReconcilerOptions, stopping: AbortSignal): Promise<Findings> {
  const findings: Findings = { checked: 0, lost: [], diverged: { count: 0, first: [] } };
  let after = 0;
  while (!stopping.aborted) {
    const page = await runningInstances(options.store, {
      after,
      limit: INSTANCES_PER_PAGE,
      olderThanMilliseconds: YOUNGEST_MS,
    });
    await comparePage(options, page, findings);
    const last = page.at(-1);
    if (!last || page.length < INSTANCES_PER_PAGE) break;
    after = last.number;
    await pause(PAUSE_BETWEEN_PAGES_MS, stopping);
  }
  return findings;
}

async function comparePage(
  { store, client }: ReconcilerOptions,
  page: readonly RunningInstance[],
  findings: Findings,
): Promise<void> {
  const compared = await inGroups(page, async (instance) => ({
    instance,
    workflow: await describe(client, instance.workflowID),
  }));
  findings.checked += page.length;
  // The last step commit precedes the end of the workflow, so an instance that has ended in the meantime is no longer
  // running here.
  const running = await stillRunning(
    store,
    compared.filter(({ workflow }) => workflow?.status.name !== 'RUNNING').map(({ instance }) => instance.workflowID),
  );
  for (const { instance, workflow } of compared) {
    const { workflowID, stepCount } = instance;
    if (!running.has(workflowID)) continue;
    const lost = workflow && lostBy(workflowID, workflow);
    if (lost) findings.lost.push(lost);
    else if (!workflow && stepCount === 0) await offerStartAgain(store, workflowID);
    else if (!workflow || workflow.status.name === 'COMPLETED') setAside(findings, workflowID);
  }
}

function setAside({ diverged }: Findings, workflowID: string): void {
  diverged.count += 1;
  if (diverged.first.length < MAX_NAMED) diverged.first.push(workflowID);
}

/** The lost instance, or undefined when its workflow was not closed from outside. */
function lostBy(workflowID: string, { status, closeTime }: WorkflowExecutionDescription): Lost | undefined {
  if (
    status.name === 'RUNNING' ||
    status.name === 'CONTINUED_AS_NEW' ||
    status.name === 'PAUSED' ||
    status.name === 'COMPLETED'
  )
    return undefined;
  return {
    workflowID,
    reason: `Its workflow was closed from outside: Temporal reports ${status.name}`,
    endedAt: closeTime?.getTime() ?? 0,
  };
}

/** The latest run, or undefined when Temporal has no such workflow. */
async function describe(client: Client, workflowID: string): Promise<WorkflowExecutionDescription | undefined> {
  try {
    return await client.workflow.getHandle(workflowID).describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

async function inGroups<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let first = 0; first < items.length; first += CALLS_AT_ONCE)
    results.push(...(await Promise.all(items.slice(first, first + CALLS_AT_ONCE).map(work))));
  return results;
}

/**
 * Ends lost instances in their rows.
 * @returns why some were left unchanged, or undefined
 */
async function endLost(options: ReconcilerOptions, lost: readonly Lost[]): Promise<string | undefined> {
  if (lost.length === 0) return undefined;
  const { store, logger } = options;
  const due = await failable(options, lost);
  for (const { workflowID, reason } of due) {
    const isLost = async () => (await lostOne(options.client, workflowID)) !== undefined;
    if (await cancelWithoutWorkflow(store, workflowID, isLost))
      logger.info({ workflowID }, 'instance canceled: its workflow was closed from outside before');
    else if (await failInstance(store, workflowID, reason, isLost))
      logger.warn({ workflowID }, `instance failed: ${reason}`);
  }
  if (due.length === lost.length) return undefined;
  const problem = `${lost.length} running instances have a workflow that was closed from outside, for example ${lost[0]!.workflowID}. So many are failed one hour after their workflows closed, provided that Temporal has the newest instances. To keep them, run resync before that. Cancel the instances that should end.`;
  logger.error({ lost: lost.length, left: lost.length - due.length }, problem);
  return problem;
}

/**
 * The lost instances to fail now: all if they are few, otherwise those that were closed long ago by a Temporal that is
 * consistent with Postgres.
 */
async function failable({ store, client }: ReconcilerOptions, lost: readonly Lost[]): Promise<readonly Lost[]> {
  if (lost.length <= ALWAYS_ALLOWED || (await areAtLeastRunning(store, lost.length / ALLOWED_SHARE))) return lost;
  if (!(await isOfThisMoment(store, client))) return [];
  return lost.filter(({ endedAt }) => endedAt < Date.now() - MANY_AFTER_MS);
}

/** Whether Temporal has at least half of the newest instances, which a restored or empty Temporal does not. */
async function isOfThisMoment(store: Database, client: Client): Promise<boolean> {
  const newest = await newestWithSteps(store, { limit: WITNESSES, olderThanMilliseconds: YOUNGEST_MS });
  const workflows = await inGroups(newest, (workflowID) => describe(client, workflowID));
  return (
    2 * workflows.filter((workflow) => workflow !== undefined && workflow.status.name !== 'COMPLETED').length >=
    newest.length
  );
}
