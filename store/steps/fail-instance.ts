/**
 * Ends an instance that can never continue: its workflow was closed from outside, cannot be started, or does not exist
 * when the instance should be canceled. Records what the engine would have recorded, as one more step commit, so that
 * rows, replay and history agree.
 */
import type { CommandOutcome } from '@perdure/engine/contract/commands.js';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { StepCommit } from '@perdure/engine/contract/step-commit.js';
import type { State, Wait, WaitKind } from '@perdure/engine/state/state.js';
import { commandKind } from '../instances/commands.js';
import { firstRow, type Database, type Transaction } from '../sql/database.js';
import { isPermanent } from '../sql/permanence.js';
import { lockWithAncestors } from '../instances/locks.js';
import { writeLocked } from './step-commit.js';
import { project } from './project.js';
import { stateAt } from './replay.js';

/**
 * Asks Temporal, while the instance is locked and can commit nothing, whether its workflow is still missing. A workflow that
 * has started since it was missed would otherwise wait forever: its instance has ended, and nothing signals it. One that
 * starts afterwards learns from its first commit that the instance has ended.
 */
export type ConfirmMissing = () => Promise<boolean>;

/**
 * Writes the end of an instance as failed.
 * @param isMissing omitted if the workflow cannot start
 * @returns false if the instance has already ended, does not exist, or has a workflow: then nothing is written
 */
export async function failInstance(
  database: Database,
  workflowID: string,
  reason: string,
  isMissing?: ConfirmMissing,
): Promise<boolean> {
  const failing: EndingOf = async (_transaction, state) => ({
    lastCommand: state.lastCommand,
    facts: closingFacts(state, reason, { kind: 'INSTANCE_FAILED', reason }),
    outcomes: [],
  });
  return endInstance(database, workflowID, failing, isMissing);
}

/**
 * Applies the pending cancel of an instance without a workflow. Earlier pending commands are rejected.
 * @param isMissing omitted if the workflow itself asks for its end
 * @returns false if no cancel is pending, the instance has ended, or it has a workflow: then nothing is written
 */
export async function cancelWithoutWorkflow(
  database: Database,
  workflowID: string,
  isMissing?: ConfirmMissing,
): Promise<boolean> {
  try {
    return await endInstance(
      database,
      workflowID,
      canceling(workflowID, (given) => given ?? CANCELED),
      isMissing,
    );
  } catch (error) {
    // The reason is the only text that a cancel adds.
    if (!isPermanent(error)) throw error;
    return endInstance(
      database,
      workflowID,
      canceling(workflowID, () => CANCELED),
      isMissing,
    );
  }
}

function canceling(workflowID: string, reasonFor: (given: string | null) => string): EndingOf {
  return async (transaction, state) => {
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
  };
}

/** The engine's reason for a cancel without one. */
const CANCELED = 'the instance was canceled';

interface Ending {
  lastCommand: number;
  facts: Fact[];
  outcomes: CommandOutcome[];
}

/** Undefined to write nothing. */
type EndingOf = (transaction: Transaction, state: State) => Promise<Ending | undefined>;

async function endInstance(
  database: Database,
  workflowID: string,
  endingOf: EndingOf,
  isMissing: ConfirmMissing | undefined,
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const locked = await lockWithAncestors(transaction, workflowID);
    if (locked?.instance.status !== 'RUNNING') return false;
    const ending = await endingOf(transaction, (await stateAt(transaction, workflowID)).state);
    if (!ending || (await isMissing?.()) === false) return false;
    const { lastCommand, facts, outcomes } = ending;
    const inputs = { now: await databaseTime(transaction), lastCommand, endedElsewhere: true as const };
    const number = locked.instance.stepCount + 1;
    const commit: StepCommit = {
      workflowID,
      number,
      inputs,
      facts,
      outcomes,
      ...(number === 2 && { endsStart: true }),
    };
    await writeLocked(transaction, commit, project(facts), locked.instance, locked.ancestors);
    return true;
  });
}

/** The first cancel without an outcome. */
async function pendingCancel(
  transaction: Transaction,
  workflowID: string,
): Promise<{ number: number; reason: string | null } | undefined> {
  return firstRow(
    transaction,
    `SELECT number, reason FROM commands
     WHERE workflow_id = $1 AND status = 'PENDING' AND ${commandKind('left(body::text, 64)')} = 'CANCEL_INSTANCE'
     ORDER BY number LIMIT 1`,
    [workflowID],
  );
}

async function databaseTime(transaction: Transaction): Promise<number> {
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
