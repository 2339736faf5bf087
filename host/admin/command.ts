/**
 * Shared by the administration commands: `--help`, wrong arguments, wrong configuration, and exit codes. A command loads its
 * work after its arguments and its configuration are right, because that takes longer than all the rest.
 */
import { parseArgs } from 'node:util';
import { errorMessage } from '@perdure/lib/error-message.js';
import { Failure } from '@perdure/lib/failure.js';
import { ConfigurationError } from '../configuration/configuration-error.js';
import type { Config } from '../configuration/config.js';

/** An argument with a value. */
export interface CommandOption {
  /** Its value if it is not given. */
  standard: string;
  effect: string;
}

export interface Command<Flag extends string = string, Option extends string = string> {
  name: string;
  /** One sentence. */
  summary: string;
  /** How it is called, after its name. */
  synopsis: string;
  /** Each flag with its effect. */
  flags: Readonly<Record<Flag, string>>;
  options?: Readonly<Record<Option, CommandOption>>;
  /** Exit codes 0 and 1. Code 2 is the same for all commands. */
  exitCodes: { readonly 0: string; readonly 1: string };
}

export type ExitCode = 0 | 1 | 2;
export type Flags<Flag extends string> = Readonly<Record<Flag, boolean>>;
export type Options<Option extends string> = Readonly<Record<Option, string>>;

const NO_RESULT = 'no result: wrong arguments, wrong configuration, or a service that cannot be reached';

/** Runs a command and sets the exit code of the process. */
export async function runCommand<Flag extends string, Option extends string = never>(
  command: Command<Flag, Option>,
  main: (flags: Flags<Flag>, options: Options<Option>) => Promise<ExitCode>,
): Promise<void> {
  try {
    const given = readArguments(command, process.argv.slice(2));
    process.exitCode = given ? await main(given.flags, given.options) : printHelp(command);
  } catch (error) {
    process.stderr.write(`${explain(command, error)}\n`);
    process.exitCode = 2;
  }
}

/**
 * Uses only the settings of a workflow worker: no user signs in here.
 * @throws ConfigurationError naming every mistake at once
 */
export async function readWorkerConfig(): Promise<Config> {
  const { readConfig } = await import('../configuration/config.js');
  return readConfig({ ...process.env, PERDURE_ROLES: 'worker' });
}

/**
 * @returns undefined if help is requested
 * @throws Failure when an argument is wrong
 */
export function readArguments<Flag extends string, Option extends string = never>(
  { name, flags, options }: Command<Flag, Option>,
  given: readonly string[],
): { flags: Flags<Flag>; options: Options<Option> } | undefined {
  const names = Object.keys(flags) as Flag[];
  const standards = Object.entries<CommandOption>(options ?? {});
  try {
    const parsed = parseArgs({
      args: [...given],
      options: Object.fromEntries([
        ...[...names, 'help'].map((flag) => [flag, { type: 'boolean' as const }] as const),
        ...standards.map(([option]) => [option, { type: 'string' as const }] as const),
      ]),
    });
    const values: Readonly<Record<string, unknown>> = parsed.values;
    if (values['help']) return undefined;
    return {
      flags: Object.fromEntries(names.map((flag) => [flag, values[flag] === true])) as Flags<Flag>,
      options: Object.fromEntries(
        standards.map(([option, { standard }]) => [option, values[option] ?? standard]),
      ) as Options<Option>,
    };
  } catch (error) {
    // Node appends advice about positional arguments, which these commands do not have.
    const [sentence] = errorMessage(error).split('. ');
    throw new Failure(`${sentence}. Run ${name} --help for the arguments.`);
  }
}

function printHelp(command: Command): ExitCode {
  process.stdout.write(helpOf(command));
  return 0;
}

export function helpOf({ name, summary, synopsis, flags, options: given = {}, exitCodes }: Command): string {
  const valued = Object.entries(given).map(([option, { effect }]) => [option, effect] as const);
  const options = { ...Object.fromEntries(valued), ...flags, help: 'print this text' };
  const width = Math.max(...Object.keys(options).map((flag) => flag.length)) + 4;
  return [
    summary,
    '',
    `Usage: ${[name, synopsis].filter(Boolean).join(' ')}`,
    '',
    'Options:',
    ...Object.entries(options).map(([flag, effect]) => `  ${`--${flag}`.padEnd(width)}${effect}`),
    '',
    'Exit codes:',
    ...Object.entries({ ...exitCodes, 2: NO_RESULT }).map(([code, meaning]) => `  ${code}  ${meaning}`),
    '',
  ].join('\n');
}

function explain({ name }: Command, error: unknown): string {
  if (error instanceof ConfigurationError || error instanceof Failure) return error.message;
  return `${name} failed: ${errorMessage(error)}`;
}
