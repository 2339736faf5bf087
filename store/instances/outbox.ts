/**
 * Outbox: rows that may not have reached Temporal yet. Reading reserves them for a while, so that several relays do not
 * send the same row at once. Unanswered rows are offered again after an interval that doubles each time.
 */
import type { Pool } from 'pg';
import type { Command, CommandBody, CommandKind, StartInput } from '@perdure/engine/contract/commands.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { commandKind, commandOf, lingeringWorker } from './commands.js';
import { rows } from '../sql/database.js';
import type { InstanceToStart } from './start.js';

/**
 * Larger commands travel by reference: a hundred commands of up to 1 MiB would take their total in memory of every
 * relay.
 */
const LARGEST_SENT_BYTES = 64 * 1024;

/** Doubles the time since the row was written, from 5 seconds on. */
const nextDelivery = "now() + greatest(interval '5 seconds', now() - created_at)";

/**
 * Instances without a step commit whose start is due, oldest first.
 * @param limit maximum number
 */
export async function unstartedInstances(pool: Pool, limit: number): Promise<InstanceToStart[]> {
  const due = await rows<{
    workflowID: string;
    projectID: string;
    definitionID: string;
    processID: string;
    processName: string | null;
    version: number;
    businessID: string | null;
    parentWorkflowID: string | null;
    graphSha256: string;
    variables: Variables;
    input: Omit<StartInput, 'variables'>;
  }>(
    pool,
    `WITH due AS (
       SELECT workflow_id FROM instance_starts WHERE deliver_at <= now() ORDER BY deliver_at LIMIT $1 FOR UPDATE SKIP LOCKED
     ), taken AS (
       UPDATE instance_starts s SET deliver_at = ${nextDelivery} FROM due WHERE s.workflow_id = due.workflow_id
       RETURNING s.workflow_id, s.input, s.created_at
     )
     SELECT i.workflow_id AS "workflowID", i.project_id AS "projectID", i.definition_id AS "definitionID",
       d.process_id AS "processID", d.process_name AS "processName", d.version, i.business_id AS "businessID",
       i.parent_workflow_id AS "parentWorkflowID", d.graph_sha256 AS "graphSha256", i.variables, t.input
     FROM taken t JOIN instances i USING (workflow_id) JOIN definitions d ON d.id = i.definition_id
     WHERE i.status = 'RUNNING' ORDER BY t.created_at`,
    [limit],
  );
  return due.map(({ processName, businessID, parentWorkflowID, variables, input, ...instance }) => ({
    ...instance,
    ...(processName !== null && { processName }),
    ...(businessID !== null && { businessID }),
    ...(parentWorkflowID !== null && { parentWorkflowID }),
    start: { variables, ...input },
  }));
}

/** Temporal has accepted the start; from here on the reconciler checks it. */
export async function markStarted(pool: Pool, workflowID: string): Promise<void> {
  await pool.query("UPDATE instance_starts SET deliver_at = 'infinity' WHERE workflow_id = $1", [workflowID]);
}

/**
 * Makes a start due again that Temporal has accepted and lost.
 * @returns false if the instance has a step commit and therefore no start
 */
export async function offerStartAgain(pool: Pool, workflowID: string): Promise<boolean> {
  const { rowCount } = await pool.query('UPDATE instance_starts SET deliver_at = now() WHERE workflow_id = $1', [
    workflowID,
  ]);
  return rowCount === 1;
}

/** Whether the instance is running and has no step commit. */
export async function hasNoStep(pool: Pool, workflowID: string): Promise<boolean> {
  const found = await rows(
    pool,
    "SELECT 1 FROM instances WHERE workflow_id = $1 AND status = 'RUNNING' AND park_count = 0",
    [workflowID],
  );
  return found.length === 1;
}

/**
 * The workflow of the instance has been started again: its unanswered commands are due again.
 * @param lastCommand number of the last command that the state has handled
 */
export async function offerCommandsAgain(pool: Pool, workflowID: string, lastCommand: number): Promise<void> {
  await pool.query(
    `WITH unread AS (UPDATE instances SET received_commands = $2 WHERE workflow_id = $1)
     UPDATE commands SET deliver_at = now() WHERE workflow_id = $1 AND status = 'PENDING'`,
    [workflowID, lastCommand],
  );
}

export interface UndeliveredCommand {
  workflowID: string;
  number: number;
  /** Undefined if it is too large to be read for each receiving instance; the instance reads it itself. */
  command: Command | undefined;
  kind: CommandKind;
  /** The worker whose step commit waits for a command of this instance. */
  lingeringWorker: string | null;
}

/**
 * Of each instance, the first command that no step commit has answered in time. The commit that handles it returns the
 * others.
 * @param limit maximum number of commands that are read
 */
export async function undeliveredCommands(pool: Pool, limit: number): Promise<UndeliveredCommand[]> {
  const due = await rows<{
    workflowID: string;
    number: number;
    kind: CommandKind;
    body: CommandBody | null;
    actor: string | null;
    reason: string | null;
    lingeringWorker: string | null;
  }>(
    pool,
    `WITH due AS (
       SELECT c.workflow_id, c.number FROM commands c
       WHERE c.status = 'PENDING' AND c.deliver_at <= now() ORDER BY c.deliver_at LIMIT $1 FOR UPDATE SKIP LOCKED
     ), taken AS (
       UPDATE commands c SET deliver_at = ${nextDelivery} FROM due WHERE c.workflow_id = due.workflow_id AND c.number = due.number
       RETURNING c.workflow_id, c.number, CASE WHEN c.payload_id IS NULL AND octet_length(c.body::text) <= ${LARGEST_SENT_BYTES} THEN c.body END AS body,
         ${commandKind('left(c.body::text, 64)')} AS kind, c.actor, c.reason
     )
     SELECT DISTINCT ON (workflow_id) workflow_id AS "workflowID", number, kind, body, actor, reason,
       (SELECT ${lingeringWorker('i')} FROM instances i WHERE i.workflow_id = t.workflow_id) AS "lingeringWorker"
     FROM taken t ORDER BY workflow_id, number`,
    [limit],
  );
  return due.map(({ body, actor, reason, ...due }) => ({
    ...due,
    command: body === null ? undefined : commandOf(due.number, body, actor, reason),
  }));
}

/** Temporal has not accepted these commands of an instance: they are due again shortly. */
export async function offerUnsentAgain(pool: Pool, workflowID: string, numbers: readonly number[]): Promise<void> {
  await pool.query(
    `UPDATE commands SET deliver_at = now() + interval '5 seconds'
     WHERE workflow_id = $1 AND number = ANY($2::integer[]) AND status = 'PENDING' AND deliver_at > now() + interval '5 seconds' AND deliver_at < 'infinity'`,
    [workflowID, numbers],
  );
}
