/**
 * Outbox: rows that may not have reached Temporal yet. Reading reserves them for a while, so that several relays do not
 * send the same row at once. Unanswered rows are offered again after an interval that doubles each time. Each reading
 * serves the next projects that have due rows, with an equal share each.
 */
import type { Command, CommandBody, CommandKind, StartInput } from '@perdure/engine/contract/commands.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { lingeringWorker } from '../hot-instances/linger-mark.js';
import { commandKind, commandOf, MAX_INLINE_COMMAND_BYTES } from './commands.js';
import { rows, type Database } from '../sql/database.js';
import { firstTurn, takeTurnForRows, turnsOfDue, turnTaken } from '../turns/project-turns.js';
import type { InstanceToStart } from './start.js';

/** Doubles the time since the row was written, from 5 seconds on. */
const nextDelivery = "now() + greatest(interval '5 seconds', now() - created_at)";

/**
 * Instances without a step commit whose start is due, the oldest of each project first.
 * @param limit maximum number
 * @param turn the projects that are next; moves on
 */
export async function unstartedInstances(
  database: Database,
  limit: number,
  turn = firstTurn(),
): Promise<InstanceToStart[]> {
  const found = await takeTurnForRows<{
    workflowID: string | null;
    projectID: string;
    definitionID: string;
    processID: string;
    processName: string | null;
    version: number;
    businessID: string | null;
    parentWorkflowID: string | null;
    graphSha256: string;
    variables: Variables;
    input: Omit<StartInput, 'variables'> & { imported?: true };
    lastCommand: number | null;
  }>(
    database,
    turn,
    `WITH RECURSIVE ${turnsOfDue({ table: 'instance_starts', where: "deliver_at < 'infinity'", time: 'deliver_at', most: '$1', after: '$2' })}, due AS (
       SELECT s.workflow_id FROM turns p CROSS JOIN LATERAL (
         SELECT workflow_id FROM instance_starts WHERE project_id = p.project_id AND deliver_at < 'infinity' AND deliver_at <= now()
         ORDER BY deliver_at LIMIT p.share FOR UPDATE SKIP LOCKED
       ) s LIMIT $1
     ), taken AS (
       UPDATE instance_starts s SET deliver_at = ${nextDelivery} FROM due WHERE s.workflow_id = due.workflow_id
       RETURNING s.workflow_id, s.input, s.created_at
     )
     SELECT turn.*, i.workflow_id AS "workflowID", i.project_id AS "projectID", i.definition_id AS "definitionID",
       d.process_id AS "processID", d.process_name AS "processName", d.version, i.business_id AS "businessID",
       i.parent_workflow_id AS "parentWorkflowID", d.graph_sha256 AS "graphSha256", i.variables, t.input,
       nullif(least(i.received_commands, i.command_count), 0) AS "lastCommand"
     FROM (SELECT ${turnTaken}) turn LEFT JOIN (
       taken t JOIN instances i ON i.workflow_id = t.workflow_id AND i.status = 'RUNNING' JOIN definitions d ON d.id = i.definition_id
     ) ON true ORDER BY t.created_at`,
    [limit],
  );
  const due = found.flatMap(({ workflowID, ...rest }) => (workflowID === null ? [] : { workflowID, ...rest }));
  return due.map(
    ({
      last: _last,
      projects: _projects,
      processName,
      businessID,
      parentWorkflowID,
      variables,
      input: { imported: isImported, ...input },
      lastCommand,
      ...instance
    }) => ({
      ...instance,
      ...(isImported && { imported: true as const }),
      ...(processName !== null && { processName }),
      ...(businessID !== null && { businessID }),
      ...(parentWorkflowID !== null && { parentWorkflowID }),
      start: { variables, ...input, ...(lastCommand !== null && { lastCommand }) },
    }),
  );
}

/** Temporal has accepted the start; from here on the reconciler checks it. */
export async function markStarted(database: Database, workflowID: string): Promise<void> {
  await database.query("UPDATE instance_starts SET deliver_at = 'infinity' WHERE workflow_id = $1", [workflowID]);
}

/**
 * The workflow of an imported instance has been started. Nothing makes it write a step, which would return commands that
 * were written before it could be signaled, so they are due at once.
 * @returns whether there are any
 */
export async function offerEarlyCommands(database: Database, workflowID: string): Promise<boolean> {
  const { rowCount } = await database.query(
    `UPDATE commands SET deliver_at = now() WHERE workflow_id = $1 AND status = 'PENDING' AND deliver_at < 'infinity'`,
    [workflowID],
  );
  return rowCount !== 0;
}

