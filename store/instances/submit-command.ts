/** Commands of requests. One statement checks the instance, claims what the command is about, and writes it. */
import type { Command, CommandBody, Delivery } from '@perdure/engine/contract/commands.js';
import type { TraceContext } from '@perdure/engine/contract/trace-context.js';
import { auditJson, type AuditDraft } from '../audit/entries.js';
import { Parameter, raw, sql, statementOf, type Sql } from '../sql/builder.js';
import { unindexed } from '../sql/by-key.js';
import { carryOut, lockQueued, worksOnQueued, type QueuedCommand } from '../processes/queued-commands.js';
import { firstRow, type Database, type Queryable, type Statement, type Transaction } from '../sql/database.js';
import { refusalByInstance, refused, refusedByPause, type Refusal } from '../sql/refusal.js';
import { lingeringWorker } from '../hot-instances/linger-mark.js';
import { commandOf, OWN_DELIVERY_SECONDS } from './commands.js';
import { isPaused } from './paused.js';

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

/** Fragments of a statement that gives a command to an instance of a project. */
export interface CommandSql {
  workflowID: Parameter;
  /** Condition on the row of the instance: it is in the project, running, not being canceled, and not queued. */
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
    takesCommands: sql`workflow_id = ${workflowID} AND ${raw(unindexed('project_id'))} = ${projectID}
      AND ${raw(unindexed('status'))} = 'RUNNING' AND NOT canceling AND NOT queued`,
    insertClaimed: sql`
  numbered AS (
    UPDATE instances i SET command_count = i.command_count + 1 FROM claim
    WHERE i.workflow_id = claim.workflow_id
    RETURNING i.workflow_id, i.project_id, i.command_count, ${raw(lingeringWorker('i'))} AS lingering_worker,
      ${raw(hasReadOthers('i'))} AS has_read_others
  ), written AS (
    INSERT INTO commands (workflow_id, project_id, number, body, actor, reason, awaited, audit, deliver_at)
    SELECT workflow_id, project_id, command_count, ${json}::json, ${actor ?? null}::text, ${reason ?? null}::text,
      ${awaited}::boolean, ${auditJson(audit)}::jsonb, now() + interval '${raw(String(OWN_DELIVERY_SECONDS))} seconds'
    FROM numbered RETURNING id, number
  ), inserted AS (
    SELECT written.id, written.number, numbered.lingering_worker AS "lingeringWorker", numbered.has_read_others AS "hasReadOthers"
    FROM written, numbered
  )`,
  };
}

/** A statement that begins with the condition `takesCommands` and locks the instance. */
export function commandStatement(statement: Sql, name: string, { workflowID }: Request): Statement {
  return { ...statementOf(statement, name), locks: workflowID };
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

/** How the command in a written row reaches its instance. */
export function deliveryOf({
  lingeringWorker: worker,
  hasReadOthers: isSignaled = true,
}: Pick<InsertedRow, 'lingeringWorker' | 'hasReadOthers'>): Delivery {
  if (worker) return { worker };
  return isSignaled ? 'signal' : 'withEarlier';
}

/** The trace context is stored with the body, because only the instance uses it. */
function withTrace({ traceContext }: Request, body: CommandBody): CommandBody {
  return { ...body, ...(traceContext && { traceContext }) };
}

/** Writes a command that claims nothing. A refusal has the reason why the instance accepts no command. */
export async function submitCommand(
  database: Database,
  request: Request & { body: CommandBody },
): Promise<Submitted | Refusal<'NOT_FOUND' | 'INSTANCE_ENDED' | 'CONFLICT'>> {
  const { body } = request;
  const written = await submitToWorkflow(database, request);
  if (written) return written;
  if (!worksOnQueued(body)) return explainRefusal(database, request);
  const applied = await applyToQueued(database, { ...request, body });
  // It may have begun in between.
  return applied ?? (await submitToWorkflow(database, request)) ?? explainRefusal(database, request);
}

async function submitToWorkflow(
  database: Queryable,
  request: Request & { body: CommandBody },
): Promise<Submitted | undefined> {
  const { body, ...rest } = request;
  const { takesCommands, insertClaimed } = commandSql(rest, body);
  const statement = sql`
  WITH claim AS MATERIALIZED (
    SELECT workflow_id FROM instances
    WHERE ${takesCommands} FOR UPDATE
  ), ${insertClaimed}
  SELECT ${insertedColumns} FROM inserted`;
  const [row] = (await database.query<InsertedRow>(commandStatement(statement, 'submit command', rest))).rows;
  return row && submitted(rest, body, row);
}

/** Writes a command with its outcome to a queued instance. @returns undefined if it is not queued */
function applyToQueued(database: Database, request: Request & { body: QueuedCommand }): Promise<Submitted | undefined> {
  const { body, ...rest } = request;
  return database.transaction(async (transaction) => {
    const queued = await lockQueued(transaction, rest);
    if (!queued) return undefined;
    const written = await submitForQueued(transaction, rest, body);
    await carryOut(transaction, queued, written.command.number, body);
    return written;
  });
}

/** Writes a command to a queued instance, which the transaction has locked and carries the command out. */
export async function submitForQueued(
  transaction: Transaction,
  request: Request,
  body: CommandBody,
): Promise<Submitted> {
  const { workflowID, insertClaimed } = commandSql(request, body);
  const statement = sql`
  WITH claim AS (SELECT ${workflowID}::text AS workflow_id), ${insertClaimed}
  SELECT inserted.id, inserted.number, false AS "hasReadOthers", false AS "isNew" FROM inserted`;
  const [row] = (await transaction.query<InsertedRow>(statementOf(statement, 'command to queued instance'))).rows;
  return submitted(request, body, row!);
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
    await database.query<InsertedRow & { paused: boolean }>(commandStatement(statement, 'submit unless paused', rest))
  ).rows;
  if (!row) return explainRefusal(database, request);
  return row.paused ? refusedByPause(request.workflowID) : submitted(rest, body, row);
}

/** Why a statement found no instance for the command. */
export async function explainRefusal(
  database: Queryable,
  { workflowID, projectID }: { workflowID: string; projectID: string },
): Promise<Refusal<'NOT_FOUND' | 'INSTANCE_ENDED' | 'CONFLICT'>> {
  const instance = await firstRow<{ status: string; canceling: boolean; queued: boolean }>(
    database,
    'SELECT status, canceling, queued FROM instances WHERE workflow_id = $1 AND project_id = $2',
    [workflowID, projectID],
  );
  const refusal = refusalByInstance(workflowID, instance);
  if (refusal) return refusal;
  if (instance!.queued)
    return refused(
      'CONFLICT',
      `Instance ${workflowID} has not begun: it waits for a place of its process. Retry after it has begun`,
    );
  return refused('CONFLICT', `Instance ${workflowID} has changed in the meantime. Retry the request.`);
}
