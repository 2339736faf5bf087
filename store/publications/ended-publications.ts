/**
 * Publications that were taken, have expired, or were deleted. They are moved here in the statement that ends them, so
 * that every publication is in exactly one of the two tables.
 */
import type { Database, Transaction } from '../sql/database.js';

/** An instance that a publication has started. */
export interface StartedInstance {
  workflowID: string;
  definitionID: string;
}

/** Maximum started instances that a publication names. */
export const MAX_STARTED = 20;

/** Larger correlations are neither listed nor kept with ended publications. */
const MAX_CORRELATION_BYTES = 4096;

const ROWS_AT_ONCE = 5_000;

/** SQL: the correlation of a publication or subscription in lists. */
export function smallCorrelation(row: string): string {
  return `CASE WHEN octet_length(${row}.correlation::text) <= ${MAX_CORRELATION_BYTES} THEN ${row}.correlation END`;
}

interface End {
  /** SQL: the ended publications, by the name `p`. */
  from: string;
  state: 'TAKEN' | 'EXPIRED' | 'DELETED';
  /** SQL expressions (defaults: now, no instance, the instances that the publication has started). */
  endedAt?: string;
  takenBy?: string;
  takenNode?: string;
  started?: string;
}

/** SQL: records the end of publications. */
export function recordEnd({
  from,
  state,
  endedAt = 'now()',
  takenBy = 'NULL',
  takenNode = 'NULL',
  started = 'p.started',
}: End): string {
  return `
    INSERT INTO ended_publications (id, position, project_id, type, name, correlation, state, published_by, published_at, expires_at,
      ended_at, taken_by, taken_node, started, reached)
    SELECT p.id, p.position, p.project_id, p.type, p.name, ${smallCorrelation('p')}, '${state}', p.published_by, p.published_at, p.expires_at,
      ${endedAt}, ${takenBy}, ${takenNode}, ${started}, p.reached FROM ${from}`;
}

/** Messages whose variables an instance was started with. */
export async function takeByStart(
  transaction: Transaction,
  publicationIDs: readonly string[],
  { workflowID, definitionID, node }: StartedInstance & { node: string },
): Promise<void> {
  await transaction.query(
    `WITH gone AS (DELETE FROM publications WHERE id = ANY($1::uuid[]) RETURNING *)
     ${recordEnd({ from: 'gone p', state: 'TAKEN', takenBy: '$2', takenNode: '$3', started: '$4::jsonb' })}`,
    [publicationIDs, workflowID, node, JSON.stringify([{ workflowID, definitionID }])],
  );
}

/** Notes an instance that signals have started. */
export async function noteStart(
  transaction: Transaction,
  publicationIDs: readonly string[],
  started: StartedInstance,
): Promise<void> {
  await transaction.query(
    `UPDATE publications SET started = started || $2::jsonb
     WHERE id = ANY($1::uuid[]) AND jsonb_array_length(started) < ${MAX_STARTED} AND NOT started @> $2::jsonb`,
    [publicationIDs, JSON.stringify([started])],
  );
}

/** Forgets publications a day after their end. @returns how many, a limited number */
export async function forgetEndedPublications(database: Database): Promise<number> {
  const { rowCount } = await database.query(
    `DELETE FROM ended_publications WHERE id IN (
       SELECT id FROM ended_publications WHERE ended_at < now() - interval '24 hours' ORDER BY ended_at LIMIT ${ROWS_AT_ONCE} FOR UPDATE SKIP LOCKED)`,
  );
  return rowCount ?? 0;
}
