/** Shared by the commands on versions of a process. */
import { printable } from '@perdure/lib/trust/printable.js';
import { exitCodes, type Invocation, type Option } from '../../command.js';
import { definitionOf, versionsOf, type Host } from '../../host.js';
import { show } from '../../terminal.js';
import { wholeNumber } from '../../values.js';
import { WrongUse } from '../../wrong-use.js';

export const versionOptions = {
  version: { type: 'string', value: 'NUMBER', help: 'version of the process (default: the newest)' },
  'all-versions': { type: 'boolean', help: 'all versions of the process that are deployed now, newest first' },
} as const satisfies { [name: string]: Option };

/**
 * Does the same to each version that the operand and the options name.
 * @param done past participle for the terminal
 * @returns the exit code
 */
export async function changeVersions(
  invocation: Invocation,
  change: (host: Host, definitionID: string) => Promise<unknown>,
  done: string,
): Promise<number> {
  const version = wholeNumber(invocation, 'version', 1, 999_999_999);
  const all = invocation.flag('all-versions');
  if (all && version !== undefined) throw new WrongUse('--version and --all-versions exclude each other');
  const named = invocation.operands[0]!;
  const host = await invocation.host();
  const definitionIDs = all ? await allVersions(host, named) : [await definitionOf(host, named, version)];
  for (const definitionID of definitionIDs) await change(host, definitionID);
  show(invocation.terminal, { status: 'APPLIED', definitionIDs }, () =>
    definitionIDs.map((definitionID) => printable(`Definition ${definitionID} ${done}`)),
  );
  return exitCodes.done;
}

async function allVersions(host: Host, processID: string): Promise<string[]> {
  const definitionIDs: string[] = [];
  for await (const { id } of versionsOf(host, processID)) definitionIDs.push(id);
  return definitionIDs;
}
