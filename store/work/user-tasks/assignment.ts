/**
 * Claiming, releasing, and updating open user tasks. Each is one statement that compares and sets. A request that listeners
 * decide about is a command to the instance instead (`decided.ts`).
 */
import type { TaskListenerEvent } from '@perdure/engine/contract/facts.js';
import { insertTaskEvents } from '../../events/of-task.js';
import { rows, type Database } from '../../sql/database.js';
import { refused, type Refusal } from '../../sql/refusal.js';
import { indexedText } from '../../sql/text.js';
import {
  findUserTask,
  isOpen,
  isTask,
  keyValues,
  noSuchTask,
  refusedByStatus,
  type UserTask,
  type UserTaskKey,
} from './tasks.js';

/** `unchanged`: the requested state was in effect before. */
export interface ChangedTask {
  kind: 'changed' | 'unchanged';
  task: UserTask;
}

export type AssignmentRefusal = Refusal<'NOT_FOUND' | 'CONFLICT'>;

/** Given members are replaced; null removes a value. */
export interface UserTaskUpdate {
  assignee?: string | null | undefined;
  candidateUsers?: string[] | undefined;
  candidateGroups?: string[] | undefined;
  dueDate?: Date | null | undefined;
  followUpDate?: Date | null | undefined;
  priority?: number | undefined;
  /** The assignee that the task must have; null for none. */
  expectedAssignee?: string | null | undefined;
  actor: string;
  reason?: string | undefined;
}

/** Makes the caller the assignee of a task without an assignee. A claim of the assignee changes nothing. */
export async function claimUserTask(
  database: Database,
  key: UserTaskKey,
  claimant: string,
): Promise<ChangedTask | AssignmentRefusal> {
  const claimed = await change(
    database,
    key,
    {
      set: 'assignee = $4, assigned_at = now(), assigned_by = $4, first_assigned_at = coalesce(first_assigned_at, now())',
      where: `assignee IS NULL AND ${isUndecided(['assigning'])}`,
      values: [],
    },
    { actor: indexedText(claimant) },
  );
  return afterwards(database, key, claimed, ({ assignee }) => assignee === indexedText(claimant), 'is taken');
}

/** Removes the assignee. Anyone but the assignee needs `byForce`. */
export async function unclaimUserTask(
  database: Database,
  key: UserTaskKey,
  { actor, byForce }: { actor: string; byForce: boolean },
): Promise<ChangedTask | AssignmentRefusal> {
  const released = await change(
    database,
    key,
    {
      set: 'assignee = NULL, assigned_at = NULL, assigned_by = NULL',
      where: `assignee IS NOT NULL AND ($6::boolean OR assignee = $4) AND ${isUndecided(['assigning'])}`,
      values: [byForce],
    },
    { actor },
  );
  return afterwards(database, key, released, ({ assignee }) => assignee === null, 'is assigned to someone else');
}

/** Updates an open task whose assignee is the expected one. */
export async function updateUserTask(
  database: Database,
  key: UserTaskKey,
  update: UserTaskUpdate,
): Promise<ChangedTask | AssignmentRefusal> {
  const { assignee, candidateUsers, candidateGroups, dueDate, followUpDate, priority, expectedAssignee } = update;
  const updated = await change(
    database,
    key,
    {
      set: `
        assigned_at = ${unlessReassigned('assigned_at', 'now()')}, assigned_by = ${unlessReassigned('assigned_by', '$4')},
        first_assigned_at = CASE WHEN $7::text IS NULL THEN first_assigned_at ELSE coalesce(first_assigned_at, now()) END,
        assignee = CASE WHEN $6 THEN $7 ELSE assignee END,
        candidate_users = coalesce($8::text[], candidate_users), candidate_groups = coalesce($9::text[], candidate_groups),
        due_date = CASE WHEN $10 THEN $11::timestamptz ELSE due_date END, overdue_reported = overdue_reported AND NOT $10::boolean,
        follow_up_date = CASE WHEN $12 THEN $13::timestamptz ELSE follow_up_date END, priority = coalesce($14::integer, priority)`,
      where: `(NOT $15::boolean OR assignee IS NOT DISTINCT FROM $16::text) AND ${isUndecided(eventsOf(update))}`,
      values: [
        ...optionalValue(assignee && indexedText(assignee)),
        candidateUsers?.map(indexedText) ?? null,
        candidateGroups?.map(indexedText) ?? null,
        ...optionalValue(dueDate),
        ...optionalValue(followUpDate),
        priority ?? null,
        ...optionalValue(expectedAssignee),
      ],
    },
    update,
  );
  return afterwards(database, key, updated, () => false, 'is not assigned to the expected person');
}

