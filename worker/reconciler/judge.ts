/** Judging instances whose workflow is not open: which are lost, and which of these are failed now. */
import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import type { Database } from '../../store/sql/database.js';
import { areAtLeastRunning, newestWithSteps } from '../../store/instances/instances.js';
import { describe, inGroups, YOUNGEST_MS, type Compared } from './find.js';

/** A running instance whose workflow was closed from outside. */
export interface Lost {
  workflowID: string;
  reason: string;
  /** Close time in epoch milliseconds, by Temporal's clock. */
  endedAt: number;
}

/**
 * `start again`: Temporal was never given the instance, or lost it before its first step. `diverged`: one database is older
 * than the other. Undefined if nothing is wrong, such as between two runs of a workflow.
 */
export type Verdict = Lost | 'start again' | 'diverged' | undefined;

/** Up to this number, or this share of the running instances, lost instances are failed at once. */
const MAX_FAILED_AT_ONCE = 5;
const MAX_SHARE_FAILED_AT_ONCE = 0.01;
/** More are failed this long after their workflows closed, so that a terminate by mistake can be undone with resync. */
const MANY_AFTER_MS = 3_600_000;
/** The newest instances show whether Postgres and Temporal are consistent. */
const WITNESSES = 10;

export function judge({ instance, workflow }: Compared): Verdict {
  const { workflowID, awaitsStart } = instance;
  const lost = workflow && lostBy(workflowID, workflow);
  if (lost) return lost;
  if (!workflow) return awaitsStart ? 'start again' : 'diverged';
  return workflow.status.name === 'COMPLETED' ? 'diverged' : undefined;
}

/** The instance if its workflow was closed from outside; resync may have started a new one. */
export async function findLost(client: Client, workflowID: string): Promise<Lost | undefined> {
  const workflow = await describe(client, workflowID);
  return workflow && lostBy(workflowID, workflow);
}

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

/**
 * The lost instances to fail now: all if they are few, otherwise those that were closed long ago by a Temporal that is
 * consistent with Postgres.
 */
export async function failable(store: Database, client: Client, lost: readonly Lost[]): Promise<readonly Lost[]> {
  if (lost.length <= MAX_FAILED_AT_ONCE || (await areAtLeastRunning(store, lost.length / MAX_SHARE_FAILED_AT_ONCE)))
    return lost;
  if (!(await isConsistent(store, client))) return [];
  return lost.filter(({ endedAt }) => endedAt < Date.now() - MANY_AFTER_MS);
}

/** Whether Temporal has at least half of the newest instances, which a restored or empty Temporal does not. */
async function isConsistent(store: Database, client: Client): Promise<boolean> {
  const newest = await newestWithSteps(store, { limit: WITNESSES, olderThanMilliseconds: YOUNGEST_MS });
  const workflows = await inGroups(newest, (workflowID) => describe(client, workflowID));
  return (
    2 * workflows.filter((workflow) => workflow !== undefined && workflow.status.name !== 'COMPLETED').length >=
    newest.length
  );
}
