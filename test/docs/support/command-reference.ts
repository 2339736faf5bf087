/** The reference of the command line as Markdown, from the table of commands. */
import { exitCodeMeanings, exitCodes, type Command, type Option } from '../../../packages/cli/command.js';
import { commonOptions } from '../../../packages/cli/common-options.js';

export function describeCommands(commands: readonly Command[]): string {
  return [
    '',
    '## Options of every command',
    '',
    ...optionTable(commonOptions),
    '',
    '## Exit codes',
    '',
    '| code | meaning |',
    '|---|---|',
    ...Object.entries(exitCodes).map(
      ([name, code]) => `| ${code} | ${exitCodeMeanings[name as keyof typeof exitCodes]} |`,
    ),
    '',
    '## Commands',
    '',
    ...commands.flatMap(describeCommand),
  ].join('\n');
}

function describeCommand({ name, operands, role, summary, details, options, examples }: Command): string[] {
  return [
    `### ${name}`,
    '',
    `\`${`perdure ${name} ${operands}`.trim()}\``,
    '',
    `${summary}. ${details === undefined ? '' : `${inline(details)} `}${role === undefined ? 'Calls no host.' : `Role: ${role}.`}`,
    '',
    ...(Object.keys(options).length === 0 ? [] : [...optionTable(options), '']),
    '```sh',
    ...examples,
    '```',
    '',
  ];
}

function optionTable(options: { [name: string]: Option }): string[] {
  const rows = Object.entries(options).map(
    ([name, { value, help }]) => `| \`--${name}${value === undefined ? '' : ` ${value}`}\` | ${inline(help)} |`,
  );
  return ['| option | meaning |', '|---|---|', ...rows];
}

/** JSON is code: outside of it, Markdown would read its characters. */
function inline(text: string): string {
  return text.replaceAll(/\{.*\}/g, '`$&`').replaceAll('|', '\\|');
}