/**
 * Makes a start due again that Temporal has accepted and lost.
 * @returns false if the instance has a step commit and therefore no start, or if it is queued
 */
export async function offerStartAgain(database: Database, workflowID: string): Promise<boolean> {
  const { rowCount } = await database.query(
    'UPDATE instance_starts SET deliver_at = now() WHERE workflow_id = $1 AND queue_group IS NULL',
    [workflowID],
  );
  return rowCount === 1;
}

/**
 * Whether the instance is running and its workflow has committed no step.
 * @param before number of the last step that it had before its workflow started
 */
export async function hasNoStep(database: Database, workflowID: string, before = 0): Promise<boolean> {
  const found = await rows(
    database,
    "SELECT 1 FROM instances WHERE workflow_id = $1 AND status = 'RUNNING' AND step_count = $2",
    [workflowID, before],
  );
  return found.length === 1;
}

/**
 * The workflow of the instance has been started again: its unanswered commands are due again.
 * @param lastCommand number of the last command that the state has handled
 * @param held numbers of those that it has handled and will answer later: it would ignore them, again and again
 */
export async function offerCommandsAgain(
  database: Database,
  workflowID: string,
  { lastCommand, held }: { lastCommand: number; held: readonly number[] },
): Promise<void> {
  await database.query(
    `WITH unread AS (UPDATE instances SET received_commands = $2 WHERE workflow_id = $1)
     UPDATE commands SET deliver_at = CASE WHEN number = ANY($3::integer[]) THEN 'infinity' ELSE now() END
     WHERE workflow_id = $1 AND status = 'PENDING'`,
    [workflowID, lastCommand, held],
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
 * @param turn the projects that are next; moves on
 */
export async function undeliveredCommands(
  database: Database,
  limit: number,
  turn = firstTurn(),
): Promise<UndeliveredCommand[]> {
  const found = await takeTurnForRows<{
    workflowID: string | null;
    number: number;
    kind: CommandKind;
    body: CommandBody | null;
    actor: string | null;
    reason: string | null;
    lingeringWorker: string | null;
  }>(
    database,
    turn,
    `WITH RECURSIVE ${turnsOfDue({ table: 'commands', where: "status = 'PENDING'", time: 'deliver_at', most: '$1', after: '$2' })}, due AS (
       SELECT c.workflow_id, c.number FROM turns p CROSS JOIN LATERAL (
         SELECT workflow_id, number FROM commands WHERE project_id = p.project_id AND status = 'PENDING' AND deliver_at <= now()
         ORDER BY deliver_at LIMIT p.share FOR UPDATE SKIP LOCKED
       ) c LIMIT $1
     ), taken AS (
       UPDATE commands c SET deliver_at = ${nextDelivery} FROM due WHERE c.workflow_id = due.workflow_id AND c.number = due.number
       RETURNING c.workflow_id, c.number, CASE WHEN c.payload_id IS NULL AND octet_length(c.body::text) <= ${MAX_INLINE_COMMAND_BYTES} THEN c.body END AS body,
         ${commandKind('left(c.body::text, 64)')} AS kind, c.actor, c.reason
     )
     SELECT DISTINCT ON (workflow_id) turn.*, workflow_id AS "workflowID", number, kind, body, actor, reason,
       (SELECT ${lingeringWorker('i')} FROM instances i WHERE i.workflow_id = t.workflow_id) AS "lingeringWorker"
     FROM (SELECT ${turnTaken}) turn LEFT JOIN taken t ON true ORDER BY workflow_id, number`,
    [limit],
  );
  return found.flatMap(({ workflowID, number, kind, body, actor, reason, lingeringWorker: worker }) =>
    workflowID === null
      ? []
      : {
          workflowID,
          number,
          kind,
          lingeringWorker: worker,
          command: body === null ? undefined : commandOf(number, body, actor, reason),
        },
  );
}

/** Temporal has not accepted the command: it is due again shortly. The commit that handles it returns those after it. */
export async function offerUnsentAgain(database: Database, workflowID: string, number: number): Promise<void> {
  await database.query(
    `UPDATE commands SET deliver_at = now() + interval '5 seconds'
     WHERE workflow_id = $1 AND number = $2 AND status = 'PENDING' AND deliver_at > now() + interval '5 seconds' AND deliver_at < 'infinity'`,
    [workflowID, number],
  );
}
