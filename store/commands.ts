/**
 * Commands: what is asked of an instance. Each is a row with a number per instance before it is a signal, and gets
 * its outcome from the park that handled it.
 */
import type { Pool, PoolClient } from 'pg';
import type { Command, CommandBody, CommandOutcome } from '../engine/commands.js';
import type { Variables } from '../engine/json.js';
import type { TraceContext } from '../engine/trace-context.js';
import { unindexed } from './by-key.js';
import { firstRow, preparedRows, rows, type Queryable } from './database.js';
import { isPaused } from './paused.js';
import { refusalByInstance, refused, refusedByPause, type Refusal } from './refusal.js';

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

/** A command that is written: signal `command` to the instance, then wait for its outcome. */
export interface Submitted {
  kind: 'submitted';
  commandID: string;
  command: Command;
  /** It is carried out when the instance is resumed. */
  waitsForResume: boolean;
  /** Written by this request, not by the same one before: the instance has not been told of it yet. */
  isNew: boolean;
  /** The worker whose step commit waits for a command of this instance. */
  lingeringWorker?: string;
}

/** Who asks for something and why, and whether somebody waits for the outcome. */
export interface Request {
  workflowID: string;
  projectID: string;
  actor?: string | undefined;
  reason?: string | undefined;
  awaited: boolean;
  traceContext?: TraceContext | undefined;
}

/** SQL: the worker whose step commit waits for a command of the instance in the row `i`, or null. */
export function lingeringWorker(i: string): string {
  return `CASE WHEN ${i}.lingering_until > now() THEN ${i}.lingering_worker END`;
}

/** What a statement with `insertClaimed` answers. */
export interface InsertedRow {
  id: string;
  number: number;
  lingeringWorker?: string | null;
  waitsForResume?: boolean;
  isNew?: boolean;
}

/** How long the dispatcher leaves a command to the one who wrote it. */
const OWN_DELIVERY_SECONDS = 5;

/**
 * The part of a statement that numbers a command and inserts it. It takes the instance from `claim`, which yields one
 * row when the command may be given, after it has locked that instance.
 *
 * The first five values of the statement are workflow id, body, actor, reason and awaited.
 */
export const insertClaimed = `
  numbered AS (
    UPDATE instances i SET command_count = i.command_count + 1 FROM claim
    WHERE i.workflow_id = claim.workflow_id RETURNING i.workflow_id, i.command_count, ${lingeringWorker('i')} AS lingering_worker
  ), written AS (
    INSERT INTO commands (workflow_id, number, body, actor, reason, awaited, deliver_at)
    SELECT workflow_id, command_count, $2::json, $3::text, $4::text, $5::boolean, now() + interval '${OWN_DELIVERY_SECONDS} seconds'
    FROM numbered RETURNING id, number
  ), inserted AS (
    SELECT written.id, written.number, numbered.lingering_worker AS "lingeringWorker" FROM written, numbered
  )`;

/** The values that `insertClaimed` expects first. */
export function commandValues(request: Request, body: CommandBody): unknown[] {
  const { workflowID, actor, reason, awaited } = request;
  return [workflowID, JSON.stringify(withTrace(request, body)), actor ?? null, reason ?? null, awaited];
}

/** The command that a statement with `insertClaimed` has written. */
export function submitted(request: Request, body: CommandBody, row: InsertedRow): Submitted {
  const command = commandOf(row.number, withTrace(request, body), request.actor ?? null, request.reason ?? null);
  const { id, waitsForResume = false, isNew = true, lingeringWorker: worker } = row;
  return { kind: 'submitted', commandID: id, command, waitsForResume, isNew, ...(worker && { lingeringWorker: worker }) };
}

/** The trace context is kept with the body: it is for the instance alone. */
function withTrace({ traceContext }: Request, body: CommandBody): CommandBody {
  return { ...body, ...(traceContext && { traceContext }) };
}

