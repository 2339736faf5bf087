/** The present state of a project in numbers, and the last 24 hours. */
import { firstRow, rows, type Queryable } from '../sql/database.js';
import { paused } from '../instances/filters.js';
import { isKept } from '../publications/near-misses.js';
import { atOneMoment } from '../steps/recorded-steps.js';
import { isOverTarget } from '../targets/over-target.js';
import { foldedUntil } from './progress.js';
import { addRow, noSums, sumsColumns, WHOLE_INSTANCE, type Sums, type SumsRow } from './rows.js';

export interface ProjectStatistics extends Present {
  asOf: Date;
  last24Hours: Sums;
  /** Longest first. */
  slowestNodes: SlowNode[];
}

export interface SlowNode {
  processID: string;
  nodeID: string;
  sums: Sums;
}

interface Present {
  running: number;
  paused: number;
  withIncident: number;
  overTarget: number;
  /** Running instances that are older than each of `AGES_HOURS`. */
  runningByAge: number[];
  openIncidents: number;
  openTasks: number;
  unassignedTasks: number;
  overdueTasks: number;
  pendingJobs: number;
  oldestAvailableAt: Date | null;
  keptMessages: number;
}

export const AGES_HOURS = [1, 24, 7 * 24, 30 * 24];
const MOST_SLOW_NODES = 10;

export async function readProjectStatistics(database: Queryable, projectID: string): Promise<ProjectStatistics> {
  return atOneMoment(database, async (moment) => ({
    asOf: await foldedUntil(moment),
    ...(await readPresent(moment, projectID)),
    ...(await readLast24Hours(moment, projectID)),
  }));
}

const olderThan = AGES_HOURS.map(
  (hours) => `count(*) FILTER (WHERE i.created_at < now() - interval '${hours} hours')::float8`,
);

const presentStatement = `
  SELECT * FROM (
    SELECT count(*)::float8 AS running, count(*) FILTER (WHERE ${paused})::float8 AS paused,
      count(*) FILTER (WHERE i.open_incidents > 0)::float8 AS "withIncident", ARRAY[${olderThan.join(', ')}] AS "runningByAge"
    FROM instances i WHERE i.project_id = $1 AND i.status = 'RUNNING'
  ) instances, (
    SELECT count(*)::float8 AS "overTarget" FROM instances i
    WHERE i.project_id = $1 AND i.status = 'RUNNING' AND i.definition_id = ANY (ARRAY(
      SELECT d.id FROM definitions d JOIN targets t ON t.project_id = d.project_id AND t.process_id = d.process_id AND t.node_id = ''
      WHERE d.project_id = $1)) AND ${isOverTarget('i')}
  ) targets, (
    SELECT count(*)::float8 AS "openIncidents" FROM incidents WHERE project_id = $1 AND status = 'OPEN'
  ) incidents, (
    SELECT count(*)::float8 AS "openTasks", count(*) FILTER (WHERE assignee IS NULL)::float8 AS "unassignedTasks",
      count(*) FILTER (WHERE due_date < now())::float8 AS "overdueTasks"
    FROM user_tasks WHERE project_id = $1 AND status = 'CREATED'
  ) tasks, (
    SELECT count(*)::float8 AS "pendingJobs", min(available_at) FILTER (WHERE available_at <= now() AND NOT held) AS "oldestAvailableAt"
    FROM jobs WHERE project_id = $1 AND status = 'PENDING'
  ) jobs, (
    SELECT count(*)::float8 AS "keptMessages" FROM publications p WHERE p.project_id = $1 AND ${isKept}
  ) messages`;

async function readPresent(moment: Queryable, projectID: string): Promise<Present> {
  return (await firstRow<Present & { [column: string]: unknown }>(moment, presentStatement, [projectID]))!;
}

async function readLast24Hours(
  moment: Queryable,
  projectID: string,
): Promise<Pick<ProjectStatistics, 'last24Hours' | 'slowestNodes'>> {
  const found = await rows<SumsRow & { processID: string; nodeID: string }>(
    moment,
    `SELECT process_id AS "processID", node_id AS "nodeID", ${sumsColumns} FROM statistics
     WHERE project_id = $1 AND unit = 'hour' AND time > now() - interval '24 hours'`,
    [projectID],
  );
  const last24Hours = noSums();
  const nodes = new Map<string, SlowNode>();
  for (const row of found) {
    const { processID, nodeID } = row;
    if (nodeID === WHOLE_INSTANCE) {
      addRow(last24Hours, row);
      continue;
    }
    const key = JSON.stringify([processID, nodeID]);
    const node = nodes.get(key) ?? { processID, nodeID, sums: noSums() };
    addRow(node.sums, row);
    nodes.set(key, node);
  }
  return { last24Hours, slowestNodes: slowest([...nodes.values()]) };
}

function slowest(nodes: readonly SlowNode[]): SlowNode[] {
  return nodes
    .filter(({ sums }) => sums.completed > 0)
    .map((node) => ({ node, p95: node.sums.durations.quantile(0.95) ?? 0 }))
    .toSorted((left, right) => right.p95 - left.p95)
    .slice(0, MOST_SLOW_NODES)
    .map(({ node }) => node);
}
