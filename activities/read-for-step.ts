import type { Command } from '@perdure/engine/contract/commands.js';
import type { Exchange, ReadAnswer } from '@perdure/engine/contract/step-commit.js';
import type { GraphCache } from '../store/definitions/graph-cache.js';
import { loadCommands } from '../store/instances/commands.js';
import type { Database } from '../store/sql/database.js';

/** Reads what a step needs: commands by number, and graphs that instances are migrated to. */
export async function readForStep(
  store: Database,
  graphs: GraphCache,
  { workflowID, commands, kindsOnly, graphs: wanted }: Extract<Exchange, { kind: 'read' }>,
): Promise<ReadAnswer> {
  const found = commands.length > 0 ? await loadCommands(store, workflowID, commands) : [];
  const read = await Promise.all(wanted.map(async (sha256) => ({ sha256, graph: (await graphs.get(sha256)).graph })));
  const needed = found.map((command) => (kindsOnly.includes(command.kind) ? onlyKind(command) : command));
  return { kind: 'read', commands: needed, graphs: read };
}

function onlyKind({ number, kind }: Command): Command {
  return { number, kind } as Command;
}
