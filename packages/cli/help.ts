/** The output of `--help`. */
import type { Command, Option } from './command.js';
import { commands, groups } from './commands/index.js';
import { commonOptions } from './common-options.js';

export function help(): string[] {
  return [
    'Usage: perdure COMMAND [OPTIONS]. With --help for its options, and --output json for programs.',
    ...overview(),
    'Host:         --profile, --api, PERDURE_API, the profile in use, or npm start or perdure dev here.',
    'Credentials:  profile; PERDURE_TOKEN; or PERDURE_TOKEN_ENDPOINT, PERDURE_CLIENT_ID and _SECRET.',
    'Exit codes:   0 success; 1 refused; 2 wrong usage; 3 no host; 4 accepted, but still pending.',
  ];
}

/** One line for each command outside of groups, and one for each group. */
function overview(): string[] {
  const lines = new Map<string, string>();
  for (const { name, operands, summary } of commands) {
    const [group, member] = name.split(' ') as [string, string?];
    if (member === undefined) lines.set(name, columns(`${name} ${operands}`, summary));
    else if (!lines.has(group)) lines.set(group, columns(`${group} ...`, groups[group] ?? ''));
  }
  return [...lines.values()];
}

export function helpOfGroup(group: string, members: readonly Command[]): string[] {
  return [
    `Usage: perdure ${group} COMMAND [OPTIONS]`,
    '',
    `${groups[group]}.`,
    '',
    'Commands:',
    ...members.map(({ name, operands, summary }) => columns(`${name} ${operands}`.trim(), summary)),
  ];
}

export function helpOf(command: Command): string[] {
  return [
    usageOf(command),
    '',
    `${command.summary}.`,
    ...(command.details === undefined ? [] : [command.details]),
    ...(command.role === undefined ? [] : [`Role in the project: ${command.role}.`]),
    '',
    'Options:',
    ...optionsOf(command).map(([option, { value, help: meaning }]) =>
      columns(`--${option}${value === undefined ? '' : ` ${value}`}`, meaning),
    ),
    '',
    'Examples:',
    ...command.examples.map((example) => `  ${example}`),
  ];
}

/** The options of a command, followed by those of every command. */
function optionsOf(command: Command): [string, Option][] {
  return Object.entries({ ...command.options, ...commonOptions });
}

export function usageOf({ name, operands }: Command): string {
  return `Usage: ${`perdure ${name} ${operands}`.trim()} [OPTIONS]`;
}

function columns(left: string, right: string): string {
  return `  ${left.padEnd(25)} ${right}`;
}
