import type { Pool } from 'pg';
import type { Command } from '@perdure/engine/contract/commands.js';
import { loadCommand as readCommand } from '../store/instances/commands.js';

/**
 * Reads a command that was sent by reference.
 * @throws if it does not exist: a reference is sent only for a committed row
 */
export async function loadCommand(
  store: Pool,
  { workflowID, number }: { workflowID: string; number: number },
): Promise<Command> {
  const command = await readCommand(store, workflowID, number);
  if (!command) throw new Error(`Instance ${workflowID} has no command ${number} in the store`);
  return command;
}
