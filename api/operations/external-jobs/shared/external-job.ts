import type { z } from 'zod';
import { TASK_HEADERS } from '@perdure/engine/contract/facts.js';
import { parseExecutionKey } from '../../../../store/sql/ids.js';
import type { Job } from '../../../../store/work/jobs.js';
import type { Caller } from '../../../access/caller.js';
import { isExecutor } from '../../../access/user-task.js';
import { testMark } from '../../../commands/test-mark.js';
import { optional, optionalTime, time } from '../../../contract/wire.js';
import type { externalJob } from './schemas.js';

/** A job as the API shows it. */
export function toExternalJob(job: Job): z.output<typeof externalJob> {
  const { id, executionKey, workflowID, nodeID, taskType, variables, status, retries, priority } = job;
  return {
    id,
    executionKey,
    workflowID,
    nodeID,
    taskType,
    ...(job.isOmitted ? { variablesOmitted: true as const } : { variables }),
    parentWorkflowID: optional(job.parentWorkflowID),
    status,
    retries,
    priority,
    availableAt: optionalTime(job.availableAt),
    heldBy: job.heldBy,
    execution: optional(job.execution),
    definitionID: job.definitionID,
    processId: job.processID,
    headers: optional(job.headers),
    listener: optional(job.listener),
    createdAt: time(job.createdAt),
    completedAt: optionalTime(job.completedAt),
    completedBy: optional(job.completedBy),
    failedBy: optional(job.failedBy),
    lockedBy: optional(job.lockedBy),
    lockExpiresAt: optionalTime(job.lockExpiresAt),
    errorCode: optional(job.errorCode),
    errorMessage: optional(job.errorMessage),
    cancelReason: optional(job.cancelReason),
    businessId: optional(job.businessID),
    ...testMark(workflowID),
    traceContext: job.traceContext === null ? undefined : { ...job.traceContext },
  };
}

/** The job as the caller may see it. Viewers do not learn from the job of a task listener who has the task. */
export function jobForReader(job: Job, caller: Caller, projectID: string): z.output<typeof externalJob> {
  const shown = toExternalJob(job);
  if (isExecutor(caller, projectID) || job.headers === null) return shown;
  const headers = Object.entries(job.headers).filter(([name]) => !name.startsWith(TASK_HEADERS));
  return { ...shown, headers: Object.fromEntries(headers) };
}

/** The job id in an execution key, or undefined when the key does not belong to this instance. */
export function jobOfInstance(
  executionKey: string,
  workflowID: string,
): { workflowID: string; number: number } | undefined {
  const job = parseExecutionKey(executionKey);
  return job?.workflowID === workflowID ? job : undefined;
}
