/** Commands that a step commit returns, because the instance has not read them. */
import type { Command, CommandBody, CommandKind, CommandMessage } from '@perdure/engine/contract/commands.js';
import { commandKind, commandOf, MAX_INLINE_COMMAND_BYTES } from '../instances/commands.js';
import { unindexed } from '../sql/by-key.js';
import { preparedRows, type Database } from '../sql/database.js';

/** Maximum number of commands that one step handles. */
const MAX_COMMANDS_PER_COMMIT = 200;

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
    // The text is computed once for each row: 200 bodies of 1 MB take a second to decompress three times.
    `SELECT number, ${commandKind('left(b.text, 64)')} AS kind, octet_length(b.text) AS bytes, actor, reason,
       CASE WHEN payload_id IS NULL AND octet_length(b.text) <= ${MAX_INLINE_COMMAND_BYTES} THEN b.text::json END AS body
     FROM (
       SELECT * FROM commands WHERE workflow_id = $1 AND number > $2 AND ${unindexed('status')} = 'PENDING' ORDER BY number LIMIT ${MAX_COMMANDS_PER_COMMIT}
     ) c CROSS JOIN LATERAL (SELECT c.body::text AS text OFFSET 0) b ORDER BY number`,
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
