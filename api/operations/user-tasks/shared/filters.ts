/** The filters of the lists of user tasks. */
import { z } from 'zod';
import type { UserTaskFilter } from '../../../../store/work/user-tasks/lists.js';
import {
  businessId,
  givenTimestamp,
  givenWorkflowID,
  modelIdentifier,
  queryBoolean,
  queryWords,
  uuid,
  wordsOf,
} from '../../../contract/schemas.js';
import { dateOf } from '../../../contract/wire.js';
import { principal, userTaskStatus } from './schemas.js';

/** Filters that every list has. */
export const inboxFilters = {
  workflowID: givenWorkflowID.optional(),
  businessId: businessId.optional(),
  definitionID: uuid.optional(),
  processId: modelIdentifier.optional(),
  nodeID: modelIdentifier.optional(),
  nameContains: z.string().min(3).max(100).optional(),
  unassigned: queryBoolean.optional(),
  createdAfter: givenTimestamp.optional(),
  createdBefore: givenTimestamp.optional(),
  completedAfter: givenTimestamp.optional(),
  completedBefore: givenTimestamp.optional(),
  dueAfter: givenTimestamp.optional(),
  dueBefore: givenTimestamp.optional(),
  followUpBefore: givenTimestamp.optional(),
};

/** Filters of the lists for executors. */
export const taskFilters = {
  ...inboxFilters,
  status: queryWords(userTaskStatus.options).optional(),
  assignee: principal.optional(),
  candidateUser: principal.optional(),
  candidateGroup: principal.optional(),
};

type GivenFilters = z.output<z.ZodObject<typeof inboxFilters>> &
  Partial<z.output<z.ZodObject<Pick<typeof taskFilters, 'status' | 'assignee' | 'candidateUser' | 'candidateGroup'>>>>;

/** The filter of the store for the filters of a request. */
export function filterOf(query: GivenFilters): UserTaskFilter {
  const { workflowID, assignee, candidateUser, candidateGroup, definitionID, nodeID, nameContains, unassigned } = query;
  return {
    workflowID,
    assignee,
    candidateUser,
    candidateGroup,
    definitionID,
    nodeID,
    nameContains,
    unassigned,
    statuses: wordsOf(query.status),
    businessID: query.businessId,
    processID: query.processId,
    createdAfter: dateOf(query.createdAfter),
    createdBefore: dateOf(query.createdBefore),
    completedAfter: dateOf(query.completedAfter),
    completedBefore: dateOf(query.completedBefore),
    dueAfter: dateOf(query.dueAfter),
    dueBefore: dateOf(query.dueBefore),
    followUpBefore: dateOf(query.followUpBefore),
  };
}
