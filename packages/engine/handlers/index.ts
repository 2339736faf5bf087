/** The registry of commands. A missing kind does not compile. */
import type { Command, CommandKind } from '../contract/commands.js';
import type { Run } from '../run.js';
import type { State } from '../state/state.js';
import { setAdHocVariables, triggerAdHoc } from './ad-hoc.js';
import { endChild, escalateChild } from './children.js';
import { rejected, type HELD, type HoldingHandler, type Verdict } from './handler.js';
import { resolveIncident } from './incidents.js';
import { cancelInstance, setVariables } from './instance.js';
import { completeJob, throwJobError } from './jobs.js';
import { migrate } from './migrate.js';
import { modify } from './modify.js';
import { correlateMessage, deliverSignal } from './publications.js';
import { fireTimer, fireTimers, updateTimer } from './timers.js';
import { changeUserTask, completeUserTask, throwUserTaskError } from './user-tasks.js';

const handlers: { [K in CommandKind]: HoldingHandler<K> } = {
  COMPLETE_JOB: completeJob,
  THROW_JOB_ERROR: throwJobError,
  COMPLETE_USER_TASK: completeUserTask,
  CHANGE_USER_TASK: changeUserTask,
  THROW_USER_TASK_ERROR: throwUserTaskError,
  RESOLVE_INCIDENT: resolveIncident,
  SET_VARIABLES: setVariables,
  CANCEL_INSTANCE: cancelInstance,
  END_CHILD: endChild,
  ESCALATE_CHILD: escalateChild,
  CORRELATE_MESSAGE: correlateMessage,
  DELIVER_SIGNAL: deliverSignal,
  TRIGGER_AD_HOC: triggerAdHoc,
  SET_AD_HOC_VARIABLES: setAdHocVariables,
  UPDATE_TIMER: updateTimer,
  FIRE_TIMER: fireTimer,
  FIRE_TIMERS: fireTimers,
  MODIFY: modify,
  MIGRATE: migrate,
};

/**
 * Handling of a command while the instance is paused: applied at once as far as nothing moves, or deferred until
 * resume.
 */
const duringPause: { [K in CommandKind]: 'DONE' | 'DEFERRED' } = {
  COMPLETE_JOB: 'DEFERRED',
  THROW_JOB_ERROR: 'DEFERRED',
  COMPLETE_USER_TASK: 'DEFERRED',
  CHANGE_USER_TASK: 'DEFERRED',
  THROW_USER_TASK_ERROR: 'DEFERRED',
  RESOLVE_INCIDENT: 'DONE',
  SET_VARIABLES: 'DONE',
  CANCEL_INSTANCE: 'DONE',
  END_CHILD: 'DEFERRED',
  ESCALATE_CHILD: 'DEFERRED',
  CORRELATE_MESSAGE: 'DEFERRED',
  DELIVER_SIGNAL: 'DEFERRED',
  TRIGGER_AD_HOC: 'DEFERRED',
  SET_AD_HOC_VARIABLES: 'DONE',
  UPDATE_TIMER: 'DONE',
  FIRE_TIMER: 'DONE',
  FIRE_TIMERS: 'DONE',
  MODIFY: 'DONE',
  MIGRATE: 'DONE',
};

/** Kinds of commands that are deferred until resume if they arrive while the instance is paused. */
export const deferredKinds = (Object.keys(duringPause) as CommandKind[]).filter(isDeferredByPause);

/** Whether a command that arrives while the instance is paused is deferred until resume. */
export function isDeferredByPause(kind: CommandKind): boolean {
  return duringPause[kind] === 'DEFERRED';
}

/** Applies `command`, or returns the reason for rejecting it. */
export function handle(run: Run, command: Command): Verdict | typeof HELD {
  if (run.state.status !== 'RUNNING') return endedVerdict(run.state);
  return (handlers[command.kind] as HoldingHandler<CommandKind>)(run, command);
}

export function endedVerdict({ status }: State): Verdict {
  return rejected('INSTANCE_ENDED', `The instance has already ended with status ${status}`);
}
