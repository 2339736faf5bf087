/**
 * What may be asked of an instance. Every command but a due timer is a row of the store first, numbered per
 * instance, and reaches the engine in the order of these numbers.
 */
import type { Variables } from './json.js';

/** `execution` is the number of the job, user task, child or subscription in its instance (a wait's id). */
export type CommandBody =
  | { kind: 'COMPLETE_JOB'; execution: number; variables?: Variables }
  | { kind: 'THROW_JOB_ERROR'; execution: number; errorCode: string; message?: string; variables?: Variables }
  | { kind: 'COMPLETE_USER_TASK'; execution: number; variables?: Variables }
  | { kind: 'THROW_USER_TASK_ERROR'; execution: number; errorCode: string; variables?: Variables }
  | { kind: 'RESOLVE_INCIDENT'; incident: number; variables?: Variables }
  | { kind: 'SET_VARIABLES'; variables: Variables }
  | { kind: 'CANCEL_INSTANCE' }
  | { kind: 'END_CHILD'; execution: number; outcome: ChildOutcome };

export type ChildOutcome =
  | { status: 'COMPLETED'; variables: Variables }
  | { status: 'ERROR'; errorCode: string; message?: string; variables?: Variables }
  | { status: 'CANCELED'; reason?: string }
  | { status: 'REFUSED'; message: string };

/** A command as it travels: numbered, and with who asked for it. */
export type Command = CommandBody & { number: number; actor?: string; reason?: string };
export type CommandKind = CommandBody['kind'];

/** How a command ended. A rejection is not an error of the engine: the command came too late or does not apply. */
export interface CommandOutcome {
  number: number;
  status: 'APPLIED' | 'REJECTED';
  code?: 'NOT_FOUND' | 'CONFLICT' | 'INSTANCE_ENDED' | 'BAD_REQUEST';
  message?: string;
}

/** How an instance begins: input of its first step. */
export interface StartInput {
  variables: Variables;
  /** Start event to begin at; the process's none start event when absent. */
  startNode?: string;
  caller?: { workflowID: string; wait: number };
  caughtErrors?: string[];
  depth?: number;
}
