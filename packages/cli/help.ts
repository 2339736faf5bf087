/** The output of `--help`. */
import type { Command, Option } from './command.js';
import { commands } from './commands/index.js';

const everywhere: { [name: string]: Option } = {
  api: {
    type: 'string',
    value: 'URL',
    help: 'URL of the host (default: PERDURE_API, then the host that npm start runs in this checkout)',
  },
  project: { type: 'string', value: 'ID', help: 'id of the project (default: PERDURE_PROJECT, then demo)' },
  json: { type: 'boolean', help: 'print JSON for programs' },
  help: { type: 'boolean', help: 'show this help' },
};

export function help(): string[] {
  return [
    'Usage: perdure COMMAND [OPTIONS]',
    '',
    'Commands:',
    ...commands.map(({ name, operands, summary }) => columns(`${name} ${operands}`, summary)),
    '',
    'Examples:',
    '  perdure deploy order.bpmn rates.dmn',
    `  perdure start order --variables '{"total": 120}' --business-id order-17`,
    `  perdure search order 'total > 100'`,
    '',
    'Run perdure COMMAND --help for the options of a command.',
    '',
    'Host:         --api or PERDURE_API; otherwise the host that npm start runs in this checkout.',
    'Credentials:  PERDURE_TOKEN; or PERDURE_TOKEN_ENDPOINT, PERDURE_CLIENT_ID, PERDURE_CLIENT_SECRET.',
    'Exit codes:   0 success; 1 the host refused, or a model has errors; 2 wrong usage; 3 no host.',
  ];
}

export function helpOf(command: Command): string[] {
  return [
    usageOf(command),
    '',
    `${command.summary}.`,
    ...(command.details === undefined ? [] : [command.details]),
    '',
    'Options:',
    ...Object.entries({ ...command.options, ...everywhere }).map(([option, { value, help: meaning }]) =>
      columns(`--${option}${value === undefined ? '' : ` ${value}`}`, meaning),
    ),
    '',
    'Examples:',
    ...command.examples.map((example) => `  ${example}`),
  ];
}

export function usageOf({ name, operands }: Command): string {
  return `Usage: ${`perdure ${name} ${operands}`.trim()} [OPTIONS]`;
}

function columns(left: string, right: string): string {
  return `  ${left.padEnd(25)} ${right}`;
}
