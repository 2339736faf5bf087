/**
 * Screening: Postgres looks at the outlines of instances (`outline.ts`) and says of each whether the predicate is surely
 * false or surely an error there. What is left over has to be evaluated; whatever is no more than likely is left over.
 */
import type { PoolClient } from 'pg';
import { firstRow } from './database.js';
import { conditionsOf, type SearchFilter } from './search-filter.js';

/** What stands for a predicate here: two SQL/JSON paths, each a predicate of an outline. */
export interface Screening {
  /** True only where the search's predicate is false. */
  readonly isFalse: string;
  /** True only where the search's predicate is an error. */
  readonly isError: string;
}

export interface ScreenRequest {
  /** Looks at instances below this number, downwards. */
  below: number;
  /** Down to this number, which is included. */
  downTo: number;
  /** Instances at most. */
  size: number;
}

export interface Screened {
  /** Instances that were looked at. */
  count: number;
  /** Number of the last one; 0 when there is none. */
  last: number;
  isFalse: number;
  isError: number;
  /** The first instance that is an error; null when there is none. */
  firstError: number | null;
  /** Numbers of those to be evaluated, the highest first. */
  left: number[];
}

/** Screens a stretch of the instances that the filter leaves. */
export async function screen(
  transaction: PoolClient,
  filter: SearchFilter,
  { isFalse, isError }: Screening,
  { below, downTo, size }: ScreenRequest,
): Promise<Screened> {
  const conditions = conditionsOf(filter).where('i.number < ?', below).where('i.number >= ?', downTo);
  const { values } = conditions;
  const at = values.length;
  const screened = await firstRow<Screened>(
    transaction,
    `SELECT count(*)::int AS count, coalesce(min(number), 0)::float8 AS last,
            count(*) FILTER (WHERE verdict = 'false')::int AS "isFalse", count(*) FILTER (WHERE verdict = 'error')::int AS "isError",
            max(number) FILTER (WHERE verdict = 'error')::float8 AS "firstError",
            coalesce(array_agg(number::float8) FILTER (WHERE verdict IS NULL), '{}') AS left
     FROM (
       SELECT i.number, CASE WHEN i.outline @@ $${at + 1}::jsonpath THEN 'false' WHEN i.outline @@ $${at + 2}::jsonpath THEN 'error' END AS verdict
       FROM instances i ${conditions.text} ORDER BY i.number DESC LIMIT $${at + 3}
     ) AS looked_at`,
    [...values, isFalse, isError, size],
  );
  // Postgres gives them in order without being told to, and does not promise it.
  screened!.left.sort((one, other) => other - one);
  return screened!;
}
