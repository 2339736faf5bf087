/** Statistics of one process, read from the sums by hour and by day. */
import { firstRow, rows, type Queryable, type Database } from '../sql/database.js';
import { atOneMoment } from '../steps/recorded-steps.js';
import { readTargetCounts, type TargetCount } from '../targets/counts.js';
import { foldedUntil } from './progress.js';
import { partsOf, readsOf, stepsOf, type Part, type Range, type Unit } from './range.js';
import { addRow, flowOfKey, mergedColumns, noSums, WHOLE_INSTANCE, type Sums, type SumsRow } from './rows.js';

export interface ProcessStatisticsQuery {
  projectID: string;
  processID: string;
  /** Default: all versions. */
  version?: number | undefined;
  range: Range;
  step: Unit;
}

export interface NodeSums extends Sums {
  nodeID: string;
  /** The newest version with sums of the node. */
  version: number;
}

export interface ProcessStatistics {
  asOf: Date;
  /** Of the instances as a whole, one for each step of the range. */
  series: (Sums & { time: number })[];
  nodes: NodeSums[];
  /** How often each sequence flow was taken. */
  flows: { flowID: string; taken: number }[];
  targets: TargetCount[];
}

/** Undefined if the project has no such process and never counted one. */
export async function readProcessStatistics(
  database: Database,
  query: ProcessStatisticsQuery,
): Promise<ProcessStatistics | undefined> {
  return atOneMoment(database, async (moment) => {
    if (!(await isKnown(moment, query))) return undefined;
    return {
      asOf: await foldedUntil(moment),
      series: await readSeries(moment, query),
      ...(await readNodesAndFlows(moment, query)),
      targets: await readTargetCounts(moment, query),
    };
  });
}

async function isKnown(moment: Queryable, { projectID, processID }: ProcessStatisticsQuery): Promise<boolean> {
  const found = await firstRow(
    moment,
    `SELECT FROM definitions WHERE project_id = $1 AND process_id = $2
     UNION ALL SELECT FROM statistics WHERE project_id = $1 AND process_id = $2 LIMIT 1`,
    [projectID, processID],
  );
  return found !== undefined;
}

/** Of a group: the newest version, and the time of its first row. */
type FoundRow = SumsRow & { nodeID: string; time: number; version: number };

/** One row per time of the instances as a whole, or per node. */
async function readPart(
  moment: Queryable,
  { projectID, processID, version }: ProcessStatisticsQuery,
  { unit, since, until }: Part,
  by: 'time' | 'node',
): Promise<FoundRow[]> {
  const [key, is] = by === 'time' ? ['time', '='] : ['node_id', '<>'];
  return rows<FoundRow>(
    moment,
    `SELECT min(node_id) AS "nodeID", extract(epoch FROM min(time))::float8 * 1000 AS time, max(version) AS version, ${mergedColumns} FROM statistics
     WHERE project_id = $1 AND process_id = $2 AND unit = $3 AND time >= to_timestamp($4::float8 / 1000) AND time < to_timestamp($5::float8 / 1000)
       AND ($6::integer IS NULL OR version = $6) AND node_id ${is} '${WHOLE_INSTANCE}' GROUP BY ${key}`,
    [projectID, processID, unit, since, until, version ?? null],
  );
}

async function readSeries(moment: Queryable, query: ProcessStatisticsQuery): Promise<ProcessStatistics['series']> {
  const { range, step } = query;
  const parts: Part[] = step === 'hour' ? [{ unit: 'hour', ...range }] : partsOf(range);
  const series = stepsOf(range, step).map((time) => ({ time, ...noSums() }));
  for (const part of parts.flatMap(readsOf))
    for (const row of await readPart(moment, query, part, 'time'))
      addRow(
        series.findLast(({ time }) => time <= row.time)!,
        row,
      );
  return series;
}

async function readNodesAndFlows(
  moment: Queryable,
  query: ProcessStatisticsQuery,
): Promise<Pick<ProcessStatistics, 'nodes' | 'flows'>> {
  const nodes = new Map<string, NodeSums>();
  const taken = new Map<string, number>();
  for (const part of partsOf(query.range).flatMap(readsOf))
    for (const row of await readPart(moment, query, part, 'node')) {
      const { nodeID, version } = row;
      const flowID = flowOfKey(nodeID);
      if (flowID !== undefined) {
        taken.set(flowID, (taken.get(flowID) ?? 0) + row.started);
        continue;
      }
      const sums = nodes.get(nodeID) ?? { nodeID, version, ...noSums() };
      sums.version = Math.max(sums.version, version);
      addRow(sums, row);
      nodes.set(nodeID, sums);
    }
  return {
    nodes: [...nodes.values()].toSorted((left, right) => (left.nodeID < right.nodeID ? -1 : 1)),
    flows: [...taken]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([flowID, count]) => ({ flowID, taken: count })),
  };
}