/** SQL: the old value if the assignee stays the same; null without an assignee. `$6` and `$7` are the new assignee. */
function unlessReassigned(column: string, value: string): string {
  return `CASE WHEN NOT $6::boolean OR assignee IS NOT DISTINCT FROM $7::text THEN ${column} WHEN $7::text IS NOT NULL THEN ${value} END`;
}

/** Whether a value is given, and the value. */
function optionalValue(value: unknown): [boolean, unknown] {
  return [value !== undefined, value ?? null];
}

/** The events whose listeners decide about an update. */
export function eventsOf({
  assignee,
  ...others
}: Pick<
  UserTaskUpdate,
  'assignee' | 'candidateUsers' | 'candidateGroups' | 'dueDate' | 'followUpDate' | 'priority'
>): TaskListenerEvent[] {
  const { candidateUsers, candidateGroups, dueDate, followUpDate, priority } = others;
  const changesMore = [candidateUsers, candidateGroups, dueDate, followUpDate, priority].some(
    (value) => value !== undefined,
  );
  return [...(assignee === undefined ? [] : ['assigning' as const]), ...(changesMore ? ['updating' as const] : [])];
}

/** SQL: whether no listener decides about these events of the task. */
function isUndecided(events: readonly TaskListenerEvent[]): string {
  if (events.length === 0) return 'true';
  return `(decided IS NULL OR NOT decided && '{${events.join()}}'::text[])`;
}

interface Change {
  set: string;
  /** A further condition on the open task. */
  where: string;
  /** From `$6` on: `$4` is the actor and `$5` the reason. */
  values: readonly unknown[];
}

/**
 * Changes a task and reports it as an event. The conditions hold for the row as it is when it changes: Postgres evaluates
 * them again after waiting for another change.
 * @returns whether the task has changed
 */
async function change(
  database: Database,
  key: UserTaskKey,
  { set, where, values }: Change,
  { actor, reason }: { actor: string; reason?: string | undefined },
): Promise<boolean> {
  const changed = await rows(
    database,
    `WITH changed AS (
       UPDATE user_tasks SET ${set} WHERE ${isTask} AND ${isOpen} AND (${where}) RETURNING *
     ), event AS (
       ${assigned}
     )
     SELECT 1 FROM changed`,
    [...keyValues(key), actor, reason ?? null, ...values],
  );
  return changed.length > 0;
}

const assigned = insertTaskEvents({ tasks: 'changed', type: 'task.assigned', actor: '$4::text', reason: '$5::text' });

/** The task after an attempt to change it, or why the attempt failed. */
async function afterwards(
  database: Database,
  key: UserTaskKey,
  changed: boolean,
  isAlreadySo: (task: UserTask) => boolean,
  conflict: string,
): Promise<ChangedTask | AssignmentRefusal> {
  const task = await findUserTask(database, key);
  if (!task) return noSuchTask(key);
  if (changed) return { kind: 'changed', task };
  if (await isEnding(database, key)) return refusedByStatus(key, task.status);
  if (isAlreadySo(task)) return { kind: 'unchanged', task };
  return refused('CONFLICT', `User task ${key.number} of instance ${key.workflowID} ${conflict}`);
}

async function isEnding(database: Database, key: UserTaskKey): Promise<boolean> {
  return (await rows(database, `SELECT FROM user_tasks WHERE ${isTask} AND ${isOpen}`, keyValues(key))).length === 0;
}
