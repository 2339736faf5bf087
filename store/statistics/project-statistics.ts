/** The present state of a project in numbers, and the last 24 hours. */
import { firstRow, rows, type Queryable } from '../sql/database.js';
import { paused } from '../instances/filters.js';
import { isKept } from '../publications/near-misses.js';
import { atOneMoment } from '../steps/recorded-steps.js';
import { foldedUntil } from './progress.js';
import { type Counter, counters, WHOLE_INSTANCE } from './rows.js';
import { Sketch } from './sketch.js';

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
    last24Hours: await readLast24Hours(moment, projectID),
    slowestNodes: await readSlowestNodes(moment, projectID),
  }));
}

/**
 * Numbers are in the order of creation, apart from a few milliseconds, so that an index without times is enough to count
 * by age.
 */
const lastBefore = (time: string) =>
  `(SELECT number FROM instances WHERE project_id = $1 AND created_at < ${time} ORDER BY created_at DESC LIMIT 1)`;

const olderThan = AGES_HOURS.map(
  (hours) => `count(*) FILTER (WHERE i.number <= ${lastBefore(`now() - interval '${hours} hours'`)})`,
);

/**
 * Numbers of instances that are over the target, present or former, under which they began; like `isOverTarget`. They are
 * ranges, because a target that changes daily would be counted in hundreds of parts otherwise.
 */
const overTargets = `
  SELECT process_id, unnest(range_agg(int8range(after, up_to, '(]'))) AS numbers FROM (
    SELECT process_id, coalesce(${lastBefore('t.since')}, 0) AS after,
      ${lastBefore("least(t.until, now() - t.duration_ms * interval '1 millisecond')")} AS up_to
    FROM targets t WHERE project_id = $1 AND node_id = ''
  ) t WHERE up_to > after GROUP BY process_id`;

const isAnythingSuspended = `(EXISTS (SELECT FROM definitions WHERE project_id = $1 AND suspended_at IS NOT NULL)
  OR EXISTS (SELECT FROM instances WHERE project_id = $1 AND suspended_at IS NOT NULL))`;

/** Each count reads a separate index; one statement for all three reads the rows. */
const countTasks = (condition = '') =>
  `(SELECT count(*) FROM user_tasks WHERE project_id = $1 AND status = 'CREATED' ${condition})::float8`;

const presentStatement = `
  SELECT * FROM (
    SELECT coalesce(sum(running), 0)::float8 AS running,
      ARRAY[${AGES_HOURS.map((_, index) => `coalesce(sum(older[${index + 1}]), 0)::float8`).join(', ')}] AS "runningByAge"
    FROM definitions d CROSS JOIN LATERAL (
      SELECT count(*) AS running, ARRAY[${olderThan.join(', ')}] AS older
      FROM instances i WHERE i.project_id = $1 AND i.definition_id = d.id AND i.status = 'RUNNING'
    ) of_version WHERE d.project_id = $1
  ) instances, (
    SELECT CASE WHEN ${isAnythingSuspended} THEN (SELECT count(*) FROM instances i WHERE i.project_id = $1 AND ${paused}) ELSE 0 END::float8 AS paused
  ) pauses, (
    SELECT count(*)::float8 AS "withIncident" FROM instances WHERE project_id = $1 AND status = 'RUNNING' AND open_incidents > 0
  ) halts, (
    WITH over_targets AS MATERIALIZED (${overTargets})
    SELECT coalesce(sum(over_target), 0)::float8 AS "overTarget" FROM over_targets t
    JOIN definitions d ON d.project_id = $1 AND d.process_id = t.process_id CROSS JOIN LATERAL (
      SELECT count(*) AS over_target FROM instances i
      WHERE i.project_id = $1 AND i.definition_id = d.id AND i.status = 'RUNNING' AND i.number >= lower(t.numbers) AND i.number < upper(t.numbers)
    ) of_version
  ) targets, (
    SELECT count(*)::float8 AS "openIncidents" FROM incidents WHERE project_id = $1 AND status = 'OPEN'
  ) incidents, (
    SELECT ${countTasks()} AS "openTasks", ${countTasks('AND assignee IS NULL')} AS "unassignedTasks",
      ${countTasks('AND due_date < now()')} AS "overdueTasks"
  ) tasks, (
    SELECT count(*)::float8 AS "pendingJobs", min(available_at) FILTER (WHERE available_at <= now() AND NOT held) AS "oldestAvailableAt"
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

interface NodeHour {
  processID: string;
  nodeID: string;
  completed: number;
  durations: Buffer;
}

async function readSlowestNodes(moment: Queryable, projectID: string): Promise<SlowNode[]> {
  const hours = await rows<NodeHour>(
    moment,
    `SELECT process_id AS "processID", node_id AS "nodeID", completed::float8 AS completed, durations ${ofLast24Hours}
       AND node_id <> '${WHOLE_INSTANCE}' AND durations IS NOT NULL`,
    [projectID],
  );
  const nodes = new Map<string, Omit<NodeHour, 'durations'> & { durations: Sketch }>();
  for (const { processID, nodeID, completed, durations } of hours) {
    const key = `${processID}\n${nodeID}`;
    const node = nodes.get(key) ?? { processID, nodeID, completed: 0, durations: new Sketch() };
    node.completed += completed;
    node.durations.mergeEncoded(durations);
    nodes.set(key, node);
  }
  return [...nodes.values()]
    .filter(({ completed }) => completed > 0)
    .map(({ durations, ...node }) => ({ ...node, p95Ms: durations.quantile(0.95) ?? 0 }))
    .toSorted((left, right) => right.p95Ms - left.p95Ms)
    .slice(0, MOST_SLOW_NODES);
}
