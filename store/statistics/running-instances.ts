/** The running instances of a project by age, and those over their targets, without reading all of them. */
import { isOverTarget } from '../targets/over-target.js';

export const AGES_HOURS = [1, 24, 7 * 24, 30 * 24];

/** An index without times is enough to count by age, because numbers are in the order of creation. */
const lastBefore = (time: string) => `last_number_before($1, ${time})`;

const olderThan = (hours: number) => `now() - interval '${hours} hours'`;

/**
 * Numbers of instances that are over the target, present or former, under which they began; like `isOverTarget`. They are
 * ranges, because a target that changes daily would be counted in hundreds of parts otherwise.
 */
const overTargets = `
  SELECT process_id, range_agg(int8range(after, up_to, '(]')) AS numbers FROM (
    SELECT process_id, ${lastBefore('t.since')} AS after,
      ${lastBefore("least(t.until, now() - t.duration_ms * interval '1 millisecond')")} AS up_to
    FROM targets t WHERE project_id = $1 AND node_id = ''
  ) t WHERE up_to > after GROUP BY process_id`;

/** Added to the counts: imported instances have their numbers from the import, however early they began. */
const importedCorrection = `
  SELECT ${correction('over', 't.numbers @> i.number')} AS over_target,
    ARRAY[${AGES_HOURS.map((hours, index) => correction(`i.created_at < ${olderThan(hours)}`, `i.number <= ages.numbers[${index + 1}]`)).join(', ')}] AS by_age
  FROM ages CROSS JOIN (
    SELECT i.number, i.created_at, d.process_id, ${isOverTarget('i')} AS over FROM instances i JOIN definitions d ON d.id = i.definition_id
    WHERE i.project_id = $1 AND i.status = 'RUNNING' AND i.imported_system IS NOT NULL
  ) i LEFT JOIN over_targets t ON t.process_id = i.process_id`;

function correction(isSo: string, isCounted: string): string {
  return `coalesce(sum((${isSo})::integer - coalesce(${isCounted}, false)::integer), 0)::float8`;
}

const sumOf = (condition: string) => `coalesce(sum(running) FILTER (WHERE ${condition}), 0)::float8`;

/**
 * Ages and targets divide the numbers of each process into ranges. Running instances are counted by range, so that each
 * is read once, from an index. Versions without running instances, of which a project can have thousands, are looked up once
 * and not by range.
 */
export const runningStatement = `
  WITH ages AS MATERIALIZED (
    SELECT ARRAY[${AGES_HOURS.map((hours) => lastBefore(olderThan(hours))).join(', ')}] AS numbers
  ), over_targets AS MATERIALIZED (${overTargets}
  ), imported AS MATERIALIZED (${importedCorrection}
  ), active AS MATERIALIZED (
    SELECT d.id, d.process_id FROM definitions d CROSS JOIN LATERAL (
      SELECT FROM instances i WHERE i.project_id = $1 AND i.definition_id = d.id AND i.status = 'RUNNING' LIMIT 1
    ) one WHERE d.project_id = $1
  ), bounds AS (
    SELECT process_id, unnest(0 || numbers) AS number FROM active, ages
    UNION SELECT process_id, unnest(ARRAY[lower(range), upper(range)]) - 1 FROM over_targets, unnest(numbers) range
  ), ranges AS (
    SELECT process_id, number AS after, lead(number, 1, ${2n ** 63n - 1n}) OVER (PARTITION BY process_id ORDER BY number) AS up_to FROM bounds
  )
  SELECT counted.running, counted.over_target + imported.over_target AS "overTarget",
    ARRAY[${AGES_HOURS.map((_, index) => `counted.by_age[${index + 1}] + imported.by_age[${index + 1}]`).join(', ')}] AS "runningByAge"
  FROM imported, (
    SELECT ${sumOf('true')} AS running, ${sumOf('t.numbers @> r.after + 1')} AS over_target,
      ARRAY[${AGES_HOURS.map((_, index) => sumOf(`r.up_to <= ages.numbers[${index + 1}]`)).join(', ')}] AS by_age
    FROM ages, ranges r LEFT JOIN over_targets t ON t.process_id = r.process_id
    JOIN active d ON d.process_id = r.process_id CROSS JOIN LATERAL (
      SELECT count(*) AS running FROM instances i
      WHERE i.project_id = $1 AND i.definition_id = d.id AND i.status = 'RUNNING' AND i.number > r.after AND i.number <= r.up_to
    ) of_version
  ) counted`;
