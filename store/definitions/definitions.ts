/** Deployed processes: each version of each, and summaries of them. */
import { ordinaryProject } from '../projects/tests.js';
import { firstRow, rows, type Queryable } from '../sql/database.js';
import { filterBy, filterByTime, filterByTruth, type FilterValues } from '../lists/filters.js';
import { readFixedPage, type FixedList } from '../lists/list.js';
import type { Page, PageRequest } from '../sql/page.js';

/** One deployed version of a process. */
export interface Definition {
  definitionID: string;
  projectID: string;
  resourceID: string;
  resourceName: string;
  processID: string;
  processName: string | null;
  version: number;
  versionTag: string | null;
  graphSha256: string;
  createdAt: Date;
  suspendedAt: Date | null;
  suspendedBy: string | null;
  suspendReason: string | null;
  /** Of starts only. */
  startsSuspendedAt: Date | null;
  startsSuspendedBy: string | null;
  startsSuspendReason: string | null;
  scheduledSuspension: ScheduledSuspension | null;
}

export interface ScheduledSuspension {
  /** RFC 3339. */
  at: string;
  /** Whether running instances pause as well. */
  instances: boolean;
  scheduledBy: string;
  reason: string | null;
}

const joins = 'JOIN resources r ON r.id = d.resource_id';

const columns = `
  d.id AS "definitionID", d.project_id AS "projectID", d.resource_id AS "resourceID", r.name AS "resourceName",
  d.process_id AS "processID", d.process_name AS "processName", d.version, d.version_tag AS "versionTag",
  d.graph_sha256 AS "graphSha256", d.created_at AS "createdAt", d.suspended_at AS "suspendedAt",
  d.suspended_by AS "suspendedBy", d.suspend_reason AS "suspendReason",
  d.starts_suspended_at AS "startsSuspendedAt", d.starts_suspended_by AS "startsSuspendedBy", d.starts_suspend_reason AS "startsSuspendReason",
  CASE WHEN d.suspension_scheduled_at IS NOT NULL THEN json_build_object('at', d.suspension_scheduled_at,
    'instances', d.suspension_scheduled_instances, 'scheduledBy', d.suspension_scheduled_by,
    'reason', d.suspension_scheduled_reason) END AS "scheduledSuspension"`;

/** A test runs a definition of the tests, and calls those of its project. */
const ofProjectOrItsTests = `${ordinaryProject('d.project_id')} = ${ordinaryProject('$1')}`;

/** Also finds definitions of tests, which no list has. */
export async function findDefinition(
  database: Queryable,
  projectID: string,
  definitionID: string,
): Promise<Definition | undefined> {
  return firstRow<Definition>(
    database,
    `SELECT ${columns} FROM definitions d ${joins} WHERE ${ofProjectOrItsTests} AND d.id = $2`,
    [projectID, definitionID],
  );
}

/** One version of a process by its number. */
export async function findVersion(
  database: Queryable,
  projectID: string,
  processID: string,
  version: number,
): Promise<Definition | undefined> {
  return firstRow<Definition>(
    database,
    `SELECT ${columns} FROM definitions d ${joins} WHERE d.project_id = $1 AND d.process_id = $2 AND d.version = $3`,
    [projectID, processID, version],
  );
}

/** The BPMN file that the definition was deployed with. */
export async function definitionXML(
  database: Queryable,
  projectID: string,
  definitionID: string,
): Promise<string | undefined> {
  const row = await firstRow<{ xml: string }>(
    database,
    `SELECT r.xml FROM definitions d ${joins} WHERE ${ofProjectOrItsTests} AND d.id = $2`,
    [projectID, definitionID],
  );
  return row?.xml;
}

/** The processes that a resource was deployed as. */
export async function definitionsOfResource(
  database: Queryable,
  projectID: string,
  resourceID: string,
): Promise<Definition[]> {
  return rows<Definition>(
    database,
    `SELECT ${columns} FROM definitions d ${joins} WHERE d.project_id = $1 AND d.resource_id = $2 ORDER BY d.process_id`,
    [projectID, resourceID],
  );
}

