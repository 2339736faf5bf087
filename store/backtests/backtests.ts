/** Backtests in lists and details. How they are carried out is in `turns.ts`. */
import { filterBy, filterByWords, type FilterValues } from '../lists/filters.js';
import { readFixedPage, readPage, streamList, type FixedList, type List } from '../lists/list.js';
import { firstRow, type Queryable } from '../sql/database.js';
import type { Page, PageRequest } from '../sql/page.js';
import { Sketch } from '../statistics/sketch.js';

export const backtestStatuses = ['RUNNING', 'COMPLETED', 'CANCELED'] as const;
export type BacktestStatus = (typeof backtestStatuses)[number];

export const backtestOutcomes = ['SAME', 'OTHER_PATH', 'OTHER_RESULT', 'INCIDENT', 'UNANSWERED', 'SKIPPED'] as const;
export type BacktestOutcome = (typeof backtestOutcomes)[number];

/** Those of a backtest that reports show, the largest. */
const MAX_GROUPS = 100;

export interface BacktestCounts {
  same: number;
  otherPath: number;
  otherResult: number;
  incident: number;
  unanswered: number;
  skipped: number;
}

export interface Percentiles {
  p50: number;
  p95: number;
}

export interface BacktestGroup {
  outcome: BacktestOutcome;
  nodeID: string | null;
  reason: string;
  count: number;
  examples: string[];
  durationMs?: Percentiles;
  durationBeforeMs?: Percentiles;
}

/** The version of a backtest. */
export interface BacktestedVersion {
  backtestID: string;
  projectID: string;
  /** Null: a draft. */
  definitionID: string | null;
  graphSha256: string;
}

/** How often each sequence flow was taken before and after, by id. */
export type FlowCounts = Record<string, [before: number, after: number]>;

export interface Backtest {
  backtestID: string;
  processID: string;
  definitionID: string | null;
  /** Number of the version; null for a draft, and if it was deleted. */
  version: number | null;
  resourceID: string | null;
  /** Of the file of the draft; null for a version, and if it was deleted. */
  draftName: string | null;
  status: BacktestStatus;
  createdBy: string;
  createdAt: Date;
  completedAt: Date | null;
  reason: string | null;
  total: number;
  counts: BacktestCounts;
  groups: BacktestGroup[];
  flows: FlowCounts;
}

export interface BacktestItem {
  position: number;
  workflowID: string;
  outcome: BacktestOutcome;
  nodeID: string | null;
  occurrence: number | null;
  expected: string[] | null;
  found: string[] | null;
  variables: string[] | null;
  durationMs: number | null;
  durationBeforeMs: number | null;
  reason: string | null;
}

interface GroupRow extends Omit<BacktestGroup, 'durationMs' | 'durationBeforeMs'> {
  /** Hexadecimal. */
  durations: string;
  durationsBefore: string;
}

type Row = Omit<Backtest, 'groups'> & { groups: GroupRow[] | null };

const columns = `
  b.id AS "backtestID", b.process_id AS "processID", b.definition_id AS "definitionID", b.resource_id AS "resourceID", b.status,
  (SELECT version FROM definitions WHERE id = b.definition_id) AS version, (SELECT name FROM resources WHERE id = b.resource_id) AS "draftName",
  b.created_by AS "createdBy", b.created_at AS "createdAt", b.completed_at AS "completedAt", b.reason, b.total,
  json_build_object('same', b.same, 'otherPath', b.other_path, 'otherResult', b.other_result, 'incident', b.incident,
    'unanswered', b.unanswered, 'skipped', b.skipped) AS counts, b.flows,
  (SELECT json_agg(json_build_object('outcome', g.outcome, 'nodeID', g.node_id, 'reason', g.reason, 'count', g.count, 'examples', g.examples,
    'durations', encode(g.durations, 'hex'), 'durationsBefore', encode(g.durations_before, 'hex')))
    FROM (SELECT * FROM backtest_groups WHERE backtest_id = b.id ORDER BY count DESC, cause LIMIT ${MAX_GROUPS}) g) AS groups`;

export async function findBacktest(
  database: Queryable,
  projectID: string,
  backtestID: string,
): Promise<Backtest | undefined> {
  const found = await firstRow<Row>(
    database,
    `SELECT ${columns} FROM backtests b WHERE b.project_id = $1 AND b.id = $2`,
    [projectID, backtestID],
  );
  return found && withGroups(found);
}

