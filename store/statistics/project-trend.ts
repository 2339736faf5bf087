/** The instances of all processes of a project by hour, and the processes that stand out. */
import { rows, type Database, type Queryable } from '../sql/database.js';
import { atOneMoment } from '../steps/recorded-steps.js';
import { foldedUntil } from './progress.js';
import { stepsOf, type Range } from './range.js';
import { addRow, counters, noSums, WHOLE_INSTANCE, type Sums, type SumsRow } from './rows.js';
import { SEPARATOR } from './sketch.js';

export interface ProcessTrend extends Sums {
  processID: string;
  processName: string | null;
}

export interface ProjectTrend {
  asOf: Date;
  /** One for each hour of the range. */
  series: (Sums & { time: number })[];
  /** Most started first. */
  busiest: ProcessTrend[];
  /** Highest 95th percentile first. */
  slowest: ProcessTrend[];
}

const MAX_PROCESSES = 5;
/** Each hour of a process has up to two kilobytes of durations, which this process merges. */
const MAX_PROCESSES_WITH_DURATIONS = 100;

/** A sum by hour has a time, a sum by process has its id and the name of its newest version. */
type GroupRow = SumsRow & { time: number | null; processID: string | null; processName: string | null };

const sums = [
  ...counters.map((name) => `sum(${name})::float8 AS ${name}`),
  `string_agg(CASE WHEN is_measured THEN durations END, ${SEPARATOR}) AS durations`,
  'NULL AS waiting',
  'NULL AS working',
].join(', ');

/** Each process reads its part of an index that has instances only: nodes have many times as many rows. */
const trendStatement = `
  WITH hours AS MATERIALIZED (
    SELECT d.process_name, s.* FROM (
      SELECT DISTINCT ON (process_id) process_id, process_name FROM definitions WHERE project_id = $1 ORDER BY process_id, version DESC
    ) d CROSS JOIN LATERAL (
      SELECT * FROM statistics WHERE project_id = $1 AND process_id = d.process_id AND unit = 'hour' AND node_id = '${WHOLE_INSTANCE}'
        AND time >= to_timestamp($2::float8 / 1000) AND time < to_timestamp($3::float8 / 1000)
    ) s
  ), measured AS (
    SELECT process_id, true AS is_measured FROM hours GROUP BY process_id
    ORDER BY sum(completed) DESC, process_id LIMIT ${MAX_PROCESSES_WITH_DURATIONS}
  )
  SELECT extract(epoch FROM time)::float8 * 1000 AS time, process_id AS "processID", min(process_name) AS "processName", ${sums}
  FROM hours LEFT JOIN measured USING (process_id)
  GROUP BY GROUPING SETS ((time), (process_id))`;

/**
 * Of processes that have a version; durations of the 100 that completed the most.
 * @param range in full hours; the caller bounds it
 */
export async function readProjectTrend(database: Database, projectID: string, range: Range): Promise<ProjectTrend> {
  return atOneMoment(database, async (moment) => ({
    asOf: await foldedUntil(moment),
    ...(await readGroups(moment, projectID, range)),
  }));
}

async function readGroups(
  moment: Queryable,
  projectID: string,
  range: Range,
): Promise<Pick<ProjectTrend, 'series' | 'busiest' | 'slowest'>> {
  const series = stepsOf(range, 'hour').map((time) => ({ time, ...noSums() }));
  const hours = new Map(series.map((step) => [step.time, step]));
  const processes: ProcessTrend[] = [];
  const found = await rows<GroupRow & { [column: string]: unknown }>(moment, trendStatement, [
    projectID,
    range.since,
    range.until,
  ]);
  for (const row of found) {
    const { time, processID, processName } = row;
    if (processID === null) {
      addRow(hours.get(time!)!, row);
      continue;
    }
    const process = { processID, processName, ...noSums() };
    addRow(process, row);
    processes.push(process);
  }
  return { series, busiest: highest(processes, ({ started }) => started), slowest: highest(processes, p95Of) };
}

function p95Of({ durations }: Sums): number {
  return durations.quantile(0.95) ?? 0;
}

/** Those above 0, in the order of their ids where they are equal. */
function highest(processes: readonly ProcessTrend[], measure: (process: ProcessTrend) => number): ProcessTrend[] {
  return processes
    .map((process) => ({ process, value: measure(process) }))
    .filter(({ value }) => value > 0)
    .toSorted((one, other) => other.value - one.value || (one.process.processID < other.process.processID ? -1 : 1))
    .slice(0, MAX_PROCESSES)
    .map(({ process }) => process);
}
