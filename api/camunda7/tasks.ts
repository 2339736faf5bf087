/** Jobs as external tasks. */
import type { z } from 'zod';
import type { OperationResult } from '../commands/operation.js';
import type { externalJob } from '../operations/external-jobs/shared/schemas.js';
import { toTyped } from './variables.js';

type Job = z.output<typeof externalJob>;

/** The response to a poll. */
export function tasksOf({ body }: OperationResult): OperationResult {
  return { status: 200, body: ((body ?? []) as readonly Job[]).map(toTask) };
}

/** The id of a task is the execution key of its job, so it is the same each time that the task is fetched. */
function toTask(job: Job): Record<string, unknown> {
  const { executionKey: id, nodeID, workflowID, definitionID, processId, taskType, retries, priority } = job;
  return {
    id,
    executionId: id,
    activityInstanceId: id,
    activityId: nodeID,
    processInstanceId: workflowID,
    processDefinitionId: definitionID,
    processDefinitionKey: processId,
    processDefinitionVersionTag: null,
    topicName: taskType,
    workerId: job.lockedBy ?? null,
    lockExpirationTime: dateOf(job.lockExpiresAt),
    createTime: dateOf(job.createdAt),
    retries,
    priority,
    businessKey: job.businessId ?? null,
    tenantId: null,
    suspended: false,
    errorMessage: job.errorMessage ?? null,
    errorDetails: null,
    variables: toTyped(job.variables ?? {}),
    extensionProperties: job.headers ?? {},
  };
}

/** `2026-01-05T08:00:00.000+0000` */
function dateOf(timestamp: string | undefined): string | null {
  return timestamp?.replace(/Z$/, '+0000') ?? null;
}
