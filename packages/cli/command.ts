/** The definition of a command: its name, operands, options, and action. */
import { readFile } from 'node:fs/promises';
import type { ParseArgsConfig } from 'node:util';
import type { Host } from './host.js';
import type { Terminal } from './terminal.js';

/** The exit codes of the process. */
export const exitCodes = { done: 0, refused: 1, wrongUse: 2, unreachable: 3 } as const;

export interface Command {
  name: string;
  /** The operands after the name: `FILE...`. */
  operands: string;
  /** One phrase without a final period. */
  summary: string;
  /** Further sentences for the help of the command. */
  details?: string;
  examples: readonly string[];
  /** The number of operands. */
  least: number;
  most: number;
  options: { [name: string]: Option };
  /** @returns the exit code */
  run(invocation: Invocation): Promise<number>;
}

export interface Option {
  type: 'string' | 'boolean';
  /** Placeholder of the value in the help. */
  value?: string;
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
  /**
   * @throws WrongUse when no credentials are configured
   * @throws Error when the host of the development profile has stopped
   */
  host(): Promise<Host>;
}

/** The command line or the environment is wrong; the message says how to correct it. */
export class WrongUse extends Error {
  override name = 'WrongUse';
}

export function parseOptions(command: Command): NonNullable<ParseArgsConfig['options']> {
  return Object.fromEntries(Object.entries(command.options).map(([name, { type }]) => [name, { type }]));
}

/** @throws WrongUse unless the option is a whole number in the range */
export function wholeNumber(invocation: Invocation, name: string, least: number, most: number): number | undefined {
  const text = invocation.option(name);
  if (text === undefined) return undefined;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new WrongUse(`--${name} must be a whole number from ${least} to ${most}, but is ${JSON.stringify(text)}`);
}

/** @throws WrongUse unless the option is one of the words */
export function oneOf<Word extends string>(
  invocation: Invocation,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const text = invocation.option(name);
  if (text === undefined) return undefined;
  const word = words.find((known) => known === text.toUpperCase());
  if (word === undefined)
    throw new WrongUse(`--${name} must be one of ${words.join(', ')}, but is ${JSON.stringify(text)}`);
  return word;
}

/** @throws WrongUse unless the option is one of the words, in this spelling */
export function oneOfExactly<Word extends string>(
  invocation: Invocation,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const text = invocation.option(name);
  const word = words.find((known) => known === text);
  if (text !== undefined && word === undefined)
    throw new WrongUse(`--${name} must be one of ${words.join(', ')}, but is ${JSON.stringify(text)}`);
  return word;
}

/** @throws WrongUse unless the option has only these words, separated by commas */
export function someOf(invocation: Invocation, name: string, words: readonly string[]): string | undefined {
  const text = invocation.option(name);
  if (text === undefined) return undefined;
  const given = text.toUpperCase().split(',');
  if (given.every((word) => words.includes(word))) return given.join(',');
  throw new WrongUse(
    `--${name} must be ${words.join(', ')}, or some of them separated by commas, but is ${JSON.stringify(text)}`,
  );
}

export const statuses = ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELED'] as const;

/**
 * The text of a file without a byte order mark, which the parsers would reject.
 *
 * @throws WrongUse when the file cannot be read
 */
export async function readText(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    throw new WrongUse(`Cannot read ${path}: ${(error as Error).message}`);
  }
}
