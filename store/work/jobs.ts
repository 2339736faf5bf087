/**
 * External jobs. A job belongs to one activation of a service task. Lists are in `job-lists.ts`, leasing is in
 * `job-queue.ts`, ending in `job-ends.ts`.
 */
import type { JobListener } from '@perdure/engine/contract/facts.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import type { TraceContext } from '@perdure/engine/contract/trace-context.js';
import { pickVariables } from '../instances/pick-variables.js';
import { executionKey, rowUUID } from '../sql/ids.js';
import { valueColumns, type Omission } from '../sql/page.js';
import type { Execution } from './executions/executions.js';
import type { HeldBy } from './limits/held-jobs.js';

export type JobStatus = 'PENDING' | 'COMPLETED' | 'FAILED' | 'CANCELED';

/** One whose page omits its variables has none. */
export interface Job extends Partial<Omission> {
  id: string;
  executionKey: string;
  workflowID: string;
  parentWorkflowID: string | null;
  nodeID: string;
  taskType: string;
  status: JobStatus;
  /** Remaining attempts, including the current one. */
  retries: number;
  priority: number;
  /** Since when, or from when on, it can be leased; null once its end is requested. */
  availableAt: Date | null;
  definitionID: string;
  processID: string;
  headers: Record<string, string> | null;
  /** Null: it is the work of its node. */
  listener: JobListener | null;
  /** All variables visible at its node while it is pending; afterward its local ones. */
  variables: Variables;
  createdAt: Date;
  completedAt: Date | null;
  /** Only in lists. */
  completedBy?: string | null;
  failedBy?: string | null;
  /** The limit of its type that holds it back, at the time of the read; only in lists. */
  heldBy?: HeldBy | undefined;
  /** Where its work runs on Temporal; only in lists. */
  execution?: Execution | null;
  lockedBy: string | null;
  lockExpiresAt: Date | null;
  errorCode: string | null;
  errorMessage: string | null;
  cancelReason: string | null;
  businessID: string | null;
  traceContext: TraceContext | null;
}

/** A job as read by `jobColumns` or as listed. */
export interface JobRecord extends Omit<Job, 'id' | 'executionKey' | 'variables'> {
  number: number;
  localVariables: Variables | null;
  rootVariables: Variables | null;
}

/** Joins for `jobColumns`, after a table or an expression called `j`. */
export const jobJoins = 'JOIN instances i ON i.workflow_id = j.workflow_id';

export const jobValues = {
  localVariables: 'j.local_variables',
  rootVariables: "CASE WHEN j.status = 'PENDING' THEN i.variables END",
};

/** Without `jobValues`. */
export const listedJobColumns = `
  j.workflow_id AS "workflowID", j.number, i.parent_workflow_id AS "parentWorkflowID", j.node_id AS "nodeID",
  j.task_type AS "taskType", j.status, j.retries, j.priority,
  CASE WHEN j.status = 'PENDING' AND j.ending_command IS NULL THEN j.available_at END AS "availableAt", i.definition_id AS "definitionID",
  (SELECT d.process_id FROM definitions d WHERE d.id = i.definition_id) AS "processID", j.headers, j.listener, j.created_at AS "createdAt",
  j.completed_at AS "completedAt", j.locked_by AS "lockedBy", j.lock_expires_at AS "lockExpiresAt",
  j.error_code AS "errorCode", j.error_message AS "errorMessage", j.cancel_reason AS "cancelReason",
  i.business_id AS "businessID", j.trace_context AS "traceContext"`;

export const jobColumns = `${listedJobColumns}, ${valueColumns(jobValues)}`;

/** @param fetchVariables names to keep (default: all) */
export function toJob(record: JobRecord, fetchVariables?: readonly string[]): Job {
  const { number, localVariables, rootVariables, ...job } = record;
  const variables = { ...rootVariables, ...localVariables };
  return {
    ...job,
    id: rowUUID(job.workflowID, number),
    executionKey: executionKey(job.workflowID, number),
    variables: fetchVariables ? pickVariables(variables, fetchVariables) : variables,
  };
}
