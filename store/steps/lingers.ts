/**
 * Step commits that linger: once written, a commit waits for the next command of its instance and returns it, so that the
 * next step needs no separate workflow task. The row of the instance records which worker lingers and until when. The
 * statement that writes a command returns that worker.
 *
 * Only results of jobs and of child instances are returned this way. Every other command is signaled and ends the wait.
 */
import type { Pool } from 'pg';
import type { Command, CommandBody, CommandKind, CommandMessage } from '@perdure/engine/contract/commands.js';
import type { Announcement } from '../sql/announcements.js';
import { unindexed } from '../sql/by-key.js';
import { commandKind, commandOf } from '../instances/commands.js';
import { preparedRows } from '../sql/database.js';

/** Larger results travel by reference. */
const LARGEST_HANDED_OVER_BYTES = 64 * 1024;
/** Maximum number of commands that one step handles. */
const MOST_AT_ONCE = 200;

export function isHandedOver({ kind }: { kind: CommandKind }): boolean {
  return kind === 'COMPLETE_JOB' || kind === 'THROW_JOB_ERROR' || kind === 'END_CHILD';
}

/** Wakes the commit of `worker` that lingers for an instance. */
export function lingerAnnouncement(worker: string, workflowID: string): Announcement {
  return { channel: lingerChannel(worker), payload: workflowID };
}

export function lingerChannel(worker: string): `perdure_linger_${string}` {
  return `perdure_linger_${worker}`;
}

/**
 * Ends the wait of a commit atomically: every command written afterwards is signaled.
 * @returns the number of the last command written before, or undefined if the worker does not linger for the instance
 */
export async function endLinger(pool: Pool, workflowID: string, worker: string): Promise<number | undefined> {
  const [row] = await preparedRows<{ commandCount: number }>(
    pool,
    'end linger',
    'UPDATE instances SET lingering_worker = NULL, lingering_until = NULL WHERE workflow_id = $1 AND lingering_worker = $2 RETURNING command_count AS "commandCount"',
    [workflowID, worker],
  );
  return row?.commandCount;
}

/** Pending results with numbers above `after`, in order. Large ones are references. */
export async function resultsAfter(pool: Pool, workflowID: string, after: number): Promise<CommandMessage[]> {
  const written = await preparedRows<{
    number: number;
    kind: CommandKind;
    body: CommandBody | null;
    bytes: number;
    actor: string | null;
    reason: string | null;
  }>(
    pool,
    'results',
    `SELECT number, ${commandKind('left(body::text, 64)')} AS kind, octet_length(body::text) AS bytes, actor, reason,
       CASE WHEN octet_length(body::text) <= ${LARGEST_HANDED_OVER_BYTES} THEN body END AS body
     FROM commands WHERE workflow_id = $1 AND number > $2 AND ${unindexed('status')} = 'PENDING' ORDER BY number LIMIT ${MOST_AT_ONCE}`,
    [workflowID, after],
  );
  const commands: CommandMessage[] = [];
  let room = 2 * LARGEST_HANDED_OVER_BYTES;
  for (const { number, kind, body, bytes, actor, reason } of written.filter(isHandedOver)) {
    room -= bytes;
    commands.push(
      body === null || room < 0
        ? { number, reference: true, bytes, kind }
        : (commandOf(number, body, actor, reason) satisfies Command),
    );
  }
  return commands;
}
