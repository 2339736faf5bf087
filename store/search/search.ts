/**
 * Captured variables of the instances of one definition, read in batches for a search in order of instance numbers,
 * newest first. A number never changes. A scan that continues below the last number read therefore sees no instance
 * twice and skips none that existed throughout.
 */
import type { InstanceStatus } from '@perdure/engine/state/state.js';
import { codeOf, firstRow, type Database, type Transaction } from '../sql/database.js';
import { MAX_PREFIX } from '../sql/search-summary.js';
import { conditionsOf, type SearchFilter } from './filter.js';
import { prefilteredParts, type Prefilter } from './prefilter.js';

export type { SearchFilter } from './filter.js';

export interface BatchRequest {
  /** The variables to read. */
  readonly names: readonly string[];
  /** Instances below this number. */
  readonly below: number;
  /** Maximum number of instances. */
  readonly size: number;
  /** Lets Postgres decide what it can; without it, all instances are candidates. */
  readonly prefilter: Prefilter | undefined;
  /** Whether the first error that the prefilter finds is a candidate too, for its message. */
  readonly wantsError: boolean;
  /** Postgres cancels the statement after this time: see `isCanceledStatement` of sql/database.ts. */
  readonly milliseconds: number;
}

/** Consecutive instances, all read by one statement. */
export interface Batch {
  /**
   * The candidates in order, parsed where they are evaluated: `[[number, {name: value}, details], ...]`. The object omits
   * variables that the instance lacks.
   */
  readonly text: string;
  readonly candidates: number;
  /** Prefiltered instances before each candidate and, at the end, after the last one. */
  readonly isFalse: readonly number[];
  readonly isError: readonly number[];
  /** Number of the last instance of the batch; 0 if it is empty. */
  readonly last: number;
  /** Whether no instance follows this batch. */
  readonly isEnd: boolean;
}

/** Properties of an instance other than its variables. Times are epoch milliseconds. */
export type InstanceDetails = readonly [
  workflowID: string,
  status: InstanceStatus,
  businessID: string | null,
  hasIncident: boolean,
  createdAt: number,
  capturedAt: number,
];

const detailsColumn = `json_build_array(i.workflow_id, i.status, i.business_id, i.open_incidents > 0,
  floor(extract(epoch FROM i.created_at) * 1000), floor(extract(epoch FROM i.captured_at) * 1000))`;

/**
 * Instances that are evaluated per batch. Eight times as many make a search 20% faster but triple the p95 of all other
 * requests, which wait for a core while Postgres and the thread are busy.
 */
export const MAX_EVALUATED = 512;

/** A batch ends after the instance that fills it, so that large variables do not exhaust memory. */
export const MAX_BATCH_BYTES = 4_000_000;

/**
 * Each `->` reads the whole document to its end, unless the summary makes it unnecessary. For more names than this,
 * sending the document is cheaper.
 */
const MAX_EXTRACTED_NAMES = 6;

/** Reads the batches that `next` asks for, until it asks for none. */
export async function* searchBatches(
  database: Database,
  filter: SearchFilter,
  next: () => Promise<BatchRequest | undefined>,
): AsyncGenerator<Batch> {
  for (let request = await next(); request !== undefined; request = await next()) {
    const asked = request;
    yield await database.transaction((transaction) => readBatch(transaction, filter, asked), {
      isSnapshot: true,
      statementTimeoutMilliseconds: asked.milliseconds,
    });
  }
}

async function readBatch(transaction: Transaction, filter: SearchFilter, request: BatchRequest): Promise<Batch> {
  if (request.names.length > MAX_EXTRACTED_NAMES) return selectBatch(transaction, filter, request, wholeDocument);
  await transaction.query('SAVEPOINT extraction');
  try {
    return await selectBatch(transaction, filter, request, extractedNames);
  } catch (error) {
    if (!isUnreadableText(error)) throw error;
    // Postgres decodes every string before a name and fails at one that it cannot represent, such as "\u0000".
    await transaction.query('ROLLBACK TO SAVEPOINT extraction');
    return selectBatch(transaction, filter, request, wholeDocument);
  }
}

/** Returns SQL for the object of variables; pushes the values it needs. */
type VariablesColumn = (names: readonly string[], values: unknown[]) => string;

