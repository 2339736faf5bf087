/** Recorded inputs as the candidate receives them, with its own numbers. */
import type { CommandBody } from '@perdure/engine/contract/commands.js';
import { equalJson } from '@perdure/engine/contract/json.js';
import type { DecisionRequest } from '@perdure/engine/decisions.js';
import type { State } from '@perdure/engine/state/state.js';
import type { Asked } from './past.js';
import type { RecordedCommand } from '../recording.js';
import type { Stop, Trouble } from '../trail.js';

type Body = CommandBody & { actor?: string; reason?: string };

/**
 * The command for what the candidate asked; undefined if it no longer waits for it.
 * @param to the stop or incident of the candidate; none for commands to the instance
 */
export function bodyFor(command: RecordedCommand, to: Stop | Trouble | undefined, state: State): Body | undefined {
  const { number: _number, status: _status, claim: _claim, traceContext: _context, ...body } = command;
  if (!to) return body;
  if (command.kind === 'RESOLVE_INCIDENT')
    return state.incidents[to.id] && { ...body, kind: command.kind, incident: to.id };
  if (!state.waits[to.id]) return undefined;
  const { id, node } = to;
  if (command.kind === 'UPDATE_TIMER') return { ...body, kind: command.kind, due: command.due, timer: id, node };
  if (command.kind === 'FIRE_TIMER') return { ...body, kind: command.kind, timer: id, node };
  const isTask = 'isTask' in to && to.isTask === true;
  switch (command.kind) {
    case 'COMPLETE_JOB':
    case 'COMPLETE_USER_TASK':
      return { ...body, kind: isTask ? 'COMPLETE_USER_TASK' : 'COMPLETE_JOB', execution: id };
    case 'THROW_JOB_ERROR':
    case 'THROW_USER_TASK_ERROR':
      return {
        ...body,
        kind: isTask ? 'THROW_USER_TASK_ERROR' : 'THROW_JOB_ERROR',
        errorCode: command.errorCode,
        execution: id,
      };
    default:
      return { ...body, execution: id } as Body;
  }
}

export function isSameQuestion({ decisionID, variables }: DecisionRequest, asked: Asked | undefined): boolean {
  return asked !== undefined && asked.decisionID === decisionID && equalJson(asked.variables, variables);
}
