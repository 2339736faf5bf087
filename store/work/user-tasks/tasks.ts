/** User tasks as the API shows them, with the names of the version that their instance runs now. */
import type { TaskListenerEvent } from '@perdure/engine/contract/facts.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { firstRow, type Queryable } from '../../sql/database.js';
import { executionKey, rowUUID } from '../../sql/ids.js';
import { valueColumns, type Omission } from '../../sql/page.js';
import { refused, type Refusal } from '../../sql/refusal.js';

export const userTaskStatuses = ['CREATED', 'COMPLETED', 'CANCELED', 'FAILED'] as const;
export type UserTaskStatus = (typeof userTaskStatuses)[number];

/** One whose page omits its variables has none. */
export interface UserTask extends Partial<Omission> {
  id: string;
  executionKey: string;
  workflowID: string;
  parentWorkflowID: string | null;
  definitionID: string;
  processID: string;
  processName: string | null;
  processVersion: number;
  nodeID: string;
  name: string | null;
  status: UserTaskStatus;
  assignee: string | null;
  assignedAt: Date | null;
  /** Null if the model assigned it. */
  assignedBy: string | null;
  candidateUsers: string[];
  candidateGroups: string[];
  formKey: string | null;
  formID: string | null;
  /** Null until a version is fixed, and for embedded forms. */
  formVersion: number | null;
  dueDate: Date | null;
  followUpDate: Date | null;
  /** 0 to 100. */
  priority: number;
  headers: Record<string, string> | null;
  /** All variables visible at its node while it is open; afterward its local ones. */
  variables: Variables;
  completionVariables: Variables | null;
  errorCode: string | null;
  cancelReason: string | null;
  createdAt: Date;
  completedAt: Date | null;
  completedBy: string | null;
  failedBy: string | null;
  businessID: string | null;
  /** The requests that its listeners decide about; null if none. */
  decided: TaskListenerEvent[] | null;
  /** The event whose listeners decide now; null if none do. */
  asked: TaskListenerEvent | null;
  /** The last request that a listener has denied; null once there is another request. */
  denied: { eventType: TaskListenerEvent; reason?: string; at: string } | null;
}

export interface UserTaskRecord extends Omit<UserTask, 'id' | 'executionKey' | 'variables'> {
  number: number;
  localVariables: Variables | null;
  rootVariables: Variables | null;
}

export const userTaskJoins = `
  JOIN instances i ON i.workflow_id = t.workflow_id
  JOIN definitions d ON d.id = i.definition_id
  LEFT JOIN forms f ON f.id = t.form_version_id
  LEFT JOIN user_task_names n ON n.graph_sha256 = d.graph_sha256 AND n.node_id = t.node_id
  LEFT JOIN commands c ON c.workflow_id = t.workflow_id AND c.number = t.ending_command`;

export const userTaskValues = {
  localVariables: 't.local_variables',
  rootVariables: "CASE WHEN t.status = 'CREATED' THEN i.variables END",
  completionVariables: 't.completion_variables',
};

/** Without `userTaskValues`. */
export const userTaskColumns = `
  t.workflow_id AS "workflowID", t.number, i.parent_workflow_id AS "parentWorkflowID", i.definition_id AS "definitionID",
  d.process_id AS "processID", d.process_name AS "processName", d.version AS "processVersion", t.node_id AS "nodeID",
  n.name, t.status, t.assignee, t.assigned_at AS "assignedAt", t.assigned_by AS "assignedBy",
  t.candidate_users AS "candidateUsers", t.candidate_groups AS "candidateGroups", t.form_key AS "formKey",
  t.form_id AS "formID", f.version AS "formVersion", t.due_date AS "dueDate", t.follow_up_date AS "followUpDate", t.priority, t.headers,
  t.error_code AS "errorCode", t.cancel_reason AS "cancelReason",
  t.created_at AS "createdAt", t.completed_at AS "completedAt", CASE WHEN t.status = 'COMPLETED' THEN c.actor END AS "completedBy",
  CASE WHEN t.status = 'FAILED' THEN c.actor END AS "failedBy", i.business_id AS "businessID", t.decided,
  CASE WHEN t.status = 'CREATED' THEN t.asked END AS asked, CASE WHEN t.status = 'CREATED' THEN t.denied END AS denied`;

export function toUserTask({ number, localVariables, rootVariables, ...task }: UserTaskRecord): UserTask {
  return {
    ...task,
    id: rowUUID(task.workflowID, number),
    executionKey: executionKey(task.workflowID, number),
    variables: { ...rootVariables, ...localVariables },
  };
}

/** Identifies a task of an instance. */
export interface UserTaskKey {
  projectID: string;
  workflowID: string;
  number: number;
}

/** Conditions on the row that `$1`, `$2`, and `$3` identify: the values of `keyValues`. */
export const isTask = 'project_id = $1 AND workflow_id = $2 AND number = $3';

/** The task has not ended, and no request to end it is accepted or waits for listeners. */
export const isOpen = "status = 'CREATED' AND ending_command IS NULL AND asked IS NULL";

/** As `isOpen`, or listeners decide about a request, which can take days. */
export const isDiscussed = "status = 'CREATED' AND (ending_command IS NULL OR asked IS NOT NULL)";

export function keyValues({ projectID, workflowID, number }: UserTaskKey): [string, string, number] {
  return [projectID, workflowID, number];
}

export async function findUserTask(database: Queryable, key: UserTaskKey): Promise<UserTask | undefined> {
  const record = await firstRow<UserTaskRecord>(
    database,
    `SELECT ${userTaskColumns}, ${valueColumns(userTaskValues)} FROM user_tasks t ${userTaskJoins} WHERE t.project_id = $1 AND t.workflow_id = $2 AND t.number = $3`,
    keyValues(key),
  );
  return record && toUserTask(record);
}

/** Whether the task takes no more changes, and why. */
export function refusedByStatus(
  { workflowID, number }: { workflowID: string; number: number },
  status: string,
): Refusal<'CONFLICT'> {
  const how = status === 'CREATED' ? 'was ended by another request, or listeners decide about one' : `is ${status}`;
  return refused('CONFLICT', `User task ${number} of instance ${workflowID} ${how}`);
}

export function noSuchTask({ workflowID, number }: UserTaskKey): Refusal<'NOT_FOUND'> {
  return refused('NOT_FOUND', `There is no user task ${number} of instance ${workflowID} in this project`);
}
