/**
 * Incidents: lists, and resolving one.
 */
import type { Pool } from 'pg';
import type { CommandBody } from '@perdure/engine/contract/commands.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import type { ErrorType } from '@perdure/engine/state/state.js';
import { unindexed } from '../sql/by-key.js';
import {
  commandValues,
  insertClaimed,
  submitted,
  takesCommands,
  type InsertedRow,
  type Request,
  type Submitted,
} from '../instances/commands.js';
import { firstRow, preparedRows, type Queryable } from '../sql/database.js';
import { executionKey, rowUUID } from '../sql/ids.js';
import { Filter, listPage, type Page, type PageRequest } from '../sql/page.js';
import { refusalByInstance, refused, type Refusal } from '../sql/refusal.js';

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

interface StoredIncident extends Omit<IncidentRecord, 'id' | 'incidentID' | 'previousIncidentID'> {
  number: number;
  previous: number | null;
}

const joins = 'JOIN definitions d ON d.id = n.definition_id';

const columns = `
  n.workflow_id AS "workflowID", n.number, n.previous, n.definition_id AS "definitionID", d.process_id AS "processID",
  d.process_name AS "processName", d.version AS "processVersion", n.node_id AS "nodeID", n.element, n.status,
  n.error_type AS "errorType", n.error_code AS "errorCode", n.message, n.raised_at AS "raisedAt", n.ended_at AS "endedAt",
  n.resolved_by AS "resolvedBy"`;

function toIncident({ number, previous, ...incident }: StoredIncident): IncidentRecord {
  const { workflowID } = incident;
  return {
    ...incident,
    id: rowUUID(workflowID, number),
    incidentID: executionKey(workflowID, number),
    previousIncidentID: previous === null ? null : executionKey(workflowID, previous),
  };
}

export interface IncidentFilter {
  definitionID?: string | undefined;
  workflowID?: string | undefined;
  /** With `workflowID`: also those of its descendants. */
  includeChildren?: boolean | undefined;
  status?: 'open' | 'resolved' | undefined;
  errorType?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

/** Incidents of a project, newest first. */
export async function listIncidents(
  database: Queryable,
  projectID: string,
  filter: IncidentFilter,
  page: PageRequest,
): Promise<Page<IncidentRecord>> {
  const conditions = new Filter()
    .where('n.project_id = ?', projectID)
    .whereGiven('n.definition_id = ?', filter.definitionID)
    .whereGiven(
      filter.includeChildren ? `n.workflow_id IN (${withDescendants})` : 'n.workflow_id = ?',
      filter.workflowID,
    )
    .whereGiven('n.error_type = ?', filter.errorType)
    .whereGiven('n.raised_at >= ?', filter.since)
    .whereGiven('n.raised_at <= ?', filter.until);
  if (filter.status !== undefined)
    conditions.whereTrue(filter.status === 'open' ? "n.status = 'OPEN'" : "n.status <> 'OPEN'");
  const query = {
    columns,
    table: 'incidents n',
    joins,
    filter: conditions,
    orderBy: 'n.raised_at DESC, n.workflow_id, n.number DESC',
  };
  const { data, total } = await listPage<StoredIncident>(database, query, page);
  return { data: data.map(toIncident), total };
}

const withDescendants = `
  WITH RECURSIVE descendants AS (
    SELECT ?::text COLLATE "C" AS workflow_id
    UNION ALL
    SELECT i.workflow_id FROM instances i JOIN descendants d ON i.parent_workflow_id = d.workflow_id
  ) SELECT workflow_id FROM descendants`;

/** Locks the instance, then the incident; claims the incident; numbers the command; inserts it. */
const resolveStatement = `
  WITH instance AS MATERIALIZED (
    SELECT workflow_id, command_count FROM instances
    WHERE ${takesCommands} FOR UPDATE
  ), claim AS (
    UPDATE incidents n SET ending_command = instance.command_count + 1
    FROM instance WHERE n.workflow_id = $1 AND n.number = $8 AND ${unindexed('n.status')} = 'OPEN' AND n.ending_command IS NULL
    RETURNING n.workflow_id
  ), ${insertClaimed}
  SELECT id, number, "lingeringWorker" FROM inserted`;

/** Requests that the instance continues at its incident; one of several requests wins. */
export async function resolveIncident(
  pool: Pool,
  request: Request & { number: number; variables?: Variables | undefined },
): Promise<Submitted | Refusal<'NOT_FOUND' | 'CONFLICT' | 'INSTANCE_ENDED'>> {
  const { number, variables } = request;
  const body: CommandBody = { kind: 'RESOLVE_INCIDENT', incident: number, ...(variables && { variables }) };
  const [row] = await preparedRows<InsertedRow>(pool, 'resolve incident', resolveStatement, [
    ...commandValues(request, body),
    request.projectID,
    number,
  ]);
  return row ? submitted(request, body, row) : explain(pool, request);
}

async function explain(
  pool: Pool,
  { projectID, workflowID, number }: { projectID: string; workflowID: string; number: number },
): Promise<Refusal<'NOT_FOUND' | 'CONFLICT' | 'INSTANCE_ENDED'>> {
  const incident = await firstRow<{ status: string; ending: boolean; instanceStatus: string; canceling: boolean }>(
    pool,
    `SELECT n.status, n.ending_command IS NOT NULL AS ending, i.status AS "instanceStatus", i.canceling
     FROM incidents n JOIN instances i USING (workflow_id) WHERE n.project_id = $1 AND n.workflow_id = $2 AND n.number = $3`,
    [projectID, workflowID, number],
  );
  if (!incident)
    return refused('NOT_FOUND', `There is no incident ${number} of instance ${workflowID} in this project`);
  const open = incident.status === 'OPEN' && !incident.ending;
  const byInstance =
    open && refusalByInstance(workflowID, { status: incident.instanceStatus, canceling: incident.canceling });
  return byInstance || refused('CONFLICT', `Incident ${number} of instance ${workflowID} is no longer open`);
}
