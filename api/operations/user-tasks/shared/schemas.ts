import { z } from 'zod';
import { userTaskStatuses } from '../../../../store/work/user-tasks/tasks.js';
import { givenVariables } from '../../../contract/variables.js';
import {
  givenTimestamp,
  omitted,
  pageOf,
  reason,
  timestamp,
  uuid,
  variables,
  taskListenerEvent,
  testMember,
} from '../../../contract/schemas.js';

const userTaskStatus = z.enum(userTaskStatuses);

export const userTask = z
  .strictObject({
    id: uuid,
    executionKey: z.string(),
    workflowID: z.string(),
    parentWorkflowID: z.string().optional(),
    definitionID: uuid,
    processId: z.string(),
    processName: z.string().optional(),
    processVersion: z.int(),
    nodeID: z.string(),
    name: z.string().optional(),
    assignee: z.string().optional(),
    assignedAt: timestamp.optional(),
    assignedBy: z.string().optional(),
    candidateUsers: z.array(z.string()).optional(),
    candidateGroups: z.array(z.string()).optional(),
    formKey: z.string().optional(),
    formID: z.string().optional(),
    formVersion: z.int().optional(),
    dueDate: timestamp.optional(),
    followUpDate: timestamp.optional(),
    priority: z.int(),
    variables: variables.optional(),
    variablesOmitted: omitted('Only in lists: `variables` and `completionVariables` are omitted'),
    headers: z.record(z.string(), z.string()).optional(),
    status: userTaskStatus,
    cancelReason: z.string().optional(),
    errorCode: z.string().optional(),
    completionVariables: variables.optional(),
    createdAt: timestamp,
    completedAt: timestamp.optional(),
    completedBy: z.string().optional(),
    failedBy: z.string().optional(),
    businessId: z.string().optional(),
    isTest: testMember,
    listening: taskListenerEvent
      .optional()
      .describe('The event whose listeners decide about a request now. Until they have, no other request is accepted.'),
    denied: z
      .strictObject({ eventType: taskListenerEvent, reason: z.string().optional(), at: timestamp })
      .meta({ id: 'UserTaskDenial' })
      .optional()
      .describe('The last request that a listener has denied. Absent once there is another request.'),
  })
  .meta({ id: 'UserTask' });

export const userTaskPage = pageOf('BpmnUserTaskPaginatedResponse', userTask);

/** A person or a group, as the identity provider names it. */
export const principal = z.string().min(1).max(255);

/** The assignee that the task must have; null for none. Another one is a conflict. */
const expectedAssignee = principal.nullable().optional();

/** Members that are left out do not change; null removes a value. */
export const updateUserTaskRequest = z
  .strictObject({
    assignee: principal.nullable().optional(),
    candidateUsers: z.array(principal).max(1000).optional(),
    candidateGroups: z.array(principal).max(1000).optional(),
    dueDate: givenTimestamp.nullable().optional(),
    followUpDate: givenTimestamp.nullable().optional(),
    priority: z.int().min(0).max(100).optional(),
    expectedAssignee,
    reason,
  })
  .meta({ id: 'UpdateUserTaskAssignmentRequest' });

export const completeUserTaskRequest = z.strictObject({
  variables: givenVariables.optional(),
  expectedAssignee,
  reason,
});

export const userTaskErrorRequest = z.strictObject({
  errorCode: z.string().min(1).max(255),
  variables: givenVariables.optional(),
  expectedAssignee,
  reason,
});

export const addCommentRequest = z.strictObject({ text: z.string().min(1).max(4000) });

export const userTaskComment = z
  .strictObject({
    commentID: uuid,
    executionKey: z.string(),
    text: z.string(),
    author: z.string().optional().describe('Absent if the comment was imported.'),
    importedAuthor: z.string().optional().describe('A person of the system that the comment was imported from.'),
    createdAt: timestamp,
  })
  .meta({ id: 'UserTaskComment' });

export const userTaskCommentPage = pageOf('UserTaskCommentPaginatedResponse', userTaskComment);
