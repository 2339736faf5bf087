/**
 * Captured variables of the instances of one definition, read in batches for a search in order of instance numbers,
 * newest first. A number never changes. A scan that continues below the last number read therefore sees no instance
 * twice and skips none that existed throughout.
 */
import type { InstanceStatus } from '@perdure/engine/state/state.js';
import { firstRow, rows, type Database, type Transaction } from '../sql/database.js';
import { MAX_PREFIX } from '../sql/search-summary.js';
import type { Filter } from '../sql/page.js';
import { conditionsOf, type SearchFilter } from './filter.js';
import { runPrefilter, type Prefiltered, type Prefilter, type PrefilterRequest } from './prefilter.js';

export type { SearchFilter } from './filter.js';

/** Which instances to read. */
export type CandidateRequest = {
  /** The variables to read. */
  names: readonly string[];
} & (
  | {
      /** Instances below this number. */
      below: number;
      /** Maximum number of instances. */
      size: number;
    }
  /** Instances with these numbers. */
  | { numbers: readonly number[] }
);

/** Some instances in order, as text, which is parsed where it is evaluated. */
export interface Candidates {
  /** `[[number, {name: value}], ...]`; the object omits variables that the instance lacks. */
  text: string;
  count: number;
  /** Number of the last instance of the batch; 0 if it is empty. */
  last: number;
  /** Whether no instance follows this batch. */
  isEnd: boolean;
}

/** Properties of an instance other than its variables. */
export interface FoundInstance {
  number: number;
  workflowID: string;
  definitionID: string;
  status: InstanceStatus;
  businessID: string | null;
  hasIncident: boolean;
  createdAt: Date;
  capturedAt: Date;
}

/** Reads that belong together: they see the instances as of the same time. */
export interface SearchReader {
  candidates(request: CandidateRequest): Promise<Candidates>;
  prefilter(prefilter: Prefilter, request: PrefilterRequest): Promise<Prefiltered>;
  /** Details of instances returned by `candidates`. */
  found(numbers: readonly number[]): Promise<FoundInstance[]>;
}

/** A batch ends after the instance that fills it, so that large variables do not exhaust memory. */
const MAX_BATCH_BYTES = 4_000_000;

/**
 * Each `->` reads the whole document to its end, unless the summary makes it unnecessary. For more names than this,
 * sending the document is cheaper.
 */
const MAX_EXTRACTED_NAMES = 6;

/**
 * Runs `work` on one snapshot of the database.
 * @param milliseconds Postgres cancels statements that take longer: see `isCanceledStatement`
 */
export async function readForSearch<T>(
  database: Database,
  filter: SearchFilter,
  milliseconds: number,
  work: (reader: SearchReader) => Promise<T>,
): Promise<T> {
  const read = (transaction: Transaction) =>
    work({
      candidates: (request) => readCandidates(transaction, filter, request),
      prefilter: (prefilter, request) => runPrefilter(transaction, filter, prefilter, request),
      found: (numbers) => readFound(transaction, filter, numbers),
    });
  return database.transaction(read, { isSnapshot: true, statementTimeoutMilliseconds: milliseconds });
}

/** Whether Postgres canceled the statement because of its timeout. */
export function isCanceledStatement(error: unknown): boolean {
  return codeOf(error) === '57014';
}

async function readCandidates(
  transaction: Transaction,
  filter: SearchFilter,
  request: CandidateRequest,
): Promise<Candidates> {
  if (request.names.length > MAX_EXTRACTED_NAMES) return selectCandidates(transaction, filter, request, wholeDocument);
  await transaction.query('SAVEPOINT extraction');
  try {
    return await selectCandidates(transaction, filter, request, extractedNames);
  } catch (error) {
    if (!isUnreadableText(error)) throw error;
    // Postgres decodes every string before a name and fails at one that it cannot represent, such as "\u0000".
    await transaction.query('ROLLBACK TO SAVEPOINT extraction');
    return selectCandidates(transaction, filter, request, wholeDocument);
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

async function selectCandidates(
  transaction: Transaction,
  filter: SearchFilter,
  request: CandidateRequest,
  variables: VariablesColumn,
): Promise<Candidates> {
  const conditions = whichOf(filter, request);
  const size = 'size' in request ? request.size : request.numbers.length;
  const values = [...conditions.values];
  const column = variables(request.names, values);
  values.push(size, MAX_BATCH_BYTES);
  const [sizeAt, bytesAt] = [values.length - 1, values.length];
  // A frame that ends with the current row costs next to nothing; one that ends before it doubles the time of the
  // statement.
  const batch = await firstRow<{ text: string | null; count: number; last: number | null; read: number }>(
    transaction,
    `SELECT string_agg(line, ',' ORDER BY number DESC) FILTER (WHERE fits) AS text, count(*) FILTER (WHERE fits)::int AS count,
            min(number) FILTER (WHERE fits)::float8 AS last, count(*)::int AS read
     FROM (
       SELECT number, line, sum(octet_length(line)) OVER (ORDER BY number DESC ROWS UNBOUNDED PRECEDING) - octet_length(line) < $${bytesAt} AS fits
       FROM (
         SELECT i.number, '[' || i.number || ',' || ${column} || ']' AS line
         FROM instances i ${conditions.text} ORDER BY i.number DESC LIMIT $${sizeAt}
       ) AS read
     ) AS measured`,
    values,
  );
  const { text, count, last, read } = batch!;
  return { text: `[${text ?? ''}]`, count, last: last ?? 0, isEnd: read < size && count === read };
}

function whichOf(filter: SearchFilter, request: CandidateRequest): Filter {
  const conditions = conditionsOf(filter);
  return 'numbers' in request
    ? conditions.where('i.number = ANY (?::bigint[])', request.numbers)
    : conditions.where('i.number < ?', request.below);
}

async function readFound(
  transaction: Transaction,
  { projectID }: SearchFilter,
  numbers: readonly number[],
): Promise<FoundInstance[]> {
  return rows<FoundInstance>(
    transaction,
    `SELECT number::float8 AS number, workflow_id AS "workflowID", definition_id AS "definitionID", status, business_id AS "businessID",
            open_incidents > 0 AS "hasIncident", created_at AS "createdAt", captured_at AS "capturedAt"
     FROM instances WHERE project_id = $1 AND number = ANY ($2::bigint[]) ORDER BY instances.number DESC`,
    [projectID, numbers],
  );
}

/** Class 22: the data cannot be represented. */
function isUnreadableText(error: unknown): boolean {
  return codeOf(error)?.startsWith('22') === true;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