export async function backtestExists(database: Queryable, projectID: string, backtestID: string): Promise<boolean> {
  const found = await firstRow(database, 'SELECT FROM backtests WHERE project_id = $1 AND id = $2', [
    projectID,
    backtestID,
  ]);
  return found !== undefined;
}

export const backtestFilters = {
  processId: filterBy('modelID', 'Process id', 'b.process_id = ?'),
  status: filterByWords('Status', 'b.status', backtestStatuses),
  definitionID: filterBy('uuid', 'Version id', 'b.definition_id = ?::uuid'),
  resourceID: filterBy('uuid', 'Draft id', 'b.resource_id = ?::uuid'),
};

const backtestList: FixedList<typeof backtestFilters> = {
  columns,
  table: 'backtests b',
  joins: '',
  projectColumn: 'b.project_id',
  filters: backtestFilters,
  orderBy: 'b.number DESC',
};

/** Backtests of a project, newest first. */
export async function listBacktests(
  database: Queryable,
  projectID: string,
  filter: FilterValues<typeof backtestFilters>,
  page: PageRequest,
): Promise<Page<Backtest>> {
  const { data, ...rest } = await readFixedPage<Row, typeof backtestFilters>(
    database,
    backtestList,
    projectID,
    filter,
    page,
  );
  return { ...rest, data: data.map(withGroups) };
}

export const backtestItemFilters = {
  outcome: filterByWords('Outcome', 'i.outcome', backtestOutcomes),
  /** Where the first difference is. */
  nodeID: filterBy('modelID', 'Node id', 'i.node_id = ?'),
};

type ItemFilter = FilterValues<typeof backtestItemFilters>;

const itemColumns = `i.position, i.workflow_id AS "workflowID", i.outcome, i.node_id AS "nodeID", i.occurrence, i.expected, i.found, i.variables,
    i.duration_ms::float8 AS "durationMs", i.duration_before_ms::float8 AS "durationBeforeMs", i.reason`;

const itemList: List<typeof backtestItemFilters, 'position'> = {
  columns: itemColumns,
  table: 'backtest_items i',
  joins: '',
  projectColumn: 'i.backtest_id',
  always: 'i.outcome IS NOT NULL',
  filters: backtestItemFilters,
  sorts: { position: { by: () => 'i.position' } },
  key: [{ column: 'i.position', type: 'integer' }],
};

/** Those that have been compared, newest instance first. The caller has found the backtest in its project. */
export function listBacktestItems(
  database: Queryable,
  backtestID: string,
  filter: ItemFilter,
  page: PageRequest,
): Promise<Page<BacktestItem>> {
  return readPage(database, itemList, backtestID, filter, page);
}

/** One instance that was compared, with the version that it was compared with. */
export type ItemOfVersion = BacktestItem & BacktestedVersion;

/** @returns undefined for what is unknown, or not compared yet */
export async function findBacktestItem(
  database: Queryable,
  { projectID, backtestID, workflowID }: { projectID: string; backtestID: string; workflowID: string },
): Promise<ItemOfVersion | undefined> {
  return firstRow<ItemOfVersion>(
    database,
    `SELECT ${itemColumns}, b.id AS "backtestID", b.project_id AS "projectID", b.definition_id AS "definitionID", b.graph_sha256 AS "graphSha256"
     FROM backtests b JOIN backtest_items i ON i.backtest_id = b.id
     WHERE b.project_id = $1 AND b.id = $2 AND i.workflow_id = $3 AND i.outcome IS NOT NULL`,
    [projectID, backtestID, workflowID],
  );
}

export function streamBacktestItems(
  database: Queryable,
  backtestID: string,
  filter: ItemFilter,
): AsyncGenerator<BacktestItem> {
  return streamList(database, itemList, backtestID, filter, 'asc');
}

function withGroups({ groups, ...backtest }: Row): Backtest {
  return { ...backtest, groups: (groups ?? []).map(groupOf) };
}

function groupOf({ durations, durationsBefore, ...group }: GroupRow): BacktestGroup {
  const after = percentilesOf(durations);
  const before = percentilesOf(durationsBefore);
  return { ...group, ...(after && { durationMs: after }), ...(before && { durationBeforeMs: before }) };
}

function percentilesOf(encoded: string): Percentiles | undefined {
  const sketch = Sketch.decode(Buffer.from(encoded, 'hex'));
  const p50 = sketch.quantile(0.5);
  const p95 = sketch.quantile(0.95);
  return p50 === undefined || p95 === undefined ? undefined : { p50, p95 };
}
