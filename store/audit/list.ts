/** Reading the audit log. */
import type { Database, Queryable } from '../sql/database.js';
import { Filter, listPage, type Order, type Page, type PageRequest } from '../sql/page.js';
import { streamRows } from '../sql/stream.js';
import type { ActorType, AuditSubjects, Outcome, Via } from './entries.js';

export interface AuditFilter {
  actor?: string | undefined;
  operation?: readonly string[] | undefined;
  workflowID?: string | undefined;
  /** Of the instance, which must still exist: entries have no business ids. */
  businessID?: string | undefined;
  definitionID?: string | undefined;
  executionKey?: string | undefined;
  batchID?: string | undefined;
  outcome?: readonly Outcome[] | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

type Details = Omit<AuditSubjects, 'workflowID' | 'definitionID' | 'executionKey' | 'batchID'> & {
  requestID?: string;
  reason?: string;
  names?: string[];
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
  details: Details;
}

const entries = {
  columns: `a.id::text, a.recorded_at AS time, a.actor, a.actor_type AS "actorType", a.via, a.operation, a.outcome, a.code,
    a.workflow_id AS "workflowID", a.definition_id AS "definitionID", a.execution_key AS "executionKey", a.batch_id AS "batchID", a.details`,
  table: 'audit_entries a',
};

const ofBusinessID =
  'EXISTS (SELECT 1 FROM instances i WHERE i.workflow_id = a.workflow_id AND i.project_id = a.project_id AND i.business_id = ?)';

function conditions(projectID: string, filter: AuditFilter): Filter {
  return new Filter()
    .where('a.project_id = ?', projectID)
    .whereGiven('a.actor = ?', filter.actor)
    .whereAny('a.operation', filter.operation)
    .whereGiven('a.workflow_id = ?', filter.workflowID)
    .whereGiven(ofBusinessID, filter.businessID)
    .whereGiven('a.definition_id = ?', filter.definitionID)
    .whereGiven('a.execution_key = ?', filter.executionKey)
    .whereGiven('a.batch_id = ?', filter.batchID)
    .whereAny('a.outcome', filter.outcome)
    .whereGiven('a.recorded_at >= ?', filter.since)
    .whereGiven('a.recorded_at <= ?', filter.until);
}

export async function listEntries(
  database: Queryable,
  projectID: string,
  filter: AuditFilter,
  { order, ...page }: PageRequest & { order: Order },
): Promise<Page<AuditEntry>> {
  const query = { ...entries, filter: conditions(projectID, filter), orderBy: `a.id ${order}` };
  return listPage<AuditEntry>(database, query, page);
}

/** Every entry, in the order of its recording. */
export async function* streamEntries(
  database: Database,
  projectID: string,
  filter: AuditFilter,
  order: Order,
): AsyncGenerator<AuditEntry> {
  const key = [{ column: 'a.id', type: 'bigint' }];
  yield* streamRows<AuditEntry>(database, { ...entries, filter: conditions(projectID, filter), key }, order);
}
