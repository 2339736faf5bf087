/** User tasks: lists, assignment, and ending them. The first request to end one wins, as with jobs. */
import type { Pool } from 'pg';
import type { CommandBody } from '../../packages/engine/contract/commands.js';
import type { Variables } from '../../packages/engine/contract/json.js';
import { unindexed } from '../sql/by-key.js';
import {
  commandValues,
  insertClaimed,
  submitted,
  takesCommands,
  type InsertedRow,
  type Request,
  type Submitted,
} from '../instances/commands.js';
import { firstRow, preparedRows, type Queryable } from '../sql/database.js';
import { executionKey, rowUUID } from '../sql/ids.js';
import { Filter, listPage, type Page, type PageRequest } from '../sql/page.js';
import { isPaused } from '../instances/paused.js';
import { refusalByInstance, refused, refusedByPause, type Refusal } from '../sql/refusal.js';

export type UserTaskStatus = 'CREATED' | 'COMPLETED' | 'FAILED' | 'CANCELED';

export interface UserTask {
  id: string;
  executionKey: string;
  workflowID: string;
  parentWorkflowID: string | null;
  nodeID: string;
  status: UserTaskStatus;
  assignee: string | null;
  candidateUsers: string[];
  candidateGroups: string[];
  formKey: string | null;
  formID: string | null;
  headers: Record<string, string> | null;
  /** All variables visible at its node while it is open; afterward its local ones. */
  variables: Variables;
  completionVariables: Variables | null;
  errorCode: string | null;
  cancelReason: string | null;
  createdAt: Date;
  completedAt: Date | null;
  businessID: string | null;
}

interface UserTaskRecord extends Omit<UserTask, 'id' | 'executionKey' | 'variables'> {
  number: number;
  localVariables: Variables | null;
  rootVariables: Variables | null;
}

const joins = 'JOIN instances i ON i.workflow_id = t.workflow_id';

const columns = `
  t.workflow_id AS "workflowID", t.number, i.parent_workflow_id AS "parentWorkflowID", t.node_id AS "nodeID", t.status,
  t.assignee, t.candidate_users AS "candidateUsers", t.candidate_groups AS "candidateGroups", t.form_key AS "formKey",
  t.form_id AS "formID", t.headers, t.local_variables AS "localVariables",
  CASE WHEN t.status = 'CREATED' THEN i.variables END AS "rootVariables", t.completion_variables AS "completionVariables",
  t.error_code AS "errorCode", t.cancel_reason AS "cancelReason", t.created_at AS "createdAt", t.completed_at AS "completedAt",
  i.business_id AS "businessID"`;

function toUserTask({ number, localVariables, rootVariables, ...task }: UserTaskRecord): UserTask {
  return {
    ...task,
    id: rowUUID(task.workflowID, number),
    executionKey: executionKey(task.workflowID, number),
    variables: { ...rootVariables, ...localVariables },
  };
}

export interface UserTaskFilter {
  workflowID?: string | undefined;
  status?: UserTaskStatus | undefined;
  assignee?: string | undefined;
  candidateUser?: string | undefined;
  candidateGroup?: string | undefined;
  businessID?: string | undefined;
}

/** User tasks of a project, newest first. */
export async function listUserTasks(
  database: Queryable,
  projectID: string,
  filter: UserTaskFilter,
  page: PageRequest,
): Promise<Page<UserTask>> {
  const conditions = new Filter()
    .where('t.project_id = ?', projectID)
    .whereGiven('t.workflow_id = ?', filter.workflowID)
    .whereGiven('t.status = ?', filter.status)
    .whereGiven('t.assignee = ?', filter.assignee)
    .whereGiven("t.candidate_users <> '{}' AND t.candidate_users @> ARRAY[?::text]", filter.candidateUser)
    .whereGiven("t.candidate_groups <> '{}' AND t.candidate_groups @> ARRAY[?::text]", filter.candidateGroup)
    .whereJoined('i.project_id = t.project_id AND i.business_id = ?', filter.businessID);
  return listTasks(database, conditions, page);
}

/** Open tasks that a person is assigned to or a candidate for, newest first. */
export async function listUserTasksFor(
  database: Queryable,
  projectID: string,
  person: { subject: string; groups: readonly string[] },
  page: PageRequest,
): Promise<Page<UserTask>> {
  const conditions = new Filter().where('t.project_id = ?', projectID).whereTrue("t.status = 'CREATED'");
  conditions.where(
    "(t.assignee = ? OR (t.candidate_users <> '{}' AND t.candidate_users @> ARRAY[?::text]) OR (t.candidate_groups <> '{}' AND t.candidate_groups && $3::text[]))",
    person.subject,
  );
  conditions.values.push(person.groups);
  return listTasks(database, conditions, page);
}

async function listTasks(database: Queryable, filter: Filter, page: PageRequest): Promise<Page<UserTask>> {
  const query = {
    columns,
    table: 'user_tasks t',
    joins,
    filter,
    orderBy: 't.created_at DESC, t.workflow_id, t.number DESC',
  };
  const { data, total } = await listPage<UserTaskRecord>(database, query, page);
  return { data: data.map(toUserTask), total };
}

/** Identifies a task of an instance. */
export interface UserTaskKey {
  projectID: string;
  workflowID: string;
  number: number;
}

