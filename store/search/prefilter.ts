/**
 * Prefilter: Postgres evaluates the search summaries of instances (`store/sql/search-summary.ts`) and reports for each whether the
 * predicate is certainly false or certainly an error. All others must be rechecked with their variables.
 */
import { firstRow, type Transaction } from '../sql/database.js';
import { conditionsOf, type SearchFilter } from './filter.js';

/** The form of a predicate here: two SQL/JSON paths, each a predicate of a summary. */
export interface Prefilter {
  /** True only if the search's predicate is false. */
  readonly isFalse: string;
  /** True only if the search's predicate is an error. */
  readonly isError: string;
}

export interface PrefilterRequest {
  /** Upper bound of instance numbers, exclusive; the search runs downward. */
  below: number;
  /** Lower bound of instance numbers, inclusive. */
  downTo: number;
  /** Maximum number of instances. */
  size: number;
}

export interface Prefiltered {
  /** Number of instances checked. */
  count: number;
  /** Number of the last one; 0 if none exists. */
  last: number;
  isFalse: number;
  isError: number;
  /** The first instance that is an error; null if none exists. */
  firstError: number | null;
  /** Numbers of the instances to recheck, highest first. */
  left: number[];
}

/** Prefilters a batch of the instances that match the filter. */
export async function runPrefilter(
  transaction: Transaction,
  filter: SearchFilter,
  { isFalse, isError }: Prefilter,
  { below, downTo, size }: PrefilterRequest,
): Promise<Prefiltered> {
  const conditions = conditionsOf(filter).where('i.number < ?', below).where('i.number >= ?', downTo);
  const { values } = conditions;
  const at = values.length;
  const prefiltered = await firstRow<Prefiltered>(
    transaction,
    `SELECT count(*)::int AS count, coalesce(min(number), 0)::float8 AS last,
            count(*) FILTER (WHERE verdict = 'false')::int AS "isFalse", count(*) FILTER (WHERE verdict = 'error')::int AS "isError",
            max(number) FILTER (WHERE verdict = 'error')::float8 AS "firstError",
            coalesce(array_agg(number::float8) FILTER (WHERE verdict IS NULL), '{}') AS left
     FROM (
       SELECT i.number, CASE WHEN i.search_summary @@ $${at + 1}::jsonpath THEN 'false' WHEN i.search_summary @@ $${at + 2}::jsonpath THEN 'error' END AS verdict
       FROM instances i ${conditions.text} ORDER BY i.number DESC LIMIT $${at + 3}
     ) AS looked_at`,
    [...values, isFalse, isError, size],
  );
  // Postgres happens to return them in order without an ORDER BY, but does not guarantee it.
  prefiltered!.left.sort((one, other) => other - one);
  return prefiltered!;
}
