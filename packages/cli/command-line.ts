/** The words of a command line as a command with its operands and options. */
import { parseArgs } from 'node:util';
import { parseOptions, WrongUse, type Command } from './command.js';
import { commands } from './commands/index.js';
import { usageOf } from './help.js';
import { counted } from './terminal.js';

export interface CommandLine {
  command: Command;
  operands: readonly string[];
  values: { readonly [option: string]: unknown };
}

/** Options of every command. */
const commonOptions = {
  api: { type: 'string' },
  project: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** @throws WrongUse when the command, an option, or the number of operands is wrong */
export function parseCommandLine([name = '', ...words]: readonly string[]): CommandLine {
  const command = findCommand(name);
  const { values, positionals } = parseWords(command, words);
  if (!values['help']) expectOperands(command, positionals.length);
  return { command, operands: positionals, values };
}

function findCommand(name: string): Command {
  const command = commands.find((one) => one.name === name);
  if (command) return command;
  throw new WrongUse(
    `There is no command ${JSON.stringify(name)}. The commands are ${commands.map((one) => one.name).join(', ')}. Run perdure --help for a description.`,
  );
}

function parseWords(command: Command, words: string[]): { values: CommandLine['values']; positionals: string[] } {
  try {
    return parseArgs({
      args: words,
      options: { ...commonOptions, ...parseOptions(command) },
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    throw new WrongUse(`${(error as Error).message}\n${usageOf(command)}`);
  }
}

function expectOperands(command: Command, count: number): void {
  const { name, operands, least, most } = command;
  if (count >= least && count <= most) return;
  throw new WrongUse(
    `perdure ${name} takes ${operands === '' ? 'no operands' : operands}, but got ${counted(count, 'operand')}\n${usageOf(command)}`,
  );
}
