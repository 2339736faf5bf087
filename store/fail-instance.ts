/**
 * Ends an instance that can never go on: its workflow was ended from outside, or cannot be started. What the engine
 * would have recorded is recorded here, as one more park, so that rows, replay and history agree.
 */
import type { Pool, PoolClient } from 'pg';
import type { Fact } from '../engine/facts.js';
import type { Park } from '../engine/park.js';
import type { State, Wait, WaitKind } from '../engine/state.js';
import { announce } from './announcements.js';
import { firstRow, inTransaction } from './database.js';
import { lockWithAncestors } from './locks.js';
import { writeLocked } from './park.js';
import { project } from './project.js';
import { stateAt } from './replay.js';

/**
 * Writes the end. The instance's own workflow must not run any more.
 * @returns false when the instance has ended before or does not exist: then nothing is written
 */
export async function failInstance(pool: Pool, workflowID: string, reason: string): Promise<boolean> {
  const announcements = await inTransaction(pool, async (transaction) => {
    const locked = await lockWithAncestors(transaction, workflowID);
    if (locked?.instance.status !== 'RUNNING') return undefined;
    const park = await lastPark(transaction, workflowID, locked.instance.parkCount + 1, reason);
    return writeLocked(transaction, park, project(park.facts), locked.instance, locked.ancestors);
  });
  announce(pool, announcements ?? []);
  return announcements !== undefined;
}

async function lastPark(transaction: PoolClient, workflowID: string, number: number, reason: string): Promise<Park> {
  const { state } = await stateAt(transaction, workflowID);
  return {
    workflowID,
    number,
    inputs: { now: await databaseTime(transaction), lastCommand: state.lastCommand, endedElsewhere: true },
    facts: closingFacts(state, reason),
    outcomes: [],
  };
}

async function databaseTime(transaction: PoolClient): Promise<number> {
  const row = await firstRow<{ now: number }>(transaction, 'SELECT floor(extract(epoch FROM now()) * 1000)::float8 AS now', []);
  return row!.now;
}

/** Waits, incidents and element instances end from the inside out, what a pause has deferred is rejected, the instance ends last. */
function closingFacts(state: State, reason: string): Fact[] {
  const elements = Object.values(state.elements).reverse();
  return [
    ...Object.values(state.waits).map((wait) => closingFact(wait, reason)),
    ...Object.values(state.incidents).map(({ id }): Fact => ({ kind: 'INCIDENT_WITHDRAWN', incident: id })),
    ...elements.map(({ id }): Fact => ({ kind: 'ELEMENT_CANCELED', element: id })),
    ...(state.deferred ?? []).map(({ number }): Fact => ({ kind: 'COMMAND_HANDLED', number })),
    { kind: 'INSTANCE_FAILED', reason },
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
