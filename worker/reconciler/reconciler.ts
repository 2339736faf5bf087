/**
 * Compares running instances with their workflows in Temporal, and repairs or fails them.
 *
 * Two chores do this. One lists, every few seconds, the workflows that were closed from outside. The other walks over
 * all running instances at a low rate, because no list shows a workflow that is missing.
 *
 * Only instances whose workflow Temporal reports as closed from outside are failed. An instance has diverged when its
 * workflow is missing, or has completed while the row says RUNNING: one database is then older than the other (ADR 37).
 * Diverged instances are reported and left unchanged, and all others are repaired (ADR 54).
 */
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { pause, repeat, type Chore } from '../../background/chore.js';
import type { PooledDatabase } from '../../store/connections/pooled-database.js';
import { offerStartAgain } from '../../store/instances/outbox.js';
import { alone } from '../chores/alone.js';
import { closedSince, comparePage, inGroups } from './find.js';
import { findLost, judge, type Lost } from './judge.js';
import { endLost } from './repair.js';

export interface ReconcilerOptions {
  store: PooledDatabase;
  client: Client;
  /** The task queue of the host: other workflows of the namespace are not Perdure's. */
  taskQueue: string;
  logger: Logger;
  /** Called after each walk with the number of diverged instances. */
  onDiverged?(count: number): void;
}

export interface Reconciler {
  chores: Chore[];
  /** A problem that requires an operator, or undefined. */
  problem(): string | undefined;
}

/** The findings of the walk so far. */
interface Findings {
  checked: number;
  lost: Lost[];
  /** The number of diverged instances, and the ids of the first ones. */
  diverged: { count: number; first: string[] };
}

const LIST_EVERY_MS = 10_000;
const WALK_EVERY_MS = 60_000;
const FIRST_RUN_AFTER_MS = 10_000;
/** Leaves Temporal's frontend, by default 2,400 requests a second, to the instances. */
const PAUSE_BETWEEN_PAGES_MS = 1_000;
/** Covers the delay of Temporal's visibility store and the difference between clocks. */
const LISTED_WITHIN_MS = 300_000;
/** How far back the first list reaches. The walk finds older ones. */
const FIRST_LOOK_BACK_MS = 3_600_000;
const MAX_NAMED = 10;
/** Advisory locks, unique in this database: one process at a time runs each chore. */
const WALK_LOCK = 7_303_015;
const LIST_LOCK = 7_303_016;

export function createReconciler(options: ReconcilerOptions): Reconciler {
  const closed = closedWorkflows(options);
  const missing = missingWorkflows(options);
  return { chores: [closed.chore, missing.chore], problem: () => missing.problem() ?? closed.problem() };
}

interface Comparison {
  chore: Chore;
  problem(): string | undefined;
}

/** Fails the running instances whose workflows were closed since the last run that left none. */
function closedWorkflows(options: ReconcilerOptions): Comparison {
  let problem: string | undefined;
  let since = Date.now() - FIRST_LOOK_BACK_MS;
  const run: Chore['run'] = async ({ stopping }) => {
    const now = Date.now();
    const lost = new Map<string, Lost>();
    for await (const workflowIDs of closedSince(options, since, stopping))
      for (const found of await inGroups(workflowIDs, (workflowID) => findLost(options.client, workflowID)))
        if (found) lost.set(found.workflowID, found);
    if (stopping.aborted) return 'more';
    problem = await endLost(options, [...lost.values()]);
    // Lost instances that are not yet due must be listed again.
    if (problem === undefined) since = now - LISTED_WITHIN_MS;
    return 'done';
  };
  return {
    chore: chore('closed_workflows', LIST_EVERY_MS, (turn) =>
      alone(
        options.store,
        LIST_LOCK,
        () => run(turn),
        () => (problem = undefined),
      ),
    ),
    problem: () => problem,
  };
}

/** Walks over all running instances, as many pages per run as its share of time allows. */
function missingWorkflows(options: ReconcilerOptions): Comparison {
  let problem: string | undefined;
  let after = 0;
  let findings = noFindings();
  const run: Chore['run'] = async (turn) => {
    const result = await repeat(turn, async () => {
      const last = await walkPage(options, after, findings);
      if (last === undefined) return false;
      after = last;
      await pause(PAUSE_BETWEEN_PAGES_MS, turn.stopping);
      return true;
    });
    if (result === 'more') return 'more';
    const all = findings;
    after = 0;
    findings = noFindings();
    problem = await report(options, all);
    return 'done';
  };
  return {
    chore: chore('missing_workflows', WALK_EVERY_MS, (turn) =>
      alone(
        options.store,
        WALK_LOCK,
        () => run(turn),
        () => (problem = undefined),
      ),
    ),
    problem: () => problem,
  };
}

function chore(name: string, every: number, run: Chore['run']): Chore {
  // Temporal may respond slowly.
  return { name, every, after: FIRST_RUN_AFTER_MS, prompt: true, run };
}

function noFindings(): Findings {
  return { checked: 0, lost: [], diverged: { count: 0, first: [] } };
}

/** @returns the number of the last instance of the page; undefined after the last page */
async function walkPage(
  { store, client }: ReconcilerOptions,
  after: number,
  findings: Findings,
): Promise<number | undefined> {
  const { checked, found, last } = await comparePage(store, client, after);
  findings.checked += checked;
  for (const compared of found) {
    const { workflowID } = compared.instance;
    const verdict = judge(compared);
    if (verdict === 'start again') await offerStartAgain(store, workflowID);
    else if (verdict === 'diverged') setAside(findings, workflowID);
    else if (verdict) findings.lost.push(verdict);
  }
  return last;
}

function setAside({ diverged }: Findings, workflowID: string): void {
  diverged.count += 1;
  if (diverged.first.length < MAX_NAMED) diverged.first.push(workflowID);
}

/** @returns a problem that requires an operator, or undefined */
async function report(options: ReconcilerOptions, { checked, lost, diverged }: Findings): Promise<string | undefined> {
  options.onDiverged?.(diverged.count);
  const left = await endLost(options, lost);
  if (diverged.count === 0) return left;
  const named = diverged.first.join(', ') + (diverged.count > diverged.first.length ? ', ...' : '');
  const problem = `${diverged.count} of ${checked} running instances have no open workflow in Temporal: ${named}. They are left unchanged. Check TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE. After a restore, run resync. Cancel the instances that should end.`;
  options.logger.error({ checked, diverged: diverged.count, first: diverged.first }, problem);
  return problem;
}