/** A command as it travels. */
export function commandOf(number: number, body: CommandBody, actor: string | null, reason: string | null): Command {
  return { ...body, number, ...(actor !== null && { actor }), ...(reason !== null && { reason }) };
}

/** Condition on the instance that a command is for, `$1` of the project `$6`: it runs, and is not about to be canceled. */
export const takesCommands = `workflow_id = $1 AND ${unindexed('project_id')} = $6 AND ${unindexed('status')} = 'RUNNING' AND NOT canceling`;

const submitStatement = `
  WITH claim AS MATERIALIZED (
    SELECT workflow_id FROM instances
    WHERE ${takesCommands} FOR UPDATE
  ), ${insertClaimed}
  SELECT id, number, "lingeringWorker" FROM inserted`;

/** Writes a command that claims nothing. The refusal says why the instance takes none. */
export async function submitCommand(
  database: Queryable,
  request: Request & { body: CommandBody },
): Promise<Submitted | Refusal<'NOT_FOUND' | 'INSTANCE_ENDED' | 'CONFLICT'>> {
  const { body, ...rest } = request;
  const [row] = await preparedRows<InsertedRow>(database, 'submit command', submitStatement, [
    ...commandValues(rest, body),
    request.projectID,
  ]);
  return row ? submitted(rest, body, row) : explainRefusal(database, request);
}

const submitUnlessPausedStatement = `
  WITH instance AS MATERIALIZED (
    SELECT workflow_id, ${isPaused('i')} AS paused FROM instances i
    WHERE ${takesCommands} FOR UPDATE
  ), claim AS (
    SELECT workflow_id FROM instance WHERE NOT paused
  ), ${insertClaimed}
  SELECT inserted.id, inserted.number, inserted."lingeringWorker", instance.paused FROM instance LEFT JOIN inserted ON true`;

/** As `submitCommand`, for what would move a paused instance: there it is refused. */
export async function submitUnlessPaused(
  database: Queryable,
  request: Request & { body: CommandBody },
): Promise<Submitted | Refusal<'NOT_FOUND' | 'INSTANCE_ENDED' | 'CONFLICT' | 'SUSPENDED'>> {
  const { body, ...rest } = request;
  const [row] = await preparedRows<InsertedRow & { paused: boolean }>(database, 'submit unless paused', submitUnlessPausedStatement, [
    ...commandValues(rest, body),
    request.projectID,
  ]);
  if (!row) return explainRefusal(database, request);
  return row.paused ? refusedByPause(request.workflowID) : submitted(rest, body, row);
}

/** Why a statement found no instance to give a command to. */
export async function explainRefusal(
  database: Queryable,
  { workflowID, projectID }: { workflowID: string; projectID: string },
): Promise<Refusal<'NOT_FOUND' | 'INSTANCE_ENDED' | 'CONFLICT'>> {
  const instance = await firstRow<{ status: string; canceling: boolean }>(
    database,
    'SELECT status, canceling FROM instances WHERE workflow_id = $1 AND project_id = $2',
    [workflowID, projectID],
  );
  return refusalByInstance(workflowID, instance) ?? refused('CONFLICT', `The instance ${workflowID} has changed meanwhile`);
}

/**
 * Writes a command that no caller of the API sends: the dispatcher delivers it at once.
 * The transaction has locked the instance.
 */
export async function insertInternalCommand(transaction: PoolClient, workflowID: string, body: CommandBody, reason?: string, actor?: string): Promise<void> {
  await transaction.query(
    `WITH numbered AS (UPDATE instances SET command_count = command_count + 1 WHERE workflow_id = $1 RETURNING command_count)
     INSERT INTO commands (workflow_id, number, body, actor, reason, awaited, deliver_at)
     SELECT $1, command_count, $2::json, $4::text, $3::text, false, now() FROM numbered`,
    [workflowID, JSON.stringify(body), reason ?? null, actor ?? null],
  );
}

