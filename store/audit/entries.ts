/** The audit log: one entry per change, written in the transaction of the change. */
import { ordinaryProject } from '../projects/tests.js';
import { firstRow, type Queryable } from '../sql/database.js';
import { indexedText, storableText } from '../sql/text.js';
import { bounded, type Details } from './details.js';

export type ActorType = 'PERSON' | 'SERVICE' | 'HOOK';
export type Via = 'REST' | 'MCP' | 'NEXUS' | 'BATCH' | 'HOOK' | 'SCHEDULE';
export const outcomes = ['PENDING', 'APPLIED', 'REJECTED'] as const;
export type Outcome = (typeof outcomes)[number];

/** Ids that an entry can name besides those with a column. */
export interface AuditSubjects {
  workflowID?: string | undefined;
  definitionID?: string | undefined;
  executionKey?: string | undefined;
  batchID?: string | undefined;
  processId?: string | undefined;
  resourceID?: string | undefined;
  deploymentID?: string | undefined;
  incidentID?: string | undefined;
  publicationID?: string | undefined;
  hookID?: string | undefined;
  subscriptionID?: string | undefined;
  /** A member. */
  subject?: string | undefined;
}

export type { Details };

/** An entry before its change is written. Never has the value of a variable, a comment, or a business id. */
export interface AuditDraft extends AuditSubjects {
  actor: string;
  actorType: ActorType;
  via: Via;
  /** The operation id. */
  operation: string;
  requestID?: string | undefined;
  /** Chosen by the caller, who can repeat it. */
  clientRequestID?: string | undefined;
  reason?: string | undefined;
  /** Of variables that were set or redacted. */
  names?: readonly string[] | undefined;
  /** Values that were set, and replaced. */
  details?: Details | undefined;
  /**
   * Whether it changed no instance, so that no timeline has it: the requested state was in effect before, or is for
   * starts only.
   */
  leavesInstances?: true | undefined;
}

/** The id of an instance and a number. */
const MAX_EXECUTION_KEY_LENGTH = 400;

/** For `JSON.stringify`: texts as Postgres stores them. */
function storable(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? storableText(value) : value;
}

/** The draft as the statements read it: members with a column, and `details`. Indexes have room for all of them. */
export function auditJson(draft: AuditDraft | undefined): string | null {
  if (draft === undefined) return null;
  const { actor, actorType, via, operation, workflowID, definitionID, executionKey, batchID, ...rest } = draft;
  const { names = [], details = {}, ...ids } = rest;
  const columns = {
    actor: indexedText(actor),
    actorType,
    via,
    operation,
    workflowID,
    definitionID,
    executionKey: executionKey?.slice(0, MAX_EXECUTION_KEY_LENGTH),
    batchID: batchID && indexedText(batchID),
  };
  const others = {
    ...ids,
    ...(names.length > 0 && { names }),
    ...(Object.keys(details).length > 0 && { details: bounded(details) }),
  };
  return JSON.stringify({ ...columns, details: others }, storable);
}

/**
 * SQL: writes the entry of a draft with the row that `source` yields, and nothing if the draft is null.
 * @param draft SQL of the draft, as `auditJson` writes it
 * @param ids SQL of ids that the statement knows
 */
export function insertEntry({
  source,
  draft,
  projectID,
  outcome = 'APPLIED',
  ids = {},
}: {
  source: string;
  draft: string;
  projectID: string;
  outcome?: Outcome;
  ids?: { workflowID?: string; definitionID?: string; details?: string };
}): string {
  const { workflowID = 'NULL', definitionID = 'NULL', details = `'{}'` } = ids;
  return `INSERT INTO audit_entries (project_id, actor, actor_type, via, operation, outcome, workflow_id, definition_id, execution_key, batch_id, details)
    SELECT ${ordinaryProject(projectID)}, entry ->> 'actor', entry ->> 'actorType', entry ->> 'via', entry ->> 'operation', '${outcome}',
      coalesce(${workflowID}, entry ->> 'workflowID'),
      coalesce(${definitionID}, entry ->> 'definitionID', ${definitionOfInstance(projectID)}), entry ->> 'executionKey',
      entry ->> 'batchID', entry -> 'details' || ${details}::jsonb
    FROM ${source}, (SELECT ${draft}::jsonb AS entry) AS given WHERE entry IS NOT NULL`;
}

/** SQL: the version that the instance of `entry` runs, so that the entry is found by either. */
function definitionOfInstance(projectID: string): string {
  return `(SELECT i.definition_id::text FROM instances i
        WHERE i.workflow_id = entry ->> 'workflowID' AND ${ordinaryProject('i.project_id')} = ${ordinaryProject(projectID)})`;
}

const insertStatement = (outcome: Outcome) =>
  `${insertEntry({ source: '(SELECT 1) AS one', draft: '$2', projectID: '$1', outcome })} RETURNING id::text`;

/** Writes the entry of a change; pass the transaction of the change. */
export async function writeEntry(database: Queryable, projectID: string, draft: AuditDraft): Promise<void> {
  await database.query(insertStatement('APPLIED'), [projectID, auditJson(draft)]);
}

/**
 * Writes the entry of a change outside this database, such as at an identity provider, before it is asked.
 * @returns the entry, for `settleEntry`
 */
export async function writePendingEntry(database: Queryable, projectID: string, draft: AuditDraft): Promise<string> {
  return (await firstRow<{ id: string }>(database, insertStatement('PENDING'), [projectID, auditJson(draft)]))!.id;
}

/** Sets the outcome of a change outside this database, and what became known by it. */
export async function settleEntry(
  database: Queryable,
  id: string,
  outcome: Outcome,
  { code, details = {} }: { code?: string; details?: Details | undefined } = {},
): Promise<void> {
  await database.query(
    `UPDATE audit_entries SET outcome = $2, code = $3, details = CASE WHEN $4::jsonb = '{}' THEN details
       ELSE jsonb_set(details, '{details}', coalesce(details -> 'details', '{}') || $4::jsonb) END
     WHERE id = $1::bigint`,
    [id, outcome, code ?? null, JSON.stringify(bounded(details), storable)],
  );
}
