/** One change of rows in the statement of a step commit, other than those of the commit and the instance. */
import { Parameter, type Sql } from '../../sql/builder.js';
import type { StepCommit } from '@perdure/engine/contract/step-commit.js';
import type { StepChanges } from '../project.js';

/** A part is named as its common table expression. Their order here is of no importance. */
export const partNames = [
  'start_done',
  'outcomes',
  'jobs_released',
  'user_tasks_released',
  'incidents_released',
  'jobs_created',
  'listener_jobs_created',
  'jobs_ended',
  'user_tasks_created',
  'user_tasks_changed',
  'user_tasks_ended',
  'user_tasks_corrected',
  'incidents_raised',
  'incidents_ended',
  'subscriptions_opened',
  'subscriptions_closed',
  'messages_taken',
  'messages_ended',
  'messages_released',
  'signals_released',
  'signals_uncounted',
  'signals_due_again',
  'published',
  'jobs_renamed',
  'user_tasks_renamed',
  'subscriptions_renamed',
  'incidents_migrated',
  'commands_deferred',
  'far_steps',
  'events',
  'command_written',
  'job_claimed',
] as const;

/** A part reads the instance from `writable`, which has no row if the step is not written. */
export interface Part {
  name: (typeof partNames)[number];
  sql: Sql;
}

/** Values of a step commit that several parts use. */
export interface StepParameters {
  workflowID: Parameter;
  number: Parameter;
  /** The time of the step, epoch milliseconds. */
  now: Parameter;
  /** Number of the last command that the step has handled. */
  lastCommand: Parameter;
  /** The version that the instance migrates to, or null. */
  newDefinitionID: Parameter;
}

export function stepParameters({ workflowID, number, inputs }: StepCommit, { migration }: StepChanges): StepParameters {
  return {
    workflowID: new Parameter(workflowID),
    number: new Parameter(number),
    now: new Parameter(inputs.now),
    lastCommand: new Parameter(inputs.lastCommand),
    newDefinitionID: new Parameter(migration?.definitionID ?? null),
  };
}

/** Ends of existing rows; rows created and ended in one step are inserted with their end. */
export function endedBefore<End>(ends: Map<number, End>, created: Map<number, unknown>): [number, End][] {
  return [...ends].filter(([number]) => !created.has(number));
}

/** Numbers of the commands that the step rejects. */
export function rejectedCommands({ outcomes }: StepCommit): number[] {
  return outcomes.filter(({ status }) => status === 'REJECTED').map(({ number }) => number);
}
