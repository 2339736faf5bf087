/** Runs a command line. */
import { ApiError } from '@perdure/client';
import { exitCodes, WrongUse, type Invocation } from './command.js';
import { parseCommandLine, type CommandLine } from './command-line.js';
import { withCurrentNames } from './former-variables.js';
import { help, helpOf } from './help.js';
import { findHost, type Environment } from './host.js';
import type { Terminal } from './terminal.js';

export interface CliIO {
  environment: Environment;
  /** The current folder. */
  folder: string;
  write(line: string): void;
  complain(line: string): void;
  signal: AbortSignal;
}

/** Runs one command and returns the exit code. Never throws for errors that the user can cause. */
export async function run(words: readonly string[], io: CliIO): Promise<number> {
  const { write, complain, signal } = io;
  const [name = '--help'] = words;
  if (name === '--help' || name === '-h' || name === 'help') return say(write, help());
  try {
    const line = parseCommandLine(words);
    if (line.values['help']) return say(write, helpOf(line.command));
    return await line.command.run(invocationOf(line, io));
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

function invocationOf({ operands, values }: CommandLine, io: CliIO): Invocation {
  const { environment, folder, write, complain, signal } = io;
  const option = (name: string) => values[name] as string | undefined;
  const terminal: Terminal = { json: values['json'] === true, write, complain };
  return {
    operands,
    option,
    flag: (name) => values[name] === true,
    terminal,
    signal,
    host: () =>
      findHost(
        {
          environment: withCurrentNames(environment, complain),
          folder,
          api: option('api'),
          project: option('project'),
        },
        signal,
      ),
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