/** Limit on the instances counted for each row of a page. */
export const MAX_COUNTED = 10_000;

export interface InstanceCounts {
  /** Up to `MAX_COUNTED`, like the next. */
  runningCount: number;
  totalCount: number;
}

const count = (condition: string) =>
  `(SELECT count(*)::float8 FROM (SELECT 1 FROM instances i WHERE ${condition} LIMIT ${MAX_COUNTED}) AS counted)`;

export interface ProcessVersion extends Definition, InstanceCounts {}

const counts = `
  ${count("i.project_id = d.project_id AND i.definition_id = d.id AND i.status = 'RUNNING'")} AS "runningCount",
  ${count('i.definition_id = d.id')} AS "totalCount"`;

export const versionFilters = {
  createdAfter: filterByTime('Deployed after', 'd.created_at', 'after'),
  suspended: filterByTruth(
    'Suspension',
    ['Suspended', 'd.suspended_at IS NOT NULL'],
    ['Not suspended', 'd.suspended_at IS NULL'],
  ),
};

const versionList: FixedList<typeof versionFilters> = {
  columns: `${columns}, ${counts}`,
  table: 'definitions d',
  joins,
  projectColumn: 'd.project_id',
  filters: versionFilters,
  orderBy: 'd.version DESC',
};

/** Versions of one process, newest first. */
export function listVersions(
  database: Queryable,
  projectID: string,
  processID: string,
  filter: FilterValues<typeof versionFilters>,
  page: PageRequest,
): Promise<Page<ProcessVersion>> {
  return readFixedPage(database, versionList, projectID, filter, page, (conditions) =>
    conditions.where('d.process_id = ?', processID),
  );
}

export interface ProcessSummary extends InstanceCounts {
  processID: string;
  /** Of the newest version. */
  processName: string | null;
  versionCount: number;
  suspendedVersionCount: number;
}

const processes = `(
  SELECT project_id, process_id AS "processID", (array_agg(process_name ORDER BY version DESC))[1] AS "processName",
    count(*)::float8 AS "versionCount", count(suspended_at)::float8 AS "suspendedVersionCount", max(created_at) AS deployed_at,
    array_agg(id) AS definitions
  FROM definitions GROUP BY project_id, process_id) p`;

const processCounts = `
  ${count("i.project_id = p.project_id AND i.definition_id = ANY(p.definitions) AND i.status = 'RUNNING'")} AS "runningCount",
  ${count('i.definition_id = ANY(p.definitions)')} AS "totalCount"`;

const inIdOrName = 'strpos(lower(p."processID" || E\'\\n\' || coalesce(p."processName", \'\')), lower(?)) > 0';

export const processFilters = {
  q: filterBy('name', 'Id or name contains', inIdOrName),
  /** Deployed, for the first time or again, after this time. */
  createdAfter: filterByTime('Deployed after', 'p.deployed_at', 'after'),
  /** Whether one of its versions is suspended. */
  suspended: filterByTruth(
    'Suspension',
    ['With a suspended version', 'p."suspendedVersionCount" > 0'],
    ['Without', 'p."suspendedVersionCount" = 0'],
  ),
};

const processList: FixedList<typeof processFilters> = {
  columns: `p."processID", p."processName", p."versionCount", p."suspendedVersionCount", ${processCounts}`,
  table: processes,
  joins: '',
  projectColumn: 'p.project_id',
  filters: processFilters,
  orderBy: 'p."processID"',
};

/** Processes of a project with all their versions, by id. */
export function listProcesses(
  database: Queryable,
  projectID: string,
  filter: FilterValues<typeof processFilters>,
  page: PageRequest,
): Promise<Page<ProcessSummary>> {
  return readFixedPage(database, processList, projectID, filter, page);
}
