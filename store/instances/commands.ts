/**
 * Commands to instances. Each is first a row with a number per instance, and gets its outcome from the step commit that
 * handled it. Results in `../hot-instances/job-results.ts` get their row from that commit.
 *
 * A signal only rings: the instance reads its commands by number. Every step commit returns the commands that the
 * instance has not read yet, so a command is signaled only if the instance has read all commands before it. However many
 * commands arrive at once, Temporal then buffers one signal per step commit (its limit is 100 per workflow task).
 */
import type { Command, CommandBody, CommandOutcome } from '@perdure/engine/contract/commands.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { lingeringWorker } from '../hot-instances/linger-mark.js';
import { firstRow, preparedRows, rows, type Database, type Transaction, type Queryable } from '../sql/database.js';

export interface CommandRow {
  id: string;
  workflowID: string;
  number: number;
  kind: CommandBody['kind'];
  actor: string | null;
  reason: string | null;
  status: 'PENDING' | 'APPLIED' | 'REJECTED';
  code: CommandOutcome['code'] | null;
  message: string | null;
  issues: string[] | null;
  createdAt: Date;
  appliedAt: Date | null;
}

/**
 * UTF-8 bytes of the JSON of a command. Longer ones travel by reference: large signals overflow the event buffer of
 * Temporal, and hundreds of them would take the memory of every relay. Their rows exist anyway.
 */
export const MAX_INLINE_COMMAND_BYTES = 64 * 1024;

/** How long the outbox relay leaves a start or a command to the process that wrote it. */
export const OWN_DELIVERY_SECONDS = 5;

/** A command as transmitted. */
export function commandOf(number: number, body: CommandBody, actor: string | null, reason: string | null): Command {
  return { ...body, number, ...(actor !== null && { actor }), ...(reason !== null && { reason }) };
}

/** Writes an internal command: the outbox relay delivers it at once. The transaction has locked the instance. */
export async function insertInternalCommand(
  transaction: Transaction,
  workflowID: string,
  body: CommandBody,
  reason?: string,
): Promise<void> {
  await transaction.query(
    `WITH numbered AS (UPDATE instances SET command_count = command_count + 1 WHERE workflow_id = $1 RETURNING command_count, project_id)
     INSERT INTO commands (workflow_id, project_id, number, body, reason, awaited, deliver_at)
     SELECT $1, project_id, command_count, $2::json, $3::text, false, now() FROM numbered`,
    [workflowID, JSON.stringify(body), reason ?? null],
  );
}

/**
 * Writes the end of a child instance for its parent. If a commit of the parent lingers, the outbox relay delivers the
 * command only if that commit does not receive it. The transaction has locked the parent.
 * @returns the worker to wake after the commit
 */
export async function insertChildEnd(
  transaction: Transaction,
  workflowID: string,
  body: CommandBody & { kind: 'END_CHILD' },
): Promise<string | undefined> {
  const [written] = await rows<{ lingeringWorker: string | null }>(
    transaction,
    `WITH numbered AS (
       UPDATE instances i SET command_count = command_count + 1 WHERE workflow_id = $1
       RETURNING command_count, project_id, ${lingeringWorker('i')} AS lingering_worker
     ), written AS (
       INSERT INTO commands (workflow_id, project_id, number, body, awaited, deliver_at)
       SELECT $1, project_id, command_count, $2::json, false,
         now() + CASE WHEN lingering_worker IS NULL THEN interval '0' ELSE interval '${OWN_DELIVERY_SECONDS} seconds' END
       FROM numbered
     )
     SELECT lingering_worker AS "lingeringWorker" FROM numbered`,
    [workflowID, JSON.stringify(body)],
  );
  return written?.lingeringWorker ?? undefined;
}

/**
 * Rejects the pending commands of an instance that has ended. The transaction has locked the instance.
 * @returns numbers of those whose outcome is awaited
 */
