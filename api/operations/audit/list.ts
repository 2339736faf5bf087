import { z } from 'zod';
import { listEntries, streamEntries, type AuditEntry, type AuditFilter } from '../../../store/audit/list.js';
import type { Outcome } from '../../../store/audit/entries.js';
import { defineList } from '../../commands/define-list.js';
import {
  businessId,
  givenTimestamp,
  givenWorkflowID,
  pageOf,
  queryWords,
  timestamp,
  wordsOf,
} from '../../contract/schemas.js';
import { dateOf } from '../../contract/wire.js';

const OUTCOMES = ['PENDING', 'APPLIED', 'REJECTED'] as const;

const given = z.string().min(1).max(400).optional();

const filters = {
  actor: given,
  operation: z
    .string()
    .regex(/^[A-Za-z]{1,60}(?:,[A-Za-z]{1,60}){0,19}$/, {
      error: 'must be one to 20 names of operations, such as StartBpmnInstance, separated by commas',
    })
    .optional(),
  workflowID: givenWorkflowID.optional(),
  businessId: businessId.describe('Of the instance, as long as the instance is kept.').optional(),
  definitionID: given,
  executionKey: given,
  batchID: given,
  outcome: queryWords(OUTCOMES).optional(),
  since: givenTimestamp.optional(),
  until: givenTimestamp.optional(),
};

const entry = z
  .strictObject({
    id: z.string(),
    time: timestamp,
    actor: z.string(),
    actorType: z.enum(['PERSON', 'SERVICE', 'HOOK']),
    via: z.enum(['REST', 'MCP', 'BATCH', 'HOOK', 'SCHEDULE']),
    operation: z.string().describe('The id of the operation.'),
    outcome: z.enum(OUTCOMES).describe('`PENDING` until the instance or the identity provider has answered.'),
    code: z.string().optional().describe('Why it was rejected.'),
    requestID: z.string().optional(),
    reason: z.string().optional(),
    workflowID: z.string().optional(),
    definitionID: z.string().optional(),
    processId: z.string().optional(),
    resourceID: z.string().optional(),
    deploymentID: z.string().optional(),
    executionKey: z.string().optional(),
    incidentID: z.string().optional(),
    publicationID: z.string().optional(),
    hookID: z.string().optional(),
    batchID: z.string().optional(),
    subject: z.string().optional().describe('The member that was changed.'),
    names: z.array(z.string()).optional().describe('Names of the variables or settings that were set.'),
  })
  .meta({ id: 'AuditEntry' });

export const listAuditEntries = defineList({
  operationID: 'ListAuditEntries',
  path: '/projects/{projectID}/audit',
  role: 'admin',
  summary: 'List the audit log',
  description:
    'One entry per change that a request made, newest first. Refused requests, repeats under an Idempotency-Key, and the work of job workers have none.',
  filters,
  sorts: ['time'],
  item: entry,
  page: pageOf('AuditEntryPaginatedResponse', entry),
}).rows({
  page: ({ params, query, context }, page) => listEntries(context.store, params.projectID, filterOf(query), page),
  all: ({ params, query, context }, order) => streamEntries(context.store, params.projectID, filterOf(query), order),
  toItem: toEntry,
});

function filterOf({ businessId: businessID, ...query }: z.output<z.ZodObject<typeof filters>>): AuditFilter {
  return {
    ...query,
    businessID,
    operation: wordsOf(query.operation),
    outcome: wordsOf<Outcome>(query.outcome),
    since: dateOf(query.since),
    until: dateOf(query.until),
  };
}

function toEntry({ time, code, workflowID, definitionID, executionKey, batchID, details, ...row }: AuditEntry) {
  return {
    ...row,
    time: time.toISOString(),
    ...(code !== null && { code }),
    ...(workflowID !== null && { workflowID }),
    ...(definitionID !== null && { definitionID }),
    ...(executionKey !== null && { executionKey }),
    ...(batchID !== null && { batchID }),
    ...details,
  };
}
