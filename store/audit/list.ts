/** Reading the audit log. */
import type { Database } from '../sql/database.js';
import { filterBy, filterByTime, filterByAny, filterByWords, type FilterValues } from '../lists/filters.js';
import { readPage, streamList, type Direction, type List, type SortedPageRequest } from '../lists/list.js';
import type { Order, Page } from '../sql/page.js';
import { outcomes, type ActorType, type AuditSubjects, type Details, type Outcome, type Via } from './entries.js';

type OtherMembers = Omit<AuditSubjects, 'workflowID' | 'definitionID' | 'executionKey' | 'batchID'> & {
  requestID?: string;
  clientRequestID?: string;
  reason?: string;
  names?: string[];
  details?: Details;
  leavesInstances?: true;
};

export interface AuditEntry {
  id: string;
  time: Date;
  actor: string;
  actorType: ActorType;
  via: Via;
  operation: string;
  outcome: Outcome;
  code: string | null;
  workflowID: string | null;
  definitionID: string | null;
  executionKey: string | null;
  batchID: string | null;
  details: OtherMembers;
}

const ofBusinessID =
  'EXISTS (SELECT 1 FROM instances i WHERE i.workflow_id = a.workflow_id AND i.project_id = a.project_id AND i.business_id = ?)';

export const auditFilters = {
  actor: filterBy('key', 'Actor', 'a.actor = ?'),
  operation: filterByAny('operationIDs', 'Operation', 'a.operation'),
  workflowID: filterBy('workflowID', 'Instance', 'a.workflow_id = ?'),
  businessId: {
    ...filterBy('name', 'Business id', ofBusinessID),
    description: 'Of the instance, as long as the instance is kept.',
  },
  definitionID: filterBy('key', 'Version id', 'a.definition_id = ?'),
  executionKey: filterBy('key', 'Job or user task', 'a.execution_key = ?'),
  batchID: filterBy('key', 'Batch', 'a.batch_id = ?'),
  outcome: filterByWords('Outcome', 'a.outcome', outcomes),
  since: filterByTime('From', 'a.recorded_at', 'from'),
  until: filterByTime('Until', 'a.recorded_at', 'until'),
};

export type AuditFilter = FilterValues<typeof auditFilters>;

export const auditSorts = ['time'] as const;

const everyEntry = {
  columns: `a.id::text, a.recorded_at AS time, a.actor, a.actor_type AS "actorType", a.via, a.operation, a.outcome, a.code,
    a.workflow_id AS "workflowID", a.definition_id AS "definitionID", a.execution_key AS "executionKey", a.batch_id AS "batchID", a.details`,
  table: 'audit_entries a',
  joins: '',
  sorts: { time: { by: (direction: Direction) => `a.id ${direction}` } },
  key: [{ column: 'a.id', type: 'bigint' }],
} as const;

const auditList: List<typeof auditFilters, 'time'> = {
  ...everyEntry,
  projectColumn: 'a.project_id',
  // Those of a deleted project with the same id are not this project's.
  always: 'a.id > coalesce((SELECT l.deleted_through FROM audit_logs l WHERE l.project_id = $1), 0)',
  filters: auditFilters,
};

export const organizationAuditFilters = {
  projectID: filterBy('key', 'Project', 'a.project_id = ?'),
  ...auditFilters,
};

export type OrganizationAuditFilter = FilterValues<typeof organizationAuditFilters>;

export type OrganizationAuditEntry = AuditEntry & { projectID: string };

const organizationAuditList: List<typeof organizationAuditFilters, 'time'> = {
  ...everyEntry,
  columns: `${everyEntry.columns}, a.project_id AS "projectID"`,
  projectColumn: undefined,
  filters: organizationAuditFilters,
};

export function listEntries(
  database: Database,
  projectID: string,
  filter: AuditFilter,
  page: SortedPageRequest<'time'>,
): Promise<Page<AuditEntry>> {
  return readPage(database, auditList, projectID, filter, page);
}

/** Every entry, in the order of its recording. */
export function streamEntries(
  database: Database,
  projectID: string,
  filter: AuditFilter,
  order: Order,
): AsyncGenerator<AuditEntry> {
  return streamList(database, auditList, projectID, filter, order);
}

/** Of all projects, deleted ones included. */
export function listOrganizationEntries(
  database: Database,
  filter: OrganizationAuditFilter,
  page: SortedPageRequest<'time'>,
): Promise<Page<OrganizationAuditEntry>> {
  return readPage(database, organizationAuditList, '', filter, page);
}

/** As `streamEntries`, of all projects. */
export function streamOrganizationEntries(
  database: Database,
  filter: OrganizationAuditFilter,
  order: Order,
): AsyncGenerator<OrganizationAuditEntry> {
  return streamList(database, organizationAuditList, '', filter, order);
}
