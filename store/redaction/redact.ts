/**
 * Redacts variables of ended instances on request. The names are written with the audit entry; then the stored values
 * are overwritten in bounded transactions, by the request and by workers. The request is answered when none is left, so
 * no read has to hide anything.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { writeEntry, type AuditDraft } from '../audit/entries.js';
import { firstRow, rows, type Database, type Transaction } from '../sql/database.js';
import { refused, type Refusal } from '../sql/refusal.js';
import { refusalUnlessEnded, type EndedTree } from '../retention/ended-tree.js';
import { markErased } from '../retention/forget.js';
import { overwriteSome } from './overwrite.js';
import { parts } from './parts.js';

export interface RedactRequest extends EndedTree {
  /** Names of variables, in every scope of the instance and its descendants. */
  variables: readonly string[];
  audit?: AuditDraft | undefined;
}

type Redacted = { kind: 'done' } | Refusal<'NOT_FOUND' | 'CONFLICT'>;

/** Maximum names redacted in one instance, over all requests. */
const MAX_NAMES = 1_000;
/** Within the time limit of a request. */
const MAX_WAIT_MS = 20_000;
const LOOK_EVERY_MS = 50;

/**
 * Redacts variables of a root instance with all its descendants. Once this returns, no row has their values.
 * @throws if it takes too long; the rest is then overwritten by workers
 */
export async function redactInstance(database: Database, request: RedactRequest): Promise<Redacted> {
  const accepted = await database.transaction((transaction) => acceptRedaction(transaction, request));
  if (accepted.kind === 'done') await untilOverwritten(database, request.workflowID);
  return accepted;
}

/** Writes the names, and the instances to overwrite. Names that were redacted before cost nothing again. */
export async function acceptRedaction(transaction: Transaction, request: RedactRequest): Promise<Redacted> {
  const { projectID, workflowID, variables, audit } = request;
  const refusal = (await refusalUnlessEnded(transaction, request, 'Redact')) ?? (await tooMany(transaction, request));
  if (refusal) return refusal;
  await transaction.query(
    `WITH redacted AS (
       UPDATE instances SET redacted_variables = ARRAY (SELECT unnest(redacted_variables) UNION SELECT unnest($2::text[]) ORDER BY 1)
       WHERE (workflow_id = $1 OR (root_workflow_id = $1 AND parent_workflow_id IS NOT NULL)) AND NOT redacted_variables @> $2::text[]
       RETURNING workflow_id, project_id
     ), marked AS (
       ${markErased('redacted')}
     )
     INSERT INTO redacting_instances (workflow_id, root_workflow_id, part) SELECT workflow_id, $1, '${parts[0]}' FROM redacted
     ON CONFLICT (workflow_id) DO UPDATE SET part = excluded.part, done = 0`,
    [workflowID, variables],
  );
  if (audit) await writeEntry(transaction, projectID, audit);
  return { kind: 'done' };
}

async function tooMany(
  transaction: Transaction,
  { workflowID, variables }: RedactRequest,
): Promise<Refusal<'CONFLICT'> | undefined> {
  const instance = await firstRow<{ redacted: string[] }>(
    transaction,
    'SELECT redacted_variables AS redacted FROM instances WHERE workflow_id = $1',
    [workflowID],
  );
  const names = new Set([...instance!.redacted, ...variables]).size;
  if (names <= MAX_NAMES) return undefined;
  return refused(
    'CONFLICT',
    `Instance ${workflowID} would have ${names} redacted variables, but can have at most ${MAX_NAMES}. Erase the instance.`,
  );
}

async function untilOverwritten(database: Database, rootWorkflowID: string): Promise<void> {
  const until = performance.now() + MAX_WAIT_MS;
  for (let left = await instancesLeft(database, rootWorkflowID); left.length > 0;) {
    if (performance.now() > until) throw new UnfinishedRedaction(rootWorkflowID);
    let moved = false;
    for (const workflowID of left) moved = (await overwriteSome(database, workflowID)) || moved;
    // Workers have the others.
    if (!moved) await delay(LOOK_EVERY_MS);
    left = await instancesLeft(database, rootWorkflowID);
  }
}

/** Some of the instances below the root that have values to overwrite. */
async function instancesLeft(database: Database, rootWorkflowID: string): Promise<string[]> {
  const left = await rows<{ workflowID: string }>(
    database,
    `SELECT workflow_id AS "workflowID" FROM redacting_instances JOIN instances i USING (workflow_id)
     WHERE redacting_instances.root_workflow_id = $1 LIMIT 20`,
    [rootWorkflowID],
  );
  return left.map(({ workflowID }) => workflowID);
}

/** The redaction is recorded, but some values are not overwritten yet. A repeated request waits again. */
export class UnfinishedRedaction extends Error {
  /** SQLSTATE lock_not_available: the same request may succeed later. */
  readonly code = '55P03';

  constructor(rootWorkflowID: string) {
    super(
      `Values of instance ${rootWorkflowID} are still being overwritten after ${MAX_WAIT_MS} ms. A worker continues. Redact again to wait for it.`,
    );
  }
}
