/**
 * Ends an instance that can never continue: its workflow was closed from outside, cannot be started, or does not exist
 * when the instance should be canceled. Records what the engine would have recorded, as one more step commit, so that
 * rows, replay and history agree.
 */
import type { Pool, PoolClient } from 'pg';
import type { CommandOutcome } from '@perdure/engine/contract/commands.js';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { StepCommit } from '@perdure/engine/contract/step-commit.js';
import type { State, Wait, WaitKind } from '@perdure/engine/state/state.js';
import { announce } from '../sql/announcements.js';
import { commandKind } from '../instances/commands.js';
import { firstRow, inTransaction } from '../sql/database.js';
import { isPermanent } from '../sql/permanence.js';
import { lockWithAncestors } from '../instances/locks.js';
import { writeLocked } from './step-commit.js';
import { project } from './project.js';
import { stateAt } from './replay.js';

/**
 * Writes the end of an instance as failed. The instance's workflow must no longer be running.
 * @returns false if the instance has already ended or does not exist: then nothing is written
 */
export async function failInstance(pool: Pool, workflowID: string, reason: string): Promise<boolean> {
  return endInstance(pool, workflowID, async (_transaction, state) => ({
    lastCommand: state.lastCommand,
    facts: closingFacts(state, reason, { kind: 'INSTANCE_FAILED', reason }),
    outcomes: [],
  }));
}

/**
 * Applies the pending cancel of an instance without a workflow. Earlier pending commands are rejected.
 * @returns false if no cancel is pending or the instance has ended: then nothing is written
 */
export async function cancelWithoutWorkflow(pool: Pool, workflowID: string): Promise<boolean> {
  try {
    return await cancelFor(pool, workflowID, (given) => given ?? CANCELED);
  } catch (error) {
    // The reason is the only text that a cancel adds.
    if (!isPermanent(error)) throw error;
    return cancelFor(pool, workflowID, () => CANCELED);
  }
}

async function cancelFor(
  pool: Pool,
  workflowID: string,
  reasonFor: (given: string | null) => string,
): Promise<boolean> {
  return endInstance(pool, workflowID, async (transaction, state) => {
    const cancel = await pendingCancel(transaction, workflowID);
    if (!cancel) return undefined;
    const reason = reasonFor(cancel.reason);
    const handled = Array.from({ length: cancel.number - state.lastCommand }, (_, index): Fact => ({
      kind: 'COMMAND_HANDLED',
      number: state.lastCommand + index + 1,
    }));
    return {
      lastCommand: cancel.number,
      facts: [...handled, ...closingFacts(state, reason, { kind: 'INSTANCE_CANCELED', reason })],
      outcomes: [{ number: cancel.number, status: 'APPLIED' }],
    };
  });
}

/** The engine's reason for a cancel without one. */
const CANCELED = 'the instance was canceled';

interface Ending {
  lastCommand: number;
  facts: Fact[];
  outcomes: CommandOutcome[];
}

/** @param endingOf returns undefined to write nothing */
async function endInstance(
  pool: Pool,
  workflowID: string,
  endingOf: (transaction: PoolClient, state: State) => Promise<Ending | undefined>,
): Promise<boolean> {
  const announcements = await inTransaction(pool, async (transaction) => {
    const locked = await lockWithAncestors(transaction, workflowID);
    if (locked?.instance.status !== 'RUNNING') return undefined;
    const ending = await endingOf(transaction, (await stateAt(transaction, workflowID)).state);
    if (!ending) return undefined;
    const { lastCommand, facts, outcomes } = ending;
    const inputs = { now: await databaseTime(transaction), lastCommand, endedElsewhere: true as const };
    const commit: StepCommit = { workflowID, number: locked.instance.stepCount + 1, inputs, facts, outcomes };
    return writeLocked(transaction, commit, project(facts), locked.instance, locked.ancestors);
  });
  announce(pool, announcements ?? []);
  return announcements !== undefined;
}

/** The first cancel without an outcome. */
async function pendingCancel(
  transaction: PoolClient,
  workflowID: string,
): Promise<{ number: number; reason: string | null } | undefined> {
  return firstRow(
    transaction,
    `SELECT number, reason FROM commands WHERE workflow_id = $1 AND status = 'PENDING' AND ${commandKind('left(body::text, 64)')} = 'CANCEL_INSTANCE' ORDER BY number LIMIT 1`,
    [workflowID],
  );
}

async function databaseTime(transaction: PoolClient): Promise<number> {
  const row = await firstRow<{ now: number }>(
    transaction,
    'SELECT floor(extract(epoch FROM now()) * 1000)::float8 AS now',
    [],
  );
  return row!.now;
}

/**
 * Waits, incidents and element instances end from the inside out; deferred commands are rejected; the instance ends
 * last.
 */
function closingFacts(state: State, reason: string, end: Fact): Fact[] {
  const elements = Object.values(state.elements).reverse();
  return [
    ...Object.values(state.waits).map((wait) => closingFact(wait, reason)),
    ...Object.values(state.incidents).map(({ id }): Fact => ({ kind: 'INCIDENT_WITHDRAWN', incident: id })),
    ...elements.map(({ id }): Fact => ({ kind: 'ELEMENT_CANCELED', element: id })),
    ...(state.deferred ?? []).map(({ number }): Fact => ({ kind: 'COMMAND_HANDLED', number })),
    end,
  ];
}

const closers: { [K in WaitKind]: (wait: Extract<Wait, { kind: K }>, reason: string) => Fact } = {
  job: ({ id }, reason) => ({ kind: 'JOB_CANCELED', job: id, reason }),
  userTask: ({ id }, reason) => ({ kind: 'USER_TASK_CANCELED', task: id, reason }),
  timer: ({ id }) => ({ kind: 'TIMER_CANCELED', timer: id }),
  child: ({ id, workflowID }) => ({ kind: 'CHILD_CANCELED', child: id, workflowID }),
  subscription: ({ id }) => ({ kind: 'SUBSCRIPTION_CLOSED', subscription: id, reason: 'CANCELED' }),
  condition: ({ id }) => ({ kind: 'CONDITION_CLOSED', condition: id }),
  decision: ({ id }) => ({ kind: 'DECISION_CANCELED', decision: id }),
};

function closingFact(wait: Wait, reason: string): Fact {
  return (closers[wait.kind] as (wait: Wait, reason: string) => Fact)(wait, reason);
}
