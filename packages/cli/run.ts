/** Runs a command line. */
import { ApiError } from '@perdure/client';
import { exitCodes, type Invocation } from './command.js';
import { WrongUse } from './wrong-use.js';
import { SourceError } from './camunda7/rest.js';
import { membersOf, parseCommandLine, type CommandLine } from './command-line.js';
import { commands } from './commands/index.js';
import { help, helpOf, helpOfGroup } from './help.js';
import type { Environment } from './access/credentials.js';
import { findHost } from './host.js';
import { describeRefusal } from './next-steps.js';
import { createTerminal } from './terminal.js';

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
  const { write, complain } = createTerminal(false, io);
  const { signal } = io;
  const [name = '--help', next] = words;
  if (isHelp(name) || name === 'help') return say(write, help());
  if (isHelp(next) && membersOf(name).length > 0) return say(write, helpOfGroup(name, membersOf(name)));
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

function isHelp(word: string | undefined): boolean {
  return word === '--help' || word === '-h';
}

function say(write: (line: string) => void, lines: readonly string[]): number {
  for (const line of lines) write(line);
  return exitCodes.done;
}

function invocationOf({ operands, values }: CommandLine, io: CliIO): Invocation {
  const { environment, folder, signal } = io;
  const option = (name: string) => values[name] as string | undefined;
  const terminal = createTerminal(values['json'] === true || option('output')?.toLowerCase() === 'json', io);
  return {
    operands,
    option,
    flag: (name) => values[name] === true,
    terminal,
    signal,
    environment,
    folder,
    commands,
    host: (ends = signal) =>
      findHost(
        {
          environment,
          folder,
          profile: option('profile'),
          api: option('api'),
          project: option('project'),
        },
        ends,
      ),
  };
}

function exitCodeOf(error: unknown): number {
  if (error instanceof WrongUse) return exitCodes.wrongUse;
  return error instanceof ApiError && error.status < 500 ? exitCodes.refused : exitCodes.unreachable;
}

function reasonOf(error: Error): string {
  if (error instanceof WrongUse || error instanceof SourceError) return error.message;
  if (error instanceof ApiError) return describeRefusal(error);
  const cause =
    error.cause instanceof Error ? error.cause.message || (error.cause as { code?: string }).code : undefined;
  const failure = `Cannot reach the host: ${error.message}${cause === undefined ? '' : ` (${cause})`}`;
  return failure.endsWith('.') ? failure : `${failure}. Run perdure profile list to see which host is in use.`;
}
