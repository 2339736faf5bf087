/** Reads what the worker of a task listener decides. */
import type { JobResult, TaskCorrections } from '../../contract/commands.js';
import type { TaskChanges, TaskListenerEvent } from '../../contract/facts.js';
import { readScheduled, type ScheduleMember } from '../waiting/task-schedule.js';
import type { TaskDecision } from './task-listeners.js';

/** @returns the decision, or why it cannot be followed */
export function readDecision(event: TaskListenerEvent, result: JobResult, now: number): TaskDecision | string {
  const { denied, deniedReason, corrections, ...others } = result;
  const [other] = Object.entries(others).flatMap(([member, value]) => (value === undefined ? [] : [member]));
  if (other !== undefined) return `${other} is of the job of an ad-hoc sub-process, not of a task listener`;
  if (deniedReason !== undefined && denied !== true) return 'deniedReason needs denied: true';
  if (denied === true) {
    if (event === 'creating' || event === 'canceling')
      return `a listener of the event ${event} cannot deny it; complete the job without denied`;
    if (corrections && Object.values(corrections).some((value) => value !== undefined && value !== null))
      return 'a denied request takes no corrections; leave one of them out';
    return { denied: true, ...(deniedReason !== undefined && { reason: deniedReason }) };
  }
  const changes = readCorrections(corrections ?? {}, now);
  return typeof changes === 'string' ? changes : { denied: false, changes };
}

const SCHEDULED: readonly ScheduleMember[] = ['dueDate', 'followUpDate', 'priority'];

function readCorrections(corrections: TaskCorrections, now: number): TaskChanges | string {
  const { assignee, candidateUsers, candidateGroups } = corrections;
  const changes: TaskChanges = {
    ...(typeof assignee === 'string' && { assignee: assignee === '' ? null : assignee }),
    ...(candidateUsers && { candidateUsers }),
    ...(candidateGroups && { candidateGroups }),
  };
  for (const member of SCHEDULED) {
    const given = corrections[member];
    if (given === undefined || given === null) continue;
    if (given === '' && member !== 'priority') {
      changes[member] = null;
      continue;
    }
    const read = readScheduled(member, given, now);
    if (typeof read === 'string') return `the ${read}`;
    changes[member] = read;
  }
  return changes;
}
