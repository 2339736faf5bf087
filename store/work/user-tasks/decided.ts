/** Requests to change a user task whose listeners decide about them: commands to the instance. */
import type { TaskChanges, TaskListenerEvent } from '@perdure/engine/contract/facts.js';
import type { Database } from '../../sql/database.js';
import { sql } from '../../sql/builder.js';
import type { Refusal } from '../../sql/refusal.js';
import { indexedText } from '../../sql/text.js';
import type { Request, Submitted } from '../../instances/submit-command.js';
import { eventsOf, type UserTaskUpdate } from './assignment.js';
import { explainRefusal, writeClaim } from './ending.js';
import type { UserTask } from './tasks.js';

/** Whether listeners of the task decide about this change. */
export function isDecided({ decided }: Pick<UserTask, 'decided'>, update: Omit<UserTaskUpdate, 'actor'>): boolean {
  const events: readonly TaskListenerEvent[] = eventsOf(update);
  return events.some((event) => decided?.includes(event));
}

export interface DecidedRequest extends Request {
  number: number;
  update: Omit<UserTaskUpdate, 'actor' | 'reason' | 'expectedAssignee'>;
  /** The assignee that the task must have; null for none. */
  expectedAssignee?: string | null | undefined;
}

/** Writes the request, unless another one claims the task or it has another assignee. */
export async function requestUserTaskChange(
  database: Database,
  { update, ...request }: DecidedRequest,
): Promise<Submitted | Refusal<'NOT_FOUND' | 'CONFLICT' | 'INSTANCE_ENDED' | 'SUSPENDED'>> {
  const { number, expectedAssignee } = request;
  const written = await writeClaim(
    database,
    request,
    { kind: 'CHANGE_USER_TASK', execution: number, changes: changesOf(update) },
    {
      name: 'change user task',
      condition: sql`(NOT ${expectedAssignee !== undefined}::boolean OR t.assignee IS NOT DISTINCT FROM ${expectedAssignee ?? null}::text)`,
    },
  );
  return written ?? explainRefusal(database, request);
}

function changesOf({
  assignee,
  candidateUsers,
  candidateGroups,
  dueDate,
  followUpDate,
  priority,
}: DecidedRequest['update']): TaskChanges {
  return {
    ...(assignee !== undefined && { assignee: assignee === null ? null : indexedText(assignee) }),
    ...(candidateUsers && { candidateUsers }),
    ...(candidateGroups && { candidateGroups }),
    ...(dueDate !== undefined && { dueDate: dueDate?.getTime() ?? null }),
    ...(followUpDate !== undefined && { followUpDate: followUpDate?.getTime() ?? null }),
    ...(priority !== undefined && { priority }),
  };
}
