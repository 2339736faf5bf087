/** Parses a command line and runs its command. */
import { parseArgs } from 'node:util';
import { ApiError } from '../client/index.js';
import { exitCodes, parseOptions, WrongUse, type Command, type Invocation } from './command.js';
import { deploy } from './commands/deploy.js';
import { lint } from './commands/lint.js';
import { list } from './commands/list.js';
import { replay } from './commands/replay.js';
import { search } from './commands/search.js';
import { start } from './commands/start.js';
import { watch } from './commands/watch.js';
import { help, helpOf } from './help.js';
import { withCurrentNames } from './former-variables.js';
import { hostOf, type Environment } from './host.js';
import type { Terminal } from './terminal.js';

export const commands: readonly Command[] = [deploy, start, list, search, watch, replay, lint];

export interface CliIO {
  environment: Environment;
  write(line: string): void;
  complain(line: string): void;
  signal: AbortSignal;
}

/** Options of every command. */
const commonOptions = {
  api: { type: 'string' },
  project: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Runs one command and returns the exit code. Never throws for errors that the user can cause. */
export async function run(words: readonly string[], io: CliIO): Promise<number> {
  const { write, complain, signal } = io;
  const [name = '--help', ...rest] = words;
  if (name === '--help' || name === '-h' || name === 'help') return say(write, help(commands));
  try {
    const command = commands.find((one) => one.name === name);
    if (!command)
      throw new WrongUse(
        `There is no command ${name}. The commands are ${commands.map((one) => one.name).join(', ')}. perdure --help describes them.`,
      );
    const parsed = parse(command, rest);
    if (parsed.values['help']) return say(write, helpOf(command));
    return await command.run(invocationOf(command, parsed, io));
  } catch (error) {
    if (signal.aborted) return exitCodes.done;
    complain(error instanceof Error ? reasonOf(error) : String(error));
    return exitCodeOf(error);
  }
}

function say(write: (line: string) => void, lines: readonly string[]): number {
  for (const line of lines) write(line);
  return exitCodes.done;
}

interface Parsed {
  values: { [name: string]: unknown };
  positionals: string[];
}

function parse(command: Command, words: string[]): Parsed {
  try {
    return parseArgs({
      args: words,
      options: { ...commonOptions, ...parseOptions(command) },
      allowPositionals: true,
      strict: true,
    }) as Parsed;
  } catch (error) {
    throw new WrongUse(`${(error as Error).message}\n${helpOf(command)[0]}`);
  }
}

function invocationOf(
  command: Command,
  { values, positionals }: Parsed,
  { environment, write, complain, signal }: CliIO,
): Invocation {
  const option = (name: string) => values[name] as string | undefined;
  if (positionals.length < command.least || positionals.length > command.most)
    throw new WrongUse(`${helpOf(command)[0]}\n${positionals.length} operands were given.`);
  const terminal: Terminal = { json: values['json'] === true, write, complain };
  return {
    operands: positionals,
    option,
    flag: (name) => values[name] === true,
    terminal,
    signal,
    host: () => hostOf(withCurrentNames(environment, complain), { api: option('api'), project: option('project') }),
  };
}

function exitCodeOf(error: unknown): number {
  if (error instanceof WrongUse) return exitCodes.wrongUse;
  return error instanceof ApiError && error.status < 500 ? exitCodes.refused : exitCodes.unreachable;
}

function reasonOf(error: Error): string {
  if (error instanceof WrongUse) return error.message;
  if (error instanceof ApiError)
    return error.status === 404 ? `${error.message} (or this account has no access to it)` : error.message;
  const cause =
    error.cause instanceof Error ? error.cause.message || (error.cause as { code?: string }).code : undefined;
  return `Cannot reach the host: ${error.message}${cause === undefined ? '' : ` (${cause})`}`;
}
