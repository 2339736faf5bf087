/** What `--help` prints. */
import type { Command, Option } from './command.js';

const everywhere: { [name: string]: Option } = {
  api: { type: 'string', value: 'URL', help: 'the host; PERDURE_API or http://127.0.0.1:8080 unless said' },
  project: { type: 'string', value: 'ID', help: 'the project; PERDURE_PROJECT or demo unless said' },
  json: { type: 'boolean', help: 'write JSON for programs' },
  help: { type: 'boolean', help: 'say this' },
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
    'Access: PERDURE_TOKEN, or TOKEN_ENDPOINT with CLIENT_ID and CLIENT_SECRET of a service account.',
    'It ends with 0 when it is done, 1 when the host refused or a model has errors, 2 for a wrong command line, 3 when the host cannot be reached.',
  ];
}

export function helpOf({ name, operands, summary, options }: Command): string[] {
  return [`perdure ${name} ${operands}`.trim(), '', summary, '', ...Object.entries({ ...options, ...everywhere }).map(([option, { value, help: meaning }]) => columns(`--${option}${value === undefined ? '' : ` ${value}`}`, meaning))];
}

function columns(left: string, right: string): string {
  return `  ${left.padEnd(27)} ${right}`;
}
