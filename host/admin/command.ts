/** Shared by the administration commands: `--help`, wrong arguments, wrong configuration, and exit codes. */
import { parseArgs } from 'node:util';
import { errorMessage } from '@perdure/lib/error-message.js';
import { Failure } from '@perdure/lib/failure.js';
import { ConfigurationError } from '../configuration/configuration-error.js';

export interface Command<Flag extends string = string> {
  name: string;
  /** One sentence. */
  summary: string;
  /** How it is called, after its name. */
  synopsis: string;
  /** Each flag with its effect. */
  flags: Readonly<Record<Flag, string>>;
  /** Exit codes 0 and 1. Code 2 is the same for all commands. */
  exitCodes: { readonly 0: string; readonly 1: string };
}

export type ExitCode = 0 | 1 | 2;
export type Flags<Flag extends string> = Readonly<Record<Flag, boolean>>;

const NO_RESULT = 'no result: wrong arguments, wrong configuration, or a service that cannot be reached';

/** Runs a command and sets the exit code of the process. */
export async function runCommand<Flag extends string>(
  command: Command<Flag>,
  main: (flags: Flags<Flag>) => Promise<ExitCode>,
): Promise<void> {
  try {
    const flags = readFlags(command, process.argv.slice(2));
    process.exitCode = flags ? await main(flags) : printHelp(command);
  } catch (error) {
    process.stderr.write(`${explain(command, error)}\n`);
    process.exitCode = 2;
  }
}

/**
 * @returns undefined if help is requested
 * @throws Failure when an argument is wrong
 */
export function readFlags<Flag extends string>(
  { name, flags }: Command<Flag>,
  given: readonly string[],
): Flags<Flag> | undefined {
  const names = Object.keys(flags) as Flag[];
  const options = Object.fromEntries([...names, 'help'].map((flag) => [flag, { type: 'boolean' as const }]));
  try {
    const { values } = parseArgs({ args: [...given], options });
    if (values['help']) return undefined;
    return Object.fromEntries(names.map((flag) => [flag, values[flag] === true])) as Flags<Flag>;
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

export function helpOf({ name, summary, synopsis, flags, exitCodes }: Command): string {
  const options = { ...flags, help: 'print this text' };
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