/** Without redacted variables, which count as missing. Postgres decodes their names, and cannot represent some texts. */
const wholeDocument: VariablesColumn =
  () => String.raw`CASE WHEN i.redacted_variables = '{}' THEN i.variables::text ELSE (
  SELECT coalesce(json_object_agg(key, value), '{}')::text
  FROM json_each(regexp_replace(i.variables::text, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'gi')::json)
  WHERE key <> ALL (i.redacted_variables)) END`;

/**
 * `concat_ws` omits nulls, and `->` is null if the name is missing, but not if its value is null. A scalar that is
 * short enough to be complete in the summary is the same there, and costs a tenth.
 */
const extractedNames: VariablesColumn = (names, values) => {
  const members = names.map((name) => {
    values.push(name, `${JSON.stringify(name)}:`);
    const [nameAt, prefixAt] = [`$${values.length - 1}::text`, `$${values.length}::text`];
    const summary = `(i.search_summary -> ${nameAt})`;
    return `${prefixAt} || CASE
      WHEN jsonb_typeof${summary} IN ('number', 'string', 'boolean', 'null') AND octet_length(${summary}::text) <= ${MAX_PREFIX} THEN ${summary}::text
      WHEN (i.search_summary IS NULL OR i.search_summary ? ${nameAt}) AND ${nameAt} <> ALL (i.redacted_variables) THEN (i.variables -> ${nameAt})::text END`;
  });
  return members.length === 0 ? `'{}'` : `'{' || concat_ws(',', ${members.join(', ')}) || '}'`;
};

async function selectBatch(
  transaction: Transaction,
  filter: SearchFilter,
  request: BatchRequest,
  variables: VariablesColumn,
): Promise<Batch> {
  const { below, size, prefilter, wantsError } = request;
  const conditions = conditionsOf(filter).where('i.number < ?', below);
  const values: unknown[] = [...conditions.values];
  const value = (given: unknown) => `$${values.push(given)}`;
  const instances = `${conditions.text} ORDER BY i.number DESC LIMIT ${value(size)}`;
  const column = variables(request.names, values);
  const line = `'[' || i.number || ',' || ${column} || ',' || ${detailsColumn} || ']'`;
  const lines = prefilter
    ? `${prefilteredParts({
        isFalse: value(prefilter.isFalse),
        isError: value(prefilter.isError),
        wantsError: value(wantsError),
        candidates: value(MAX_EVALUATED),
        instances,
      })}, lines AS (
        SELECT p.*, i.line FROM parts p LEFT JOIN LATERAL (
          SELECT ${line} AS line FROM instances i
          WHERE i.project_id = ${value(filter.projectID)} AND i.number = p.candidate
        ) i ON true
      )`
    : `lines AS (
        SELECT i.number AS last, 1 AS instances, 0 AS is_false, 0 AS is_error, ${line} AS line, NULL::bigint AS instances_read
        FROM instances i ${instances}
      )`;
  const batch = await firstRow<BatchRow>(
    transaction,
    `WITH ${lines}, measured AS (
       SELECT *, sum(coalesce(octet_length(line), 0)) OVER (ORDER BY last DESC ROWS UNBOUNDED PRECEDING) - coalesce(octet_length(line), 0) < ${value(MAX_BATCH_BYTES)} AS fits
       FROM lines
     )
     SELECT string_agg(line, ',' ORDER BY last DESC) FILTER (WHERE fits) AS text, count(line) FILTER (WHERE fits)::int AS candidates,
       array_agg(is_false::float8 ORDER BY last DESC) FILTER (WHERE fits) AS "isFalse", array_agg(is_error::float8 ORDER BY last DESC) FILTER (WHERE fits) AS "isError",
       min(last) FILTER (WHERE fits)::float8 AS last, sum(instances) FILTER (WHERE fits)::float8 AS count,
       coalesce(max(instances_read), count(*))::float8 AS read
     FROM measured`,
    values,
  );
  const { text, candidates, isFalse, isError, last, count, read } = batch!;
  return {
    text: `[${text ?? ''}]`,
    candidates,
    isFalse: isFalse ?? [],
    isError: isError ?? [],
    last: last ?? 0,
    isEnd: read < size && (count ?? 0) === read,
  };
}

/** Null if the batch is empty. */
interface BatchRow {
  text: string | null;
  candidates: number;
  isFalse: number[] | null;
  isError: number[] | null;
  last: number | null;
  /** Instances of the batch, and those that were read for it. */
  count: number | null;
  read: number;
}

/** Class 22: the data cannot be represented. */
function isUnreadableText(error: unknown): boolean {
  return codeOf(error)?.startsWith('22') === true;
}
