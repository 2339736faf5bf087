/** The words of a command line as a command with its operands and options. */
import { parseArgs } from 'node:util';
import { parseOptions, type Command } from './command.js';
import { oneOf } from './values.js';
import { WrongUse } from './wrong-use.js';
import { commands } from './commands/index.js';
import { commonOptions } from './common-options.js';
import { usageOf } from './help.js';
import { counted } from './terminal.js';

export interface CommandLine {
  command: Command;
  operands: readonly string[];
  values: { readonly [option: string]: unknown };
}

/** @throws WrongUse when the command, an option, or the number of operands is wrong */
export function parseCommandLine(line: readonly string[]): CommandLine {
  const command = findCommand(line);
  const { values, positionals } = parseWords(command, line.slice(command.name.split(' ').length));
  oneOf({ option: (name) => values[name] as string | undefined }, 'output', commonOptions.output.words);
  if (!values['help']) expectOperands(command, positionals.length);
  return { command, operands: positionals, values };
}

/** The commands of a group such as `incidents`; empty if no group has the name. */
export function membersOf(group: string): Command[] {
  return commands.filter(({ name }) => name.startsWith(`${group} `));
}

function findCommand([name = '', subcommand = '']: readonly string[]): Command {
  const command = commands.find((one) => one.name === name || one.name === `${name} ${subcommand}`);
  if (command) return command;
  const members = membersOf(name);
  if (members.length > 0)
    throw new WrongUse(
      `perdure ${name} takes one of ${lastWords(members)}, but got ${JSON.stringify(subcommand)}. Run ` +
        `perdure ${name} --help for a description.`,
    );
  throw new WrongUse(
    `There is no command ${JSON.stringify(name)}. The commands are ` +
      `${[...new Set(commands.map((one) => one.name.split(' ')[0]))].join(', ')}. Run perdure --help for a ` +
      'description.',
  );
}

function lastWords(members: readonly Command[]): string {
  return members.map((one) => one.name.split(' ').at(-1)).join(', ');
}

function parseWords(command: Command, words: string[]): { values: CommandLine['values']; positionals: string[] } {
  try {
    return parseArgs({
      args: words,
      options: { ...parseOptions(commonOptions), ...parseOptions(command.options) },
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    throw new WrongUse(`${(error as Error).message}\n${usageOf(command)}`);
  }
}

function expectOperands(command: Command, count: number): void {
  const { name, operands, minOperands, maxOperands } = command;
  if (count >= minOperands && count <= maxOperands) return;
  throw new WrongUse(
    `perdure ${name} takes ${operands === '' ? 'no operands' : operands}, but got ` +
      `${counted(count, 'operand')}\n${usageOf(command)}`,
  );
}
