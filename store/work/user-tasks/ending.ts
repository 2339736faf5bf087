/** Ending a user task. The first request to end one wins, as with jobs. */
import type { CommandBody } from '@perdure/engine/contract/commands.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { raw, sql, type Sql } from '../../sql/builder.js';
import { unindexed } from '../../sql/by-key.js';
import {
  commandSql,
  commandStatement,
  insertedColumns,
  submitted,
  type InsertedRow,
  type Request,
  type Submitted,
} from '../../instances/submit-command.js';
import { isPaused } from '../../instances/paused.js';
import { firstRow, type Database } from '../../sql/database.js';
import { refusalByInstance, refused, refusedByPause, type Refusal } from '../../sql/refusal.js';
import { noSuchTask, refusedByStatus, type UserTaskKey } from './tasks.js';

export type UserTaskRefusal = Refusal<'NOT_FOUND' | 'CONFLICT' | 'INSTANCE_ENDED' | 'SUSPENDED'>;

/** A request to end a task. */
export interface UserTaskEnding extends Request {
  number: number;
  variables?: Variables | undefined;
  /** The assignee that the task must have; null for none. */
  expectedAssignee?: string | null | undefined;
}

/** Completes a task; one of several requests wins. */
export async function completeUserTask(
  database: Database,
  request: UserTaskEnding,
): Promise<Submitted | UserTaskRefusal> {
  return endUserTask(database, request, completion(request));
}

/**
 * Completes a task without its form, for a caller who may complete every task of the project: nothing needs to be read
 * first.
 * @returns undefined if nothing was written: the project checks submitted variables against the form of the task, or the
 *   request is refused, with the reason that `completeUserTask` gives
 */
export async function completeWithoutForm(database: Database, request: UserTaskEnding): Promise<Submitted | undefined> {
  return writeEnding(database, request, completion(request), { leavesOutChecked: true });
}

function completion({ number: execution, variables }: UserTaskEnding): CommandBody {
  return { kind: 'COMPLETE_USER_TASK', execution, ...(variables && { variables }) };
}

/** Fails a task with a BPMN error. */
export async function throwUserTaskError(
  database: Database,
  request: UserTaskEnding & { errorCode: string },
): Promise<Submitted | UserTaskRefusal> {
  const { number: execution, errorCode, variables } = request;
  return endUserTask(database, request, {
    kind: 'THROW_USER_TASK_ERROR',
    execution,
    errorCode,
    ...(variables && { variables }),
  });
}

async function endUserTask(
  database: Database,
  request: UserTaskEnding,
  body: CommandBody,
): Promise<Submitted | UserTaskRefusal> {
  return (await writeEnding(database, request, body, { leavesOutChecked: false })) ?? explainRefusal(database, request);
}

/** SQL: whether the variables of the task `t` are checked against its form. */
const isChecked = `num_nonnulls(t.form_id, t.form_key) > 0 AND (SELECT p.validate_forms FROM projects p WHERE p.id = t.project_id)`;

async function writeEnding(
  database: Database,
  request: UserTaskEnding,
  body: CommandBody,
  { leavesOutChecked }: { leavesOutChecked: boolean },
): Promise<Submitted | undefined> {
  const { expectedAssignee } = request;
  return writeClaim(database, request, body, {
    name: 'end user task',
    condition: sql`NOT (${leavesOutChecked}::boolean AND ${raw(isChecked)})
      AND (NOT ${expectedAssignee !== undefined}::boolean OR t.assignee IS NOT DISTINCT FROM ${expectedAssignee ?? null}::text)`,
  });
}

/**
 * Locks the instance, then the task; claims the task; numbers the command; inserts it.
 * @param condition a further condition on the open task `t`
 */
export async function writeClaim(
  database: Database,
  request: Request & { number: number },
  body: CommandBody,
  { name, condition }: { name: string; condition: Sql },
): Promise<Submitted | undefined> {
  const { number } = request;
  const { workflowID, takesCommands, insertClaimed } = commandSql(request, body);
  const statement = sql`
  WITH instance AS MATERIALIZED (
    SELECT workflow_id, command_count, ${raw(isPaused('i'))} AS paused FROM instances i
    WHERE ${takesCommands} FOR UPDATE
  ), claim AS (
    UPDATE user_tasks t SET ending_command = instance.command_count + 1
    FROM instance WHERE t.workflow_id = ${workflowID} AND t.number = ${number} AND ${raw(unindexed('t.status'))} = 'CREATED' AND t.ending_command IS NULL AND t.asked IS NULL
      AND NOT instance.paused AND ${condition}
    RETURNING t.workflow_id
  ), ${insertClaimed}
  SELECT ${insertedColumns} FROM inserted`;
  const [row] = (await database.query<InsertedRow>(commandStatement(statement, name, request))).rows;
  return row && submitted(request, body, row);
}

export async function explainRefusal(
  database: Database,
  { expectedAssignee, ...key }: UserTaskKey & Pick<UserTaskEnding, 'expectedAssignee'>,
): Promise<UserTaskRefusal> {
  const { projectID, workflowID, number } = key;
  const task = await firstRow<{
    status: string;
    ending: boolean;
    assignee: string | null;
    instanceStatus: string;
    canceling: boolean;
    paused: boolean;
  }>(
    database,
    `SELECT t.status, t.ending_command IS NOT NULL OR t.asked IS NOT NULL AS ending, t.assignee, i.status AS "instanceStatus", i.canceling, ${isPaused('i')} AS paused
     FROM user_tasks t JOIN instances i USING (workflow_id) WHERE t.project_id = $1 AND t.workflow_id = $2 AND t.number = $3`,
    [projectID, workflowID, number],
  );
  if (!task) return noSuchTask(key);
  if (task.status !== 'CREATED' || task.ending) return refusedByStatus(key, task.status);
  const byInstance = refusalByInstance(workflowID, { status: task.instanceStatus, canceling: task.canceling });
  if (byInstance) return byInstance;
  if (task.paused) return refusedByPause(workflowID);
  if (expectedAssignee !== undefined && expectedAssignee !== task.assignee)
    return refused('CONFLICT', `User task ${number} of instance ${workflowID} is not assigned to the expected person`);
  return refused(
    'CONFLICT',
    `User task ${number} of instance ${workflowID} has changed in the meantime. Retry the request.`,
  );
}
