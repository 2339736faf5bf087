/** Step commits of an instance in order, read with bounded memory regardless of their number and size. */
import type { Fact } from '@perdure/engine/contract/facts.js';
import { firstRow, isTransaction, rows, type Queryable, type Database, type Transaction } from '../sql/database.js';

/** The facts of one step. */
export interface RecordedStep {
  number: number;
  /** Number of facts of the instance before it. */
  factsBefore: number;
  /** Number of its history entries before it. */
  entriesBefore: number;
  /** Epoch milliseconds. */
  now: number;
  facts: Fact[];
}

/** Target size of one read. The rows of the next read are estimated from the previous one. */
const BYTES_AT_ONCE = 4 * 1024 * 1024;
const MAX_STEPS_PER_READ = 64;
const FIRST_AT_ONCE = 16;

/** Runs `work` on one snapshot of the database, so that retention cannot remove rows between its reads. */
export async function atOneMoment<T>(database: Database, work: (moment: Transaction) => Promise<T>): Promise<T> {
  // A transaction of the caller has its own locks.
  return isTransaction(database) ? work(database) : database.transaction(work, { isSnapshot: true });
}

/** SQL: the time of a step. Its inputs may contain decision results that Postgres cannot decode. */
export const now = String.raw`(regexp_replace(inputs::text, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'gi')::json ->> 'now')::float8`;

const columns = `number, facts_before AS "factsBefore", entries_before AS "entriesBefore", ${now} AS now, facts`;

/** Number of the commit with fact, or history entry, number `count + 1`, found by binary search. */
export async function stepWith(
  database: Queryable,
  workflowID: string,
  what: 'facts' | 'entries',
  count: number,
): Promise<number> {
  const found = await firstRow<{ low: number }>(
    database,
    `WITH RECURSIVE halving AS (
       SELECT 1 AS low, step_count AS high FROM instances WHERE workflow_id = $1
       UNION ALL
       SELECT CASE WHEN before <= $2 THEN middle ELSE low END, CASE WHEN before <= $2 THEN high ELSE middle - 1 END
       FROM halving CROSS JOIN LATERAL (SELECT (low + high + 1) / 2 AS middle) half
         CROSS JOIN LATERAL (SELECT (SELECT ${what}_before FROM steps WHERE workflow_id = $1 AND number = middle) AS before) found
       WHERE low < high
     )
     SELECT low FROM halving ORDER BY high - low LIMIT 1`,
    [workflowID, count],
  );
  return found?.low ?? 0;
}

/** Commits from number `first` to number `last`. */
export async function* stepsBetween(
  database: Queryable,
  workflowID: string,
  first: number,
  last: number,
): AsyncGenerator<RecordedStep> {
  let atOnce = FIRST_AT_ONCE;
  for (let next = first; next <= last;) {
    const found = await rows<RecordedStep & { bytes: number }>(
      database,
      `SELECT ${columns}, octet_length(facts::text) AS bytes FROM steps WHERE workflow_id = $1 AND number BETWEEN $2 AND $3 ORDER BY number LIMIT $4`,
      [workflowID, next, last, atOnce],
    );
    yield* found;
    if (found.length < atOnce) return;
    const bytes = found.reduce((sum, step) => sum + step.bytes, 0);
    next = found.at(-1)!.number + 1;
    atOnce = Math.max(1, Math.min(MAX_STEPS_PER_READ, Math.floor((atOnce * BYTES_AT_ONCE) / bytes)));
  }
}

/** Commits with these numbers, one at a time. */
export async function* stepsNumbered(
  database: Queryable,
  workflowID: string,
  numbers: readonly number[],
): AsyncGenerator<RecordedStep> {
  for (const range of rangesOf(numbers)) yield* stepsBetween(database, workflowID, range.first, range.last);
}

/** Runs of consecutive numbers. */
function rangesOf(numbers: readonly number[]): { first: number; last: number }[] {
  const ranges: { first: number; last: number }[] = [];
  for (const number of numbers.toSorted((left, right) => left - right)) {
    const range = ranges.at(-1);
    if (range && number <= range.last + 1) range.last = number;
    else ranges.push({ first: number, last: number });
  }
  return ranges;
}