export async function rejectPending(transaction: Transaction, workflowID: string, message: string): Promise<number[]> {
  const rejected = await rows<{ number: number; awaited: boolean }>(
    transaction,
    `UPDATE commands SET status = 'REJECTED', code = 'INSTANCE_ENDED', message = $2, applied_at = now()
     WHERE workflow_id = $1 AND status = 'PENDING' RETURNING number, awaited`,
    [workflowID, message],
  );
  return rejected.filter(({ awaited }) => awaited).map(({ number }) => number);
}

/**
 * SQL: the kind of the command with this body, its first member. `->>` would decode all of it, and fail at characters
 * that the engine allows and Postgres's text does not. Bodies built by Postgres contain spaces, those of the host do
 * not.
 */
export function commandKind(body: string): string {
  return `substring(${body}::text FROM '^\\{ ?"kind" ?: ?"([A-Z_]+)"')`;
}

/** SQL: the subject of the command with this body, its second member; null if it has none. Read like `commandKind`. */
export function commandExecution(body: string): string {
  return `substring(${body}::text FROM '^\\{ ?"kind" ?: ?"[A-Z_]+", ?"execution" ?: ?([0-9]+)')::integer`;
}

const commandColumns = `
  c.id, c.workflow_id AS "workflowID", c.number, ${commandKind('c.body')} AS kind, c.actor, c.reason, c.status, c.code, c.message, c.issues,
  c.created_at AS "createdAt", c.applied_at AS "appliedAt"`;

/** One command of an instance by its id. */
export async function findCommand(
  database: Queryable,
  { projectID, workflowID, commandID }: { projectID: string; workflowID: string; commandID: string },
): Promise<CommandRow | undefined> {
  return firstRow<CommandRow>(
    database,
    `SELECT ${commandColumns} FROM commands c JOIN instances i USING (workflow_id)
     WHERE i.project_id = $1 AND c.workflow_id = $2 AND c.id::text = lower($3)`,
    [projectID, workflowID, commandID],
  );
}

/** How much is read at once, unless a single command is larger. */
const MAX_READ_BYTES = 1024 * 1024;

/**
 * Whole commands of an instance by number, in order: the first one, and further ones up to a total of 1 MiB. Those that do
 * not exist are absent.
 */
export async function loadCommands(
  database: Database,
  workflowID: string,
  numbers: readonly number[],
): Promise<Command[]> {
  const found = await rows<{
    number: number;
    body: CommandBody;
    variables: Variables | null;
    actor: string | null;
    reason: string | null;
  }>(
    database,
    `SELECT number, body, variables, actor, reason FROM (
       SELECT c.number, c.body, s.variables, c.actor, c.reason, row_number() OVER in_order AS nth,
         sum(octet_length(c.body::text) + coalesce(octet_length(s.variables::text), 0)) OVER in_order AS bytes
       FROM commands c LEFT JOIN signal_payloads s ON s.publication_id = c.payload_id
       WHERE c.workflow_id = $1 AND c.number = ANY($2::integer[]) AND (c.payload_id IS NULL OR s.publication_id IS NOT NULL)
       WINDOW in_order AS (ORDER BY c.number)
     ) found WHERE nth = 1 OR bytes <= ${MAX_READ_BYTES} ORDER BY number`,
    [workflowID, numbers],
  );
  return found.map(({ number, body, variables, actor, reason }) =>
    commandOf(number, variables === null ? body : ({ ...body, variables } as CommandBody), actor, reason),
  );
}

/** The outcome of a command; undefined while it is pending or if it does not exist. */
export async function readOutcome(
  database: Queryable,
  workflowID: string,
  number: number,
): Promise<CommandOutcome | undefined> {
  const [row] = await preparedRows<{
    status: CommandOutcome['status'];
    code: CommandOutcome['code'] | null;
    message: string | null;
    issues: string[] | null;
  }>(
    database,
    'read outcome',
    "SELECT status, code, message, issues FROM commands WHERE workflow_id = $1 AND number = $2 AND status <> 'PENDING'",
    [workflowID, number],
  );
  if (!row) return undefined;
  const { status, code, message, issues } = row;
  return {
    number,
    status,
    ...(code !== null && { code }),
    ...(message !== null && { message }),
    ...(issues !== null && { issues }),
  };
}
