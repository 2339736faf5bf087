/**
 * Publishing messages and signals. A publication is first a row; `matching.ts` matches it with subscriptions.
 */
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import type { TraceContext } from '@perdure/engine/contract/trace-context.js';
import { auditJson, insertEntry, type AuditDraft } from '../audit/entries.js';
import { firstRow, preparedRows, type Queryable } from '../sql/database.js';
import { channelOf, publicationKeys, type PublicationType } from './correlation.js';
import type { Publication } from '../publications/publications.js';
import { isPaused } from '../instances/paused.js';
import { jsonText } from '../sql/text.js';

/** Default time to live of a publication, unless its publisher or its project sets one, in milliseconds. */
const DEFAULT_TIME_TO_LIVE_MS: Readonly<Record<PublicationType, number>> = { message: 3_600_000, signal: 86_400_000 };

/** Maximum time to live: Postgres cannot represent all later times that the grammar allows. */
export const MAX_TIME_TO_LIVE_MS = 100 * 366 * 86_400_000;

/**
 * SQL for the time to live of a publication in milliseconds: its own, otherwise the project's setting, otherwise the
 * default. The parameters are SQL too; `ttl` is null if the publication does not set it.
 */
export function timeToLive({ ttl, type, projectID }: { ttl: string; type: string; projectID: string }): string {
  return `coalesce(${ttl}::float8,
    (SELECT CASE ${type} WHEN 'message' THEN message_ttl_ms ELSE signal_ttl_ms END FROM projects WHERE id = ${projectID}),
    CASE ${type} WHEN 'message' THEN ${DEFAULT_TIME_TO_LIVE_MS.message} ELSE ${DEFAULT_TIME_TO_LIVE_MS.signal} END)`;
}

/** Maximum buffered messages of one project. */
export const MAX_KEPT_MESSAGES = 10_000;

export interface PublishRequest {
  projectID: string;
  type: PublicationType;
  name: string;
  correlation?: Json | undefined;
  variables: Variables;
  /** Milliseconds (default: the project's setting, otherwise the default of its type). */
  ttl?: number | undefined;
  publishedBy: string;
  traceContext?: TraceContext | undefined;
  audit?: AuditDraft | undefined;
}

export interface Published {
  kind: 'published';
  publication: Publication;
  channel: string;
}

/** The project has reached its limit of buffered messages. */
export interface QuotaReached {
  kind: 'quota';
  limit: number;
}

/**
 * Writes a publication; pass its channel to `matchChannel` after the commit. Otherwise the outbox relay finds it.
 * @param limit for tests of the quota
 */
export async function publish(
  database: Queryable,
  request: PublishRequest,
  limit = MAX_KEPT_MESSAGES,
): Promise<Published | QuotaReached> {
  const { projectID, type, name, correlation, variables, ttl, publishedBy, traceContext, audit } = request;
  const channel = channelOf(type, name);
  const row = await firstRow<{ id: string; publishedAt: Date; expiresAt: Date }>(
    database,
    `WITH published AS (
     INSERT INTO publications (project_id, type, name, channel, keys, correlation, variables, published_by, trace_context, expires_at, match_at)
     SELECT $1, $2, $3, $4, $5::text[], $6::json, $7::json, $8, $11::json,
       now() + ${timeToLive({ ttl: '$9', type: '$2', projectID: '$1' })} * interval '1 millisecond', now()
     WHERE $2 <> 'message' OR $10 > (
       SELECT count(*) FROM (
         SELECT 1 FROM publications WHERE project_id = $1 AND type = 'message' AND expires_at > now() AND claimed_by IS NULL LIMIT $10
       ) kept)
     RETURNING id, published_at AS "publishedAt", expires_at AS "expiresAt"
     ), entry AS (
       ${insertEntry({ source: 'published', draft: '$12', projectID: '$1', ids: { details: `json_build_object('publicationID', published.id)` } })}
     ) SELECT * FROM published`,
    [
      projectID,
      type,
      name,
      channel,
      publicationKeys(channel, correlation),
      jsonText(correlation),
      JSON.stringify(variables),
      publishedBy,
      ttl ?? null,
      limit,
      jsonText(traceContext),
      auditJson(audit),
    ],
  );
  if (!row) return { kind: 'quota', limit };
  const { id: publicationID, ...times } = row;
  const given = {
    type,
    name,
    hasCorrelation: correlation !== undefined,
    correlation: correlation ?? null,
    publishedBy,
  };
  return {
    kind: 'published',
    channel,
    publication: {
      publicationID,
      projectID,
      ...given,
      ...times,
      state: 'KEPT',
      endedAt: null,
      takenBy: null,
      takenNode: null,
      started: [],
      reached: 0,
    },
  };
}

export interface PublicationProgress {
  /** Whether it was compared with all subscribers, or has ended. */
  matched: boolean;
  /** The command that carries a message to an instance; a paused instance handles it on resume. */
  claim?: { workflowID: string; command: number; waitsForResume: boolean };
}

export async function publicationProgress(database: Queryable, publicationID: string): Promise<PublicationProgress> {
  const row = await firstRow<{
    matched: boolean;
    workflowID: string | null;
    command: number | null;
    waitsForResume: boolean;
  }>(
    database,
    `SELECT p.match_at IS NULL AS matched, p.claimed_by AS "workflowID", p.claimed_command AS command,
       EXISTS (SELECT 1 FROM instances i WHERE i.workflow_id = p.claimed_by AND ${isPaused('i')}) AS "waitsForResume"
     FROM publications p WHERE p.id = $1`,
    [publicationID],
  );
  if (!row) return { matched: true };
  const { matched, workflowID, command, waitsForResume } = row;
  return { matched, ...(workflowID !== null && { claim: { workflowID, command: command!, waitsForResume } }) };
}

/** Buffers a message that no subscription takes now. Its request or step was refused if there was no room for it. */
export async function keepMessage(database: Queryable, publicationID: string): Promise<void> {
  await preparedRows(database, 'keep message', 'UPDATE publications SET match_at = NULL WHERE id = $1', [
    publicationID,
  ]);
}
