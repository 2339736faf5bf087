/** The definition of a command: its name, operands, options, and action. */
import type { ParseArgsConfig } from 'node:util';
import type { Environment } from './access/credentials.js';
import type { Host } from './host.js';
import type { Terminal } from './terminal.js';

/** The exit codes of the process. */
export const exitCodes = { done: 0, refused: 1, wrongUse: 2, unreachable: 3, pending: 4 } as const;

export const exitCodeMeanings: { readonly [Code in keyof typeof exitCodes]: string } = {
  done: 'success',
  refused:
    'the host refused, a dry run found issues, a model has errors, a scenario or a backtest failed, the watched instance did not complete, or an expression has no value',
  wrongUse: 'the command line or the environment is wrong, or a file cannot be read',
  unreachable: 'the host or the token endpoint cannot be reached',
  pending: 'the host accepted the command, but the instance has not carried it out yet',
};

/** The lowest role in the project that the host accepts. */
type Role = 'viewer' | 'executor' | 'editor' | 'admin';

export interface Command {
  /** One word, or the name of a group and one word: `incidents list`. */
  name: string;
  /** Undefined when the command calls no host. */
  role?: Role;
  /** The operands after the name: `FILE...`. */
  operands: string;
  /** One phrase without a final period. */
  summary: string;
  /** Further sentences for the help of the command. */
  details?: string;
  examples: readonly string[];
  /** How many operands it takes at least and at most. */
  minOperands: number;
  maxOperands: number;
  options: { [name: string]: Option };
  /** @returns the exit code */
  run(invocation: Invocation): Promise<number>;
}

export interface Option {
  type: 'string' | 'boolean';
  /** A single letter: `h` for `-h`. */
  short?: string;
  /** Placeholder of the value in the help. */
  value?: string;
  /** The values that the option accepts in any case. */
  words?: readonly string[];
  help: string;
}

export interface Invocation {
  operands: readonly string[];
  /** The value of an option. */
  option(name: string): string | undefined;
  flag(name: string): boolean;
  terminal: Terminal;
  /** Aborted when the user presses Ctrl-C. */
  signal: AbortSignal;
  environment: Environment;
  /** The current folder. */
  folder: string;
  /** All commands, for those that describe the others. */
  commands: readonly Command[];
  /**
   * @param signal ends waits and reads (default: Ctrl-C)
   * @throws WrongUse when no credentials are configured
   * @throws Error when the host of the development profile has stopped
   */
  host(signal?: AbortSignal): Promise<Host>;
}

export function parseOptions(options: { [name: string]: Option }): NonNullable<ParseArgsConfig['options']> {
  return Object.fromEntries(
    Object.entries(options).map(([name, { type, short }]) => [name, { type, ...(short !== undefined && { short }) }]),
  );
}
