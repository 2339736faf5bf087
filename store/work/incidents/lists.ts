/** Incidents in lists. */
import type { ErrorType } from '@perdure/engine/state/state.js';
import { readPage, streamList, type List, type SortedPageRequest } from '../../lists/list.js';
import type { Queryable } from '../../sql/database.js';
import { executionKey, rowUUID } from '../../sql/ids.js';
import type { Order, Page } from '../../sql/page.js';
import { incidentFilters, type IncidentFilter } from './filters.js';

export interface IncidentRecord {
  id: string;
  incidentID: string;
  previousIncidentID: string | null;
  workflowID: string;
  definitionID: string;
  processID: string;
  processName: string | null;
  processVersion: number;
  nodeID: string;
  /** The element instance that waits at it. */
  element: number;
  /** The element instance around it; null in rows of builds that did not record it. */
  scope: number | null;
  /** The job or user task whose failure raised it. */
  executionKey: string | null;
  groupID: string;
  /** WITHDRAWN: its element ended, so there was nothing to resolve. */
  status: 'OPEN' | 'RESOLVED' | 'WITHDRAWN';
  errorType: ErrorType;
  errorCode: string | null;
  message: string;
  raisedAt: Date;
  /** When it was resolved or withdrawn. */
  endedAt: Date | null;
  resolvedBy: string | null;
}

interface StoredIncident extends Omit<IncidentRecord, 'id' | 'incidentID' | 'previousIncidentID' | 'executionKey'> {
  number: number;
  previous: number | null;
  failedWork: number | null;
}

export const incidentSorts = ['raisedAt'] as const;
export type IncidentSort = (typeof incidentSorts)[number];

const incidentList: List<typeof incidentFilters, IncidentSort> = {
  columns: `
    n.workflow_id AS "workflowID", n.number, n.previous, n.definition_id AS "definitionID", d.process_id AS "processID",
    d.process_name AS "processName", d.version AS "processVersion", n.node_id AS "nodeID", n.element, n.scope, n.status,
    n.error_type AS "errorType", n.error_code AS "errorCode", n.message, n.raised_at AS "raisedAt", n.ended_at AS "endedAt",
    n.resolved_by AS "resolvedBy", n.failed_work AS "failedWork", n.group_id AS "groupID"`,
  table: 'incidents n',
  joins: 'JOIN definitions d ON d.id = n.definition_id',
  projectColumn: 'n.project_id',
  filters: incidentFilters,
  sorts: {
    raisedAt: { by: (direction) => `n.raised_at ${direction}, n.workflow_id, n.number ${direction}` },
  },
  key: [
    { column: 'n.raised_at', type: 'timestamptz' },
    { column: 'n.workflow_id', type: 'text' },
    { column: 'n.number', type: 'integer' },
  ],
};

function toIncident({ number, previous, failedWork, ...incident }: StoredIncident): IncidentRecord {
  const { workflowID } = incident;
  return {
    ...incident,
    id: rowUUID(workflowID, number),
    incidentID: executionKey(workflowID, number),
    previousIncidentID: previous === null ? null : executionKey(workflowID, previous),
    executionKey: failedWork === null ? null : executionKey(workflowID, failedWork),
  };
}

export async function listIncidents(
  database: Queryable,
  projectID: string,
  filter: IncidentFilter,
  page: SortedPageRequest<IncidentSort>,
): Promise<Page<IncidentRecord>> {
  const { data, ...totals } = await readPage<StoredIncident, typeof incidentFilters, IncidentSort>(
    database,
    incidentList,
    projectID,
    filter,
    page,
  );
  return { data: data.map(toIncident), ...totals };
}

/** All incidents that match, in the order in which they were raised. */
export async function* streamIncidents(
  database: Queryable,
  projectID: string,
  filter: IncidentFilter,
  order: Order,
): AsyncGenerator<IncidentRecord> {
  const stored = streamList<StoredIncident, typeof incidentFilters, IncidentSort>(
    database,
    incidentList,
    projectID,
    filter,
    order,
  );
  for await (const incident of stored) yield toIncident(incident);
}
