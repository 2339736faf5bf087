/**
 * Prefilter: Postgres evaluates the search summaries of instances (`store/sql/search-summary.ts`) and decides for most of
 * them that the predicate is certainly false or certainly an error. All others are candidates, to be evaluated with
 * their variables.
 */

/** The form of a predicate here: two SQL/JSON paths, each a predicate of a summary. */
export interface Prefilter {
  /** True only if the search's predicate is false. */
  readonly isFalse: string;
  /** True only if the search's predicate is an error. */
  readonly isError: string;
}

/** The parameters, as SQL. */
interface Parameters {
  readonly isFalse: string;
  readonly isError: string;
  /** Whether the first error is a candidate too, for its message. */
  readonly wantsError: string;
  /** Maximum number of candidates. */
  readonly candidates: string;
  /** The instances of the batch, from their conditions to their limit. */
  readonly instances: string;
}

/**
 * SQL: the parts of a batch in the order of the search. Each part but the last ends with a candidate, so that the counts
 * are known however many of the candidates are evaluated. Parts beyond the maximum are left out.
 *
 * A frame that ends with the current row costs next to nothing; one that ends before it doubles the time.
 */
export function prefilteredParts({ isFalse, isError, wantsError, candidates, instances }: Parameters): string {
  const down = '(ORDER BY number DESC ROWS UNBOUNDED PRECEDING)';
  return `
  looked_at AS (
    SELECT i.number, CASE WHEN i.search_summary @@ ${isFalse}::jsonpath THEN 'false' WHEN i.search_summary @@ ${isError}::jsonpath THEN 'error' END AS verdict
    FROM instances i ${instances}
  ), marked AS (
    SELECT number, verdict,
      verdict IS NULL OR (${wantsError}::boolean AND verdict = 'error' AND count(*) FILTER (WHERE verdict = 'error') OVER ${down} = 1) AS is_left
    FROM looked_at
  ), numbered AS (
    SELECT *, count(*) FILTER (WHERE is_left) OVER ${down} - is_left::int AS part FROM marked
  ), all_parts AS (
    SELECT part, max(number) FILTER (WHERE is_left) AS candidate, min(number) AS last, count(*) AS instances,
      count(*) FILTER (WHERE verdict = 'false') AS is_false, count(*) FILTER (WHERE verdict = 'error' AND NOT is_left) AS is_error,
      sum(count(*)) OVER () AS instances_read
    FROM numbered GROUP BY part
  ), parts AS (
    SELECT * FROM all_parts WHERE part < ${candidates}::int OR (part = ${candidates}::int AND candidate IS NULL)
  )`;
}
