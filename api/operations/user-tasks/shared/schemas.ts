import { z } from 'zod';
import { pageOf, timestamp, uuid, variables } from '../../../contract/schemas.js';

export const userTaskStatus = z.enum(['CREATED', 'COMPLETED', 'CANCELED', 'FAILED']);

export const userTask = z
  .strictObject({
    id: uuid,
    executionKey: z.string(),
    workflowID: z.string(),
    parentWorkflowID: z.string().optional(),
    nodeID: z.string(),
    assignee: z.string().optional(),
    candidateUsers: z.array(z.string()).optional(),
    candidateGroups: z.array(z.string()).optional(),
    formKey: z.string().optional(),
    formID: z.string().optional(),
    variables: variables.optional(),
    headers: z.record(z.string(), z.string()).optional(),
    status: userTaskStatus,
    cancelReason: z.string().optional(),
    errorCode: z.string().optional(),
    completionVariables: variables.optional(),
    createdAt: timestamp,
    completedAt: timestamp.optional(),
    businessId: z.string().optional(),
  })
  .meta({ id: 'UserTask' });

export const userTaskPage = pageOf('BpmnUserTaskPaginatedResponse', userTask);

/** A person or a group, as the identity provider names it. */
export const principal = z.string().min(1).max(255);

/** Members that are left out do not change; `assignee: null` unassigns. */
export const updateAssignmentRequest = z
  .strictObject({
    assignee: principal.nullable().optional(),
    candidateUsers: z.array(principal).max(1000).optional(),
    candidateGroups: z.array(principal).max(1000).optional(),
  })
  .meta({ id: 'UpdateUserTaskAssignmentRequest' });

export const completeUserTaskRequest = z.strictObject({ variables: variables.optional() });

export const userTaskErrorRequest = z.strictObject({
  errorCode: z.string().min(1).max(255),
  variables: variables.optional(),
});
