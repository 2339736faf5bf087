/**
 * Executions on Temporal of jobs that connectors perform: a row from before the start until the end is reported. It names
 * the lease under which any connector may report, and a token that the execution keeps in its memo.
 */
import { randomUUID } from 'node:crypto';
import type { Variables } from '@perdure/engine/contract/json.js';
import type { TraceContext } from '@perdure/engine/contract/trace-context.js';
import { firstRow, rows, type Queryable } from '../../sql/database.js';
import { isLeased } from '../leases.js';

export interface JobKey {
  workflowID: string;
  /** The job's number in its instance. */
  number: number;
}

/** Where the work of a job runs on Temporal. */
export interface Execution {
  namespace: string;
  workflowID: string;
  runID: string;
}

/** How an execution begins. */
export interface Beginning {
  token: string;
  /** Of Perdure's execution, once it is known to have started. */
  runID: string | null;
  /** Nothing can have been started before. */
  isFirst: boolean;
  /** It may have started long ago, so that Temporal may have forgotten it. */
  isOld: boolean;
}

/**
 * A start is tried again only within this time after the last attempt: no namespace keeps closed executions for less than
 * an hour, so that within it Temporal recognizes a second start.
 */
const ATTEMPTS_WITHIN = "interval '30 minutes'";
const FIRST_LOOK_MS = 5_000;
const MAX_LOOK_MS = 300_000;
/** A lease lasts so much longer than the time until the next look. */
const LEASE_MARGIN = "interval '2 minutes'";
/** Longer than the requests of a cancellation may take. */
const UNTIL_CANCELED = "interval '30 seconds'";

/**
 * Records that the execution of a leased job is about to start, or that it is now held under this lease.
 * @returns undefined if the client does not hold the job anymore
 */
export async function recordBeginning(
  database: Queryable,
  { workflowID, number }: JobKey,
  { clientID, leaseToken }: { clientID: string; leaseToken: string },
): Promise<Beginning | undefined> {
  const token = randomUUID();
  const found = await firstRow<Omit<Beginning, 'isFirst'>>(
    database,
    `WITH held AS (
       UPDATE jobs SET cancel_execution_at = now() WHERE workflow_id = $1 AND number = $2 AND ${isLeased({ client: '$3', lease: '$4' })}
         AND status = 'PENDING' AND ending_command IS NULL RETURNING workflow_id, number
     )
     INSERT INTO temporal_executions AS e (workflow_id, number, token, attempted_at, client_id, lease, look_at)
     SELECT workflow_id, number, $5::uuid, now(), $3::text, $4::text, now() + $6 * interval '1 millisecond' FROM held
     ON CONFLICT (workflow_id, number) DO UPDATE SET client_id = excluded.client_id, lease = excluded.lease,
       look_at = CASE WHEN e.run_id IS NULL THEN excluded.look_at ELSE now() END,
       attempted_at = CASE WHEN e.attempted_at > now() - ${ATTEMPTS_WITHIN} THEN now() ELSE e.attempted_at END
     RETURNING token, run_id AS "runID", attempted_at < now() - ${ATTEMPTS_WITHIN} AS "isOld"`,
    [workflowID, number, clientID, leaseToken, token, FIRST_LOOK_MS],
  );
  return found && { ...found, isFirst: found.token === token };
}

/** @param execution if it is known already */
export async function recordStart(
  database: Queryable,
  { workflowID, number }: JobKey,
  runID: string,
  execution?: Execution,
): Promise<boolean> {
  const found = await rows(
    database,
    `WITH shown AS (UPDATE jobs SET execution = coalesce($4::json, execution) WHERE workflow_id = $1 AND number = $2)
     UPDATE temporal_executions SET run_id = $3, look_at = now() + $5 * interval '1 millisecond'
     WHERE workflow_id = $1 AND number = $2 RETURNING number`,
    [workflowID, number, runID, execution ? JSON.stringify(execution) : null, FIRST_LOOK_MS],
  );
  return found.length > 0;
}

/** Where the work itself runs, if not in Perdure's execution. */
export async function recordExecution(
  database: Queryable,
  { workflowID, number }: JobKey,
  execution: Execution,
): Promise<void> {
  await database.query('UPDATE jobs SET execution = $3::json WHERE workflow_id = $1 AND number = $2', [
    workflowID,
    number,
    JSON.stringify(execution),
  ]);
}

export interface DueExecution extends JobKey {
  token: string;
  runID: string | null;
  /** A connector may be starting it right now. */
  isStarting: boolean;
  /** Whether its job waits for it. */
  isAwaited: boolean;
}

const isStarting = `(e.run_id IS NULL AND e.attempted_at > now() - interval '1 minute')`;
const dueColumns = `e.workflow_id AS "workflowID", e.number, e.token, e.run_id AS "runID", ${isStarting} AS "isStarting"`;

/**
 * Claims executions to look at, longest due first, and extends the leases of their jobs beyond the next look. The time
 * between two looks doubles from ten seconds to five minutes.
 */
