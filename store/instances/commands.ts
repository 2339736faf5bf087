/**
 * Commands to instances. Each is first a row with a number per instance, and gets its outcome from the step commit that
 * handled it. Results in `../hot-instances/job-results.ts` get their row from that commit.
 *
 * A signal only rings: the instance reads its commands by number. Every step commit returns the commands that the
 * instance has not read yet, so a command is signaled only if the instance has read all commands before it. However many
 * commands arrive at once, Temporal then buffers one signal per step commit (its limit is 100 per workflow task).
 */
import type { Command, CommandBody, CommandOutcome, Delivery } from '@perdure/engine/contract/commands.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import type { TraceContext } from '@perdure/engine/contract/trace-context.js';
import { auditJson, type AuditDraft } from '../audit/entries.js';
import { Parameter, raw, sql, statementOf, type Sql } from '../sql/builder.js';
import { lingeringWorker } from '../hot-instances/linger-mark.js';
import { unindexed } from '../sql/by-key.js';
import { firstRow, preparedRows, rows, type Database, type Transaction, type Queryable } from '../sql/database.js';
import { isPaused } from './paused.js';
import { refusalByInstance, refused, refusedByPause, type Refusal } from '../sql/refusal.js';

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

/** A written command: send signal `command` to the instance, then wait for its outcome. */
export interface Submitted {
  kind: 'submitted';
  workflowID: string;
  commandID: string;
  command: Command;
  /** Deferred: it runs when the instance is resumed. */
  waitsForResume: boolean;
  /** Written by this request, not by an earlier identical one: the instance has not been signaled yet. */
  isNew: boolean;
  /** How it reaches the instance. */
  delivery: Delivery;
}

/** The actor and the reason of a request, and whether the outcome is awaited. */
export interface Request {
  workflowID: string;
  projectID: string;
  actor?: string | undefined;
  reason?: string | undefined;
  awaited: boolean;
  traceContext?: TraceContext | undefined;
  /** The audit entry to write with it; absent for internal commands and for the work of job workers. */
  audit?: AuditDraft | undefined;
}

/** SQL: whether the instance in the updated row `i` has read every command before its last one. */
export function hasReadOthers(i: string): string {
  return `${i}.command_count - 1 <= ${i}.received_commands`;
}

/** Result row of a statement with `insertClaimed`. */
export interface InsertedRow {
  id: string;
  number: number;
  lingeringWorker?: string | null;
  hasReadOthers?: boolean;
  waitsForResume?: boolean;
  isNew?: boolean;
}

/** The columns of `InsertedRow` that every statement with `insertClaimed` returns. */
export const insertedColumns = raw(
  'inserted.id, inserted.number, inserted."lingeringWorker", inserted."hasReadOthers"',
);

/**
 * UTF-8 bytes of the JSON of a command. Longer ones travel by reference: large signals overflow the event buffer of
 * Temporal, and hundreds of them would take the memory of every relay. Their rows exist anyway.
 */
export const MAX_INLINE_COMMAND_BYTES = 64 * 1024;

/** How long the outbox relay leaves a start or a command to the process that wrote it. */
export const OWN_DELIVERY_SECONDS = 5;

/** Fragments of a statement that gives a command to an instance of a project. */
export interface CommandSql {
  workflowID: Parameter;
  /** Condition on the row of the instance: it is in the project, running, and not being canceled. */
  takesCommands: Sql;
  /**
   * Expressions that number the command and insert it. They take the instance from `claim`, which yields one row if the
   * command may be given, after locking that instance. The statement returns `insertedColumns`.
   */
  insertClaimed: Sql;
}

export function commandSql(request: Request, body: CommandBody): CommandSql {
  const { projectID, actor, reason, awaited, audit } = request;
  const workflowID = new Parameter(request.workflowID);
  const json = JSON.stringify(withTrace(request, body));
  return {
    workflowID,
    takesCommands: sql`workflow_id = ${workflowID} AND ${raw(unindexed('project_id'))} = ${projectID} AND ${raw(unindexed('status'))} = 'RUNNING' AND NOT canceling`,
    insertClaimed: sql`
  numbered AS (
    UPDATE instances i SET command_count = i.command_count + 1 FROM claim
    WHERE i.workflow_id = claim.workflow_id RETURNING i.workflow_id, i.project_id, i.command_count, ${raw(lingeringWorker('i'))} AS lingering_worker,
      ${raw(hasReadOthers('i'))} AS has_read_others
  ), written AS (
    INSERT INTO commands (workflow_id, project_id, number, body, actor, reason, awaited, audit, deliver_at)
    SELECT workflow_id, project_id, command_count, ${json}::json, ${actor ?? null}::text, ${reason ?? null}::text, ${awaited}::boolean, ${auditJson(audit)}::jsonb, now() + interval '${raw(String(OWN_DELIVERY_SECONDS))} seconds'
    FROM numbered RETURNING id, number
  ), inserted AS (
    SELECT written.id, written.number, numbered.lingering_worker AS "lingeringWorker", numbered.has_read_others AS "hasReadOthers"
    FROM written, numbered
  )`,
  };
}

