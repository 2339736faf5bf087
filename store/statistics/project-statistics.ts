/** The present state of a project in numbers, and the last 24 hours. */
import { firstRow, rows, type Queryable, type Database } from '../sql/database.js';
import { suspendedDefinitions } from '../instances/filters.js';
import { isKept } from '../publications/near-misses.js';
import { atOneMoment } from '../steps/recorded-steps.js';
import { foldedUntil } from './progress.js';
import { runningStatement } from './running-instances.js';
import { type Counter, counters, WHOLE_INSTANCE } from './rows.js';
import { SEPARATOR, Sketch } from './sketch.js';

export interface ProjectStatistics extends Present {
  asOf: Date;
  last24Hours: Record<Counter, number>;
  /** Longest first. */
  slowestNodes: SlowNode[];
}

export interface SlowNode {
  processID: string;
  nodeID: string;
  completed: number;
  p95Ms: number;
}

interface Present {
  running: number;
  paused: number;
  withIncident: number;
  overTarget: number;
  /** Running instances that are older than each of the ages. */
  runningByAge: number[];
  openIncidents: number;
  openTasks: number;
  unassignedTasks: number;
  overdueTasks: number;
  pendingJobs: number;
  oldestAvailableAt: Date | null;
  keptMessages: number;
}

const MAX_SLOW_NODES = 10;
/** Each hour of a node has up to two kilobytes of durations, which this process merges. */
const MAX_MEASURED_NODES = 500;

export async function readProjectStatistics(database: Database, projectID: string): Promise<ProjectStatistics> {
  return atOneMoment(database, async (moment) => ({
    asOf: await foldedUntil(moment),
    ...(await readPresent(moment, projectID)),
    last24Hours: await readLast24Hours(moment, projectID),
    slowestNodes: await readSlowestNodes(moment, projectID),
  }));
}

const isAnythingSuspended = `(EXISTS (SELECT FROM definitions WHERE project_id = $1 AND suspended_at IS NOT NULL)
  OR EXISTS (SELECT FROM instances WHERE project_id = $1 AND status = 'RUNNING' AND (suspended_at IS NOT NULL OR ancestor_suspended)))`;

/** Instances by index: those of suspended versions, then others that are suspended, or below what is. */
const countPaused = `
  SELECT count(*) AS paused FROM definitions d JOIN instances i ON i.project_id = $1 AND i.definition_id = d.id AND i.status = 'RUNNING'
  WHERE d.project_id = $1 AND d.suspended_at IS NOT NULL
  UNION ALL SELECT count(*) FROM (
    SELECT number, definition_id FROM instances WHERE project_id = $1 AND status = 'RUNNING' AND (suspended_at IS NOT NULL OR ancestor_suspended)
    UNION SELECT number, definition_id FROM instances WHERE project_id = $1 AND status = 'RUNNING' AND ancestor_definitions <> '{}'
      AND ancestor_definitions && ARRAY(${suspendedDefinitions})
  ) i JOIN definitions d ON d.id = i.definition_id AND d.suspended_at IS NULL`;

/** Each count reads a separate index; one statement for all three reads the rows. */
const countTasks = (condition = '') =>
  `(SELECT count(*) FROM user_tasks WHERE project_id = $1 AND status = 'CREATED' ${condition})::float8`;

const presentStatement = `
  SELECT * FROM (${runningStatement}
  ) instances, (
    SELECT CASE WHEN ${isAnythingSuspended} THEN (SELECT sum(paused) FROM (${countPaused}) p) ELSE 0 END::float8 AS paused
  ) pauses, (
    SELECT count(*) FILTER (WHERE status = 'RUNNING')::float8 AS "withIncident" FROM instances WHERE project_id = $1 AND open_incidents > 0
  ) halts, (
    SELECT count(*)::float8 AS "openIncidents" FROM incidents WHERE project_id = $1 AND status = 'OPEN'
  ) incidents, (
    SELECT ${countTasks()} AS "openTasks", ${countTasks('AND assignee IS NULL')} AS "unassignedTasks",
      ${countTasks('AND due_date < now()')} AS "overdueTasks"
  ) tasks, (
    SELECT count(*)::float8 AS "pendingJobs", min(available_at) FILTER (WHERE available_at <= now() AND NOT withheld) AS "oldestAvailableAt"
    FROM jobs WHERE project_id = $1 AND status = 'PENDING'
  ) jobs, (
    SELECT count(*)::float8 AS "keptMessages" FROM publications p WHERE p.project_id = $1 AND ${isKept}
  ) messages`;

async function readPresent(moment: Queryable, projectID: string): Promise<Present> {
  return (await firstRow<Present & { [column: string]: unknown }>(moment, presentStatement, [projectID]))!;
}

const ofLast24Hours = `FROM statistics WHERE project_id = $1 AND unit = 'hour' AND time > now() - interval '24 hours'`;

async function readLast24Hours(moment: Queryable, projectID: string): Promise<Record<Counter, number>> {
  const sums = counters.map((name) => `coalesce(sum(${name}), 0)::float8 AS ${name}`).join(', ');
  return (await firstRow<Record<Counter, number>>(
    moment,
    `SELECT ${sums} ${ofLast24Hours} AND node_id = '${WHOLE_INSTANCE}'`,
    [projectID],
  ))!;
}

interface NodeRow {
  processID: string;
  nodeID: string;
  completed: number;
  /** Of all versions and hours, with separators. */
  durations: Buffer;
}

async function readSlowestNodes(moment: Queryable, projectID: string): Promise<SlowNode[]> {
  const ofNodes = `${ofLast24Hours} AND node_id <> '${WHOLE_INSTANCE}' AND durations IS NOT NULL`;
  const nodes = await rows<NodeRow>(
    moment,
    `WITH measured AS (
       SELECT process_id, node_id, sum(completed)::float8 AS completed ${ofNodes} GROUP BY process_id, node_id
       HAVING sum(completed) > 0 ORDER BY sum(completed) DESC, process_id, node_id LIMIT ${MAX_MEASURED_NODES}
     )
     SELECT process_id AS "processID", node_id AS "nodeID", m.completed, string_agg(durations, ${SEPARATOR}) AS durations
     FROM measured m JOIN (SELECT process_id, node_id, durations ${ofNodes}) s USING (process_id, node_id)
     GROUP BY process_id, node_id, m.completed`,
    [projectID],
  );
  return nodes
    .map(({ durations, ...node }) => ({ ...node, p95Ms: Sketch.decode(durations).quantile(0.95) ?? 0 }))
    .toSorted((left, right) => right.p95Ms - left.p95Ms)
    .slice(0, MAX_SLOW_NODES);
}
