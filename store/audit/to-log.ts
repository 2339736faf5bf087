/**
 * Entries that the log of the host does not have yet. Triggers note them in the transaction of the change, and a worker
 * deletes the note after it has written the line: a worker that dies in between repeats lines, and misses none.
 */
import { rows, type Database } from '../sql/database.js';
import type { ActorType, AuditSubjects, Outcome, Via } from './entries.js';

/** The members of a line of the log. No reasons, no names, no values. */
export interface LoggedEntry extends AuditSubjects {
  entryID: string;
  recordedAt: string;
  projectID: string;
  actor: string;
  actorType: ActorType;
  via: Via;
  operation: string;
  outcome: Outcome;
  code?: string;
  requestID?: string;
}

const MAX_ENTRIES = 500;

const subjectsWithoutColumn = [
  'processId',
  'resourceID',
  'deploymentID',
  'incidentID',
  'publicationID',
  'hookID',
  'subscriptionID',
  'subject',
] as const satisfies readonly (keyof AuditSubjects)[];

/** Rows that another process holds are its own. Several rows of one entry make one line. */
const takeStatement = `
  WITH taken AS MATERIALIZED (
    SELECT number, entry_id FROM audit_entries_to_log ORDER BY number LIMIT ${MAX_ENTRIES} FOR UPDATE SKIP LOCKED
  )
  SELECT t.numbers, CASE WHEN a.id IS NULL THEN NULL ELSE jsonb_strip_nulls(jsonb_build_object(
    'entryID', a.id::text, 'recordedAt', a.recorded_at, 'projectID', a.project_id, 'actor', a.actor, 'actorType', a.actor_type,
    'via', a.via, 'operation', a.operation, 'outcome', a.outcome, 'code', a.code, 'workflowID', a.workflow_id,
    'definitionID', a.definition_id, 'executionKey', a.execution_key, 'batchID', a.batch_id,
    ${['requestID', ...subjectsWithoutColumn].map((name) => `'${name}', a.details -> '${name}'`).join(', ')})) END AS entry
  FROM (SELECT entry_id, min(number) AS first, array_agg(number::text) AS numbers FROM taken GROUP BY entry_id) t
    LEFT JOIN audit_entries a ON a.id = t.entry_id
  ORDER BY t.first`;

/**
 * Writes the lines of the next entries.
 * @param write must have passed the line on when it returns
 * @returns whether there may be more
 */
export async function logEntries(database: Database, write: (entry: LoggedEntry) => void): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const taken = await rows<{ numbers: string[]; entry: LoggedEntry | null }>(transaction, takeStatement, []);
    for (const { entry } of taken) if (entry !== null) write(entry);
    const numbers = taken.flatMap((one) => one.numbers);
    if (numbers.length > 0)
      await transaction.query('DELETE FROM audit_entries_to_log WHERE number = ANY ($1::bigint[])', [numbers]);
    return numbers.length === MAX_ENTRIES;
  });
}