export async function findUserTask(
  database: Queryable,
  { projectID, workflowID, number }: UserTaskKey,
): Promise<UserTask | undefined> {
  const record = await firstRow<UserTaskRecord>(
    database,
    `SELECT ${columns} FROM user_tasks t ${joins} WHERE t.project_id = $1 AND t.workflow_id = $2 AND t.number = $3`,
    [projectID, workflowID, number],
  );
  return record && toUserTask(record);
}

/** Given members are replaced; `assignee: null` removes the assignment. */
export interface Assignment {
  assignee?: string | null | undefined;
  candidateUsers?: string[] | undefined;
  candidateGroups?: string[] | undefined;
}

/** Assigns an open task. */
export async function assignUserTask(
  database: Queryable,
  key: UserTaskKey,
  { assignee, candidateUsers, candidateGroups }: Assignment,
): Promise<UserTask | Refusal<'NOT_FOUND' | 'CONFLICT'>> {
  const { rowCount } = await database.query(
    `UPDATE user_tasks SET assignee = CASE WHEN $4 THEN $5 ELSE assignee END,
       candidate_users = coalesce($6::text[], candidate_users), candidate_groups = coalesce($7::text[], candidate_groups)
     WHERE project_id = $1 AND workflow_id = $2 AND number = $3 AND status = 'CREATED' AND ending_command IS NULL`,
    [
      key.projectID,
      key.workflowID,
      key.number,
      assignee !== undefined,
      assignee ?? null,
      candidateUsers ?? null,
      candidateGroups ?? null,
    ],
  );
  const task = await findUserTask(database, key);
  if (!task)
    return refused('NOT_FOUND', `There is no user task ${key.number} of instance ${key.workflowID} in this project`);
  return rowCount === 0 ? ended(key, task.status) : task;
}

export type UserTaskRefusal = Refusal<'NOT_FOUND' | 'CONFLICT' | 'INSTANCE_ENDED' | 'SUSPENDED'>;

/** Completes a task; one of several requests wins. */
export async function completeUserTask(
  pool: Pool,
  request: Request & { number: number; variables?: Variables | undefined },
): Promise<Submitted | UserTaskRefusal> {
  const { number: execution, variables } = request;
  return endUserTask(pool, request, { kind: 'COMPLETE_USER_TASK', execution, ...(variables && { variables }) });
}

/** Fails a task with a BPMN error. */
export async function throwUserTaskError(
  pool: Pool,
  request: Request & { number: number; errorCode: string; variables?: Variables | undefined },
): Promise<Submitted | UserTaskRefusal> {
  const { number: execution, errorCode, variables } = request;
  return endUserTask(pool, request, {
    kind: 'THROW_USER_TASK_ERROR',
    execution,
    errorCode,
    ...(variables && { variables }),
  });
}

/** Locks the instance, then the task; claims the task; numbers the command; inserts it. */
const endStatement = `
  WITH instance AS MATERIALIZED (
    SELECT workflow_id, command_count, ${isPaused('i')} AS paused FROM instances i
    WHERE ${takesCommands} FOR UPDATE
  ), claim AS (
    UPDATE user_tasks t SET ending_command = instance.command_count + 1
    FROM instance WHERE t.workflow_id = $1 AND t.number = $7 AND ${unindexed('t.status')} = 'CREATED' AND t.ending_command IS NULL
      AND NOT instance.paused RETURNING t.workflow_id
  ), ${insertClaimed}
  SELECT id, number, "lingeringWorker" FROM inserted`;

async function endUserTask(
  pool: Pool,
  request: Request & { number: number },
  body: CommandBody,
): Promise<Submitted | UserTaskRefusal> {
  const [row] = await preparedRows<InsertedRow>(pool, 'end user task', endStatement, [
    ...commandValues(request, body),
    request.projectID,
    request.number,
  ]);
  return row ? submitted(request, body, row) : explain(pool, request);
}

async function explain(pool: Pool, { projectID, workflowID, number }: UserTaskKey): Promise<UserTaskRefusal> {
  const task = await firstRow<{
    status: string;
    ending: boolean;
    instanceStatus: string;
    canceling: boolean;
    paused: boolean;
  }>(
    pool,
    `SELECT t.status, t.ending_command IS NOT NULL AS ending, i.status AS "instanceStatus", i.canceling, ${isPaused('i')} AS paused
     FROM user_tasks t JOIN instances i USING (workflow_id) WHERE t.project_id = $1 AND t.workflow_id = $2 AND t.number = $3`,
    [projectID, workflowID, number],
  );
  if (!task) return refused('NOT_FOUND', `There is no user task ${number} of instance ${workflowID} in this project`);
  const open = task.status === 'CREATED' && !task.ending;
  const byInstance = open && refusalByInstance(workflowID, { status: task.instanceStatus, canceling: task.canceling });
  if (byInstance) return byInstance;
  return open && task.paused ? refusedByPause(workflowID) : ended({ workflowID, number }, task.status);
}

function ended({ workflowID, number }: { workflowID: string; number: number }, status: string): Refusal<'CONFLICT'> {
  const how = status === 'CREATED' ? 'was ended by another request' : `is ${status}`;
  return refused('CONFLICT', `User task ${number} of instance ${workflowID} ${how}`);
}