export async function claimDue(database: Queryable, count: number): Promise<DueExecution[]> {
  return rows<DueExecution>(
    database,
    `WITH due AS MATERIALIZED (
       SELECT workflow_id, number FROM temporal_executions WHERE look_at <= now() ORDER BY look_at LIMIT $1 FOR UPDATE SKIP LOCKED
     ), claimed AS (
       UPDATE temporal_executions e SET looks = least(e.looks + 1, 30),
         look_at = now() + least($2 * power(2, e.looks + 1), $3) * interval '1 millisecond'
       FROM due d WHERE e.workflow_id = d.workflow_id AND e.number = d.number RETURNING e.*
     ), held AS MATERIALIZED (
       SELECT j.workflow_id, j.number, c.look_at FROM claimed c JOIN jobs j USING (workflow_id, number)
       WHERE j.locked_by = c.client_id AND j.lease::text = c.lease AND j.lock_expires_at > now() AND j.status = 'PENDING'
         AND j.ending_command IS NULL
       FOR UPDATE OF j SKIP LOCKED
     ), extended AS (
       UPDATE jobs j SET lock_expires_at = h.look_at + ${LEASE_MARGIN}, available_at = h.look_at + ${LEASE_MARGIN}
       FROM held h WHERE j.workflow_id = h.workflow_id AND j.number = h.number
     )
     SELECT ${dueColumns}, coalesce(j.status = 'PENDING', false) AS "isAwaited"
     FROM claimed e LEFT JOIN jobs j ON j.workflow_id = e.workflow_id AND j.number = e.number`,
    [count, FIRST_LOOK_MS, MAX_LOOK_MS],
  );
}

/**
 * Claims executions whose jobs have ended without them. One that cannot be canceled is claimed again after others. Those
 * of removed instances are found when they are due, and so are those that may be about to start: they would hold back the
 * others.
 */
export async function claimToCancel(database: Queryable, count: number): Promise<DueExecution[]> {
  return rows<DueExecution>(
    database,
    `WITH due AS MATERIALIZED (
       SELECT j.workflow_id, j.number FROM jobs j JOIN temporal_executions e USING (workflow_id, number)
       WHERE j.cancel_execution_at <= now() AND j.status <> 'PENDING' AND NOT ${isStarting}
       ORDER BY j.cancel_execution_at LIMIT $1 FOR UPDATE OF j SKIP LOCKED
     ), claimed AS (
       UPDATE jobs j SET cancel_execution_at = now() + ${UNTIL_CANCELED} FROM due d
       WHERE j.workflow_id = d.workflow_id AND j.number = d.number RETURNING j.workflow_id, j.number
     )
     SELECT ${dueColumns}, false AS "isAwaited" FROM claimed JOIN temporal_executions e USING (workflow_id, number)`,
    [count],
  );
}

/** Its cancellation is requested. The row stays until it has ended. */
export async function recordCancellation(database: Queryable, { workflowID, number }: JobKey): Promise<void> {
  await database.query('UPDATE jobs SET cancel_execution_at = NULL WHERE workflow_id = $1 AND number = $2', [
    workflowID,
    number,
  ]);
}

/** Nothing is left to do for it. */
export async function forgetExecution(database: Queryable, { workflowID, number }: JobKey): Promise<void> {
  await database.query(
    `WITH forgotten AS (DELETE FROM temporal_executions WHERE workflow_id = $1 AND number = $2)
     UPDATE jobs SET cancel_execution_at = NULL WHERE workflow_id = $1 AND number = $2`,
    [workflowID, number],
  );
}

export async function hasExecutions(database: Queryable): Promise<boolean> {
  return (await rows(database, 'SELECT 1 FROM temporal_executions LIMIT 1', [])).length > 0;
}

/** A job with its execution. */
export interface JobOfExecution {
  projectID: string;
  clientID: string;
  leaseToken: string;
  headers: Record<string, string> | null;
  variables: Variables;
  traceContext: TraceContext | null;
  /** No result of it is accepted anymore. */
  hasEnded: boolean;
}

/** Undefined if its end was reported, or its instance was removed. */
export async function jobOfExecution(
  database: Queryable,
  { workflowID, number }: JobKey,
): Promise<JobOfExecution | undefined> {
  const found = await firstRow<
    Omit<JobOfExecution, 'variables'> & { localVariables: Variables | null; rootVariables: Variables | null }
  >(
    database,
    `SELECT j.project_id AS "projectID", e.client_id AS "clientID", e.lease AS "leaseToken", j.headers,
       j.local_variables AS "localVariables", i.variables AS "rootVariables", j.trace_context AS "traceContext",
       j.status <> 'PENDING' OR j.ending_command IS NOT NULL AS "hasEnded"
     FROM temporal_executions e JOIN jobs j USING (workflow_id, number) JOIN instances i USING (workflow_id)
     WHERE e.workflow_id = $1 AND e.number = $2`,
    [workflowID, number],
  );
  if (!found) return undefined;
  const { localVariables, rootVariables, ...job } = found;
  return { ...job, variables: { ...rootVariables, ...localVariables } };
}
