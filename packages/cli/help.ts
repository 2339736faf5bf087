/** The output of `--help`. */
import type { Command, Option } from './command.js';

const everywhere: { [name: string]: Option } = {
  api: { type: 'string', value: 'URL', help: 'URL of the host (default: PERDURE_API, or http://127.0.0.1:8080)' },
  project: { type: 'string', value: 'ID', help: 'id of the project (default: PERDURE_PROJECT, or demo)' },
  json: { type: 'boolean', help: 'write JSON for programs' },
  help: { type: 'boolean', help: 'show this help' },
};

export function help(commands: readonly Command[]): string[] {
  const usages = commands.map(({ name, operands }) => `${name} ${operands}`.trim());
  return [
    'perdure COMMAND [OPTIONS]',
    '',
    ...commands.map(({ summary }, index) => columns(usages[index]!, summary)),
    '',
    'perdure COMMAND --help lists the options of a command.',
    '',
    'Credentials: PERDURE_TOKEN, or PERDURE_TOKEN_ENDPOINT with PERDURE_CLIENT_ID and PERDURE_CLIENT_SECRET of a service account.',
    'Exit codes: 0 success; 1 the host refused, or a model has errors; 2 wrong command line; 3 the host cannot be reached.',
  ];
}

export function helpOf({ name, operands, summary, options }: Command): string[] {
  return [
    `perdure ${name} ${operands}`.trim(),
    '',
    summary,
    '',
    ...Object.entries({ ...options, ...everywhere }).map(([option, { value, help: meaning }]) =>
      columns(`--${option}${value === undefined ? '' : ` ${value}`}`, meaning),
    ),
  ];
}

function columns(left: string, right: string): string {
  return `  ${left.padEnd(27)} ${right}`;
}
