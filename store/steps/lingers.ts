/**
 * Step commits that linger: once written, a commit waits for the next command of its instance and returns it, so that the
 * next step needs no separate workflow task. The row of the instance records which worker lingers and until when. The
 * statement that writes a command returns that worker.
 */
import type { Command, CommandBody, CommandKind, CommandMessage } from '@perdure/engine/contract/commands.js';
import type { Announcement } from '../sql/announcements.js';
import { unindexed } from '../sql/by-key.js';
import { commandKind, commandOf, MAX_INLINE_COMMAND_BYTES } from '../instances/commands.js';
import { preparedRows, type Database } from '../sql/database.js';

/** Maximum number of commands that one step handles. */
const MAX_COMMANDS_PER_COMMIT = 200;

/** Wakes the commit of `worker` that lingers for an instance. */
export function lingerAnnouncement(worker: string, workflowID: string): Announcement {
  return { channel: lingerChannel(worker), payload: workflowID };
}

export function lingerChannel(worker: string): `perdure_linger_${string}` {
  return `perdure_linger_${worker}`;
}

/**
 * Ends the wait of a commit atomically: a command written afterward is signaled.
 * @returns the number of the last command written before, or undefined if the worker does not linger for the instance
 */
export async function endLinger(database: Database, workflowID: string, worker: string): Promise<number | undefined> {
  const [row] = await preparedRows<{ commandCount: number }>(
    database,
    'end linger',
    'UPDATE instances SET lingering_worker = NULL, lingering_until = NULL WHERE workflow_id = $1 AND lingering_worker = $2 RETURNING command_count AS "commandCount"',
    [workflowID, worker],
  );
  return row?.commandCount;
}

/**
 * Clears the mark of a commit that no longer waits, or whose worker has died: every command written afterward is signaled.
 * @returns the number of the last command written before, or undefined if there is no mark
 */
export async function clearLinger(database: Database, workflowID: string): Promise<number | undefined> {
  const [row] = await preparedRows<{ commandCount: number }>(
    database,
    'clear linger',
    'UPDATE instances SET lingering_worker = NULL, lingering_until = NULL WHERE workflow_id = $1 AND lingering_worker IS NOT NULL RETURNING command_count AS "commandCount"',
    [workflowID],
  );
  return row?.commandCount;
}

/** Pending commands with numbers above `after`, in order, at most 200. Large ones are references. */
export async function commandsAfter(database: Database, workflowID: string, after: number): Promise<CommandMessage[]> {
  const written = await preparedRows<{
    number: number;
    kind: CommandKind;
    body: CommandBody | null;
    bytes: number;
    actor: string | null;
    reason: string | null;
  }>(
    database,
    'commands after',
    `SELECT number, ${commandKind('left(body::text, 64)')} AS kind, octet_length(body::text) AS bytes, actor, reason,
       CASE WHEN payload_id IS NULL AND octet_length(body::text) <= ${MAX_INLINE_COMMAND_BYTES} THEN body END AS body
     FROM commands WHERE workflow_id = $1 AND number > $2 AND ${unindexed('status')} = 'PENDING' ORDER BY number LIMIT ${MAX_COMMANDS_PER_COMMIT}`,
    [workflowID, after],
  );
  const commands: CommandMessage[] = [];
  let room = 2 * MAX_INLINE_COMMAND_BYTES;
  for (const { number, kind, body, bytes, actor, reason } of written) {
    room -= bytes;
    commands.push(
      body === null || room < 0
        ? { number, reference: true, bytes, kind }
        : (commandOf(number, body, actor, reason) satisfies Command),
    );
  }
  return commands;
}
