import { z } from 'zod';
import { outcomes } from '../../../store/audit/entries.js';
import { auditFilters, auditSorts, listEntries, streamEntries, type AuditEntry } from '../../../store/audit/list.js';
import { defineList } from '../../commands/define-list.js';
import { pageOf, timestamp } from '../../contract/schemas.js';

export const auditEntry = z
  .strictObject({
    id: z.string(),
    time: timestamp,
    actor: z.string(),
    actorType: z.enum(['PERSON', 'SERVICE', 'HOOK']),
    via: z.enum(['REST', 'MCP', 'NEXUS', 'BATCH', 'HOOK', 'SCHEDULE']),
    operation: z.string().describe('The id of the operation.'),
    outcome: z.enum(outcomes).describe('`PENDING` until the instance or the identity provider has answered.'),
    code: z.string().optional().describe('Why it was rejected.'),
    requestID: z.string().optional().describe('Chosen by the host; in the response and in its log.'),
    clientRequestID: z.string().optional().describe('`X-Request-Id` of the caller, who can repeat it.'),
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
    subscriptionID: z.string().optional(),
    batchID: z.string().optional(),
    subject: z.string().optional().describe('The member that was changed.'),
    names: z
      .array(z.string())
      .optional()
      .describe('Names of the variables or settings that were set, or of the variables that were redacted.'),
    details: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        'Created ids and set values, by name. `{from, to}` shows a value that was replaced. Never a secret or the value of a variable.',
      ),
  })
  .meta({ id: 'AuditEntry' });

export const listAuditEntries = defineList({
  operationID: 'ListAuditEntries',
  path: '/projects/{projectID}/audit',
  role: 'admin',
  summary: 'List the audit log',
  description:
    'One entry per change that a request made, newest first. Refused requests, repeats under an Idempotency-Key, and the work of job workers have none.',
  filters: auditFilters,
  sorts: auditSorts,
  item: auditEntry,
  page: pageOf('AuditEntryPaginatedResponse', auditEntry),
}).rows({
  page: ({ params, context }, page, filter) => listEntries(context.store, params.projectID, filter, page),
  all: ({ params, context }, order, filter) => streamEntries(context.store, params.projectID, filter, order),
  toItem: toEntry,
});

export function toEntry({ time, code, workflowID, definitionID, executionKey, batchID, details, ...row }: AuditEntry) {
  const { leavesInstances: _, ...shown } = details;
  return {
    ...row,
    time: time.toISOString(),
    ...(code !== null && { code }),
    ...(workflowID !== null && { workflowID }),
    ...(definitionID !== null && { definitionID }),
    ...(executionKey !== null && { executionKey }),
    ...(batchID !== null && { batchID }),
    ...shown,
  };
}