/**
 * Writes the end of a called instance for its caller. Where the caller's commit waits for it, the dispatcher delivers it
 * only if that does not.
 * The transaction has locked the caller.
 * @returns the worker to be woken after the commit
 */
export async function insertChildEnd(transaction: PoolClient, workflowID: string, body: CommandBody & { kind: 'END_CHILD' }): Promise<string | undefined> {
  const [written] = await rows<{ lingeringWorker: string | null }>(
    transaction,
    `WITH numbered AS (
       UPDATE instances i SET command_count = command_count + 1 WHERE workflow_id = $1 RETURNING command_count, ${lingeringWorker('i')} AS lingering_worker
     ), written AS (
       INSERT INTO commands (workflow_id, number, body, awaited, deliver_at)
       SELECT $1, command_count, $2::json, false, now() + CASE WHEN lingering_worker IS NULL THEN interval '0' ELSE interval '${OWN_DELIVERY_SECONDS} seconds' END FROM numbered
     )
     SELECT lingering_worker AS "lingeringWorker" FROM numbered`,
    [workflowID, JSON.stringify(body)],
  );
  return written?.lingeringWorker ?? undefined;
}

/**
 * Rejects what is still pending of an instance that has ended. The transaction has locked the instance.
 * @returns numbers of those that somebody waits for
 */
export async function rejectPending(transaction: PoolClient, workflowID: string, message: string): Promise<number[]> {
  const rejected = await rows<{ number: number; awaited: boolean }>(
    transaction,
    `UPDATE commands SET status = 'REJECTED', code = 'INSTANCE_ENDED', message = $2, applied_at = now()
     WHERE workflow_id = $1 AND status = 'PENDING' RETURNING number, awaited`,
    [workflowID, message],
  );
  return rejected.filter(({ awaited }) => awaited).map(({ number }) => number);
}

/**
 * SQL: the kind of the command with this body, its first member. `->>` would decode all of it, and fail at what the engine
 * may hold and Postgres's text may not. Bodies that Postgres has built have spaces where those of the host have none.
 */
export function commandKind(body: string): string {
  return `substring(${body}::text FROM '^\\{ ?"kind" ?: ?"([A-Z_]+)"')`;
}

/** SQL: what the command with this body is for, its second member; null where it has none. Read as `commandKind` is. */
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

/** What the workflow reads when a command travelled by reference; undefined when it does not exist. */
export async function loadCommand(pool: Pool, workflowID: string, number: number): Promise<Command | undefined> {
  const row = await firstRow<{ body: CommandBody; variables: Variables | null; actor: string | null; reason: string | null }>(
    pool,
    `SELECT c.body, s.variables, c.actor, c.reason FROM commands c LEFT JOIN signal_payloads s ON s.publication_id = c.payload_id
     WHERE c.workflow_id = $1 AND c.number = $2 AND (c.payload_id IS NULL OR s.publication_id IS NOT NULL)`,
    [workflowID, number],
  );
  if (!row) return undefined;
  const body = row.variables === null ? row.body : ({ ...row.body, variables: row.variables } as CommandBody);
  return commandOf(number, body, row.actor, row.reason);
}

/** The outcome of a command; undefined while it is pending or when it does not exist. */
export async function readOutcome(database: Queryable, workflowID: string, number: number): Promise<CommandOutcome | undefined> {
  const [row] = await preparedRows<{ status: CommandOutcome['status']; code: CommandOutcome['code'] | null; message: string | null; issues: string[] | null }>(
    database,
    'read outcome',
    "SELECT status, code, message, issues FROM commands WHERE workflow_id = $1 AND number = $2 AND status <> 'PENDING'",
    [workflowID, number],
  );
  if (!row) return undefined;
  const { status, code, message, issues } = row;
  return { number, status, ...(code !== null && { code }), ...(message !== null && { message }), ...(issues !== null && { issues }) };
}