/** The command that a statement with `insertClaimed` has written. */
export function submitted(request: Request, body: CommandBody, row: InsertedRow): Submitted {
  const command = commandOf(row.number, withTrace(request, body), request.actor ?? null, request.reason ?? null);
  const { id, waitsForResume = false, isNew = true } = row;
  return {
    kind: 'submitted',
    workflowID: request.workflowID,
    commandID: id,
    command,
    waitsForResume,
    isNew,
    delivery: deliveryOf(row),
  };
}

function deliveryOf({ lingeringWorker: worker, hasReadOthers: isSignaled = true }: InsertedRow): Delivery {
  if (worker) return { worker };
  return isSignaled ? 'signal' : 'withEarlier';
}

/** The trace context is stored with the body, because only the instance uses it. */
function withTrace({ traceContext }: Request, body: CommandBody): CommandBody {
  return { ...body, ...(traceContext && { traceContext }) };
}

/** A command as transmitted. */
export function commandOf(number: number, body: CommandBody, actor: string | null, reason: string | null): Command {
  return { ...body, number, ...(actor !== null && { actor }), ...(reason !== null && { reason }) };
}

/** Writes a command that claims nothing. A refusal has the reason why the instance accepts no command. */
export async function submitCommand(
  database: Queryable,
  request: Request & { body: CommandBody },
): Promise<Submitted | Refusal<'NOT_FOUND' | 'INSTANCE_ENDED' | 'CONFLICT'>> {
  const { body, ...rest } = request;
  const { takesCommands, insertClaimed } = commandSql(rest, body);
  const statement = sql`
  WITH claim AS MATERIALIZED (
    SELECT workflow_id FROM instances
    WHERE ${takesCommands} FOR UPDATE
  ), ${insertClaimed}
  SELECT ${insertedColumns} FROM inserted`;
  const [row] = (await database.query<InsertedRow>(statementOf(statement, 'submit command'))).rows;
  return row ? submitted(rest, body, row) : explainRefusal(database, request);
}

/** Like `submitCommand`, for commands that would move a paused instance: they are refused while it is paused. */
export async function submitUnlessPaused(
  database: Queryable,
  request: Request & { body: CommandBody },
): Promise<Submitted | Refusal<'NOT_FOUND' | 'INSTANCE_ENDED' | 'CONFLICT' | 'SUSPENDED'>> {
  const { body, ...rest } = request;
  const { takesCommands, insertClaimed } = commandSql(rest, body);
  const statement = sql`
  WITH instance AS MATERIALIZED (
    SELECT workflow_id, ${raw(isPaused('i'))} AS paused FROM instances i
    WHERE ${takesCommands} FOR UPDATE
  ), claim AS (
    SELECT workflow_id FROM instance WHERE NOT paused
  ), ${insertClaimed}
  SELECT ${insertedColumns}, instance.paused FROM instance LEFT JOIN inserted ON true`;
  const [row] = (
    await database.query<InsertedRow & { paused: boolean }>(statementOf(statement, 'submit unless paused'))
  ).rows;
  if (!row) return explainRefusal(database, request);
  return row.paused ? refusedByPause(request.workflowID) : submitted(rest, body, row);
}

/** Why a statement found no instance for the command. */
export async function explainRefusal(
  database: Queryable,
  { workflowID, projectID }: { workflowID: string; projectID: string },
): Promise<Refusal<'NOT_FOUND' | 'INSTANCE_ENDED' | 'CONFLICT'>> {
  const instance = await firstRow<{ status: string; canceling: boolean }>(
    database,
    'SELECT status, canceling FROM instances WHERE workflow_id = $1 AND project_id = $2',
    [workflowID, projectID],
  );
  return (
    refusalByInstance(workflowID, instance) ??
    refused('CONFLICT', `Instance ${workflowID} has changed in the meantime. Retry the request.`)
  );
}

/** Writes an internal command: the outbox relay delivers it at once. The transaction has locked the instance. */
export async function insertInternalCommand(
  transaction: Transaction,
  workflowID: string,
  body: CommandBody,
  reason?: string,
  actor?: string,
): Promise<void> {
  await transaction.query(
    `WITH numbered AS (UPDATE instances SET command_count = command_count + 1 WHERE workflow_id = $1 RETURNING command_count, project_id)
     INSERT INTO commands (workflow_id, project_id, number, body, actor, reason, awaited, deliver_at)
     SELECT $1, project_id, command_count, $2::json, $4::text, $3::text, false, now() FROM numbered`,
    [workflowID, JSON.stringify(body), reason ?? null, actor ?? null],
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
       UPDATE instances i SET command_count = command_count + 1 WHERE workflow_id = $1 RETURNING command_count, project_id, ${lingeringWorker('i')} AS lingering_worker
     ), written AS (
       INSERT INTO commands (workflow_id, project_id, number, body, awaited, deliver_at)
       SELECT $1, project_id, command_count, $2::json, false, now() + CASE WHEN lingering_worker IS NULL THEN interval '0' ELSE interval '${OWN_DELIVERY_SECONDS} seconds' END FROM numbered
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
