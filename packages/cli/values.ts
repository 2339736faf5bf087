/** Reads the values of options and the files that a command line names. */
import { readFile } from 'node:fs/promises';
import { decodeFile, UndecodableFile } from '@perdure/lib/model-files/decode.js';
import type { Invocation } from './command.js';
import { WrongUse } from './wrong-use.js';

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
  invocation: Pick<Invocation, 'option'>,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const text = invocation.option(name);
  if (text === undefined) return undefined;
  const word = words.find((known) => known.toUpperCase() === text.toUpperCase());
  if (word === undefined)
    throw new WrongUse(`--${name} must be one of ${words.join(', ')}, but is ${JSON.stringify(text)}`);
  return word;
}

/** @throws WrongUse unless the option has only these words, separated by commas */
export function someOf(invocation: Invocation, name: string, words: readonly string[]): string | undefined {
  const text = invocation.option(name);
  if (text === undefined) return undefined;
  const given = text.split(',').map((part) => words.find((word) => word.toUpperCase() === part.toUpperCase()));
  if (!given.includes(undefined)) return given.join(',');
  throw new WrongUse(
    `--${name} must be ${words.join(', ')}, or some of them separated by commas, but is ${JSON.stringify(text)}`,
  );
}

export const statuses = ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELED'] as const;

/**
 * The text of a model or JSON file, in the encoding that the file states.
 *
 * @throws WrongUse when the file cannot be read
 */
export async function readText(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: Error) => {
    throw new WrongUse(`Cannot read ${path}: ${error.message}`);
  });
  try {
    return decodeFile(bytes, path);
  } catch (error) {
    if (error instanceof UndecodableFile) throw new WrongUse(error.message);
    throw error;
  }
}

/**
 * The JSON object of an option: written out, or `@FILE` with one.
 *
 * @throws WrongUse when the value is not a JSON object
 */
export async function readObject(
  { option }: Pick<Invocation, 'option'>,
  name: string,
): Promise<{ [name: string]: unknown } | undefined> {
  const given = option(name);
  return given === undefined ? undefined : parseObject(given, `--${name}`);
}

/** @throws WrongUse when the text is neither a JSON object nor `@FILE` with one */
export async function parseObject(text: string, what: string): Promise<{ [name: string]: unknown }> {
  if (text.startsWith('@')) return readObjectFile(text.slice(1));
  const value = parseJson(text, `${what} must be a JSON object or @FILE with one`);
  if (isObject(value)) return value;
  throw new WrongUse(
    `${what} must be a JSON object such as '{"total": 120}', but is ${JSON.stringify(value).slice(0, 100)}`,
  );
}

/** @throws WrongUse when the file cannot be read or contains no JSON object */
export async function readObjectFile(path: string): Promise<{ [name: string]: unknown }> {
  const value = parseJson(await readText(path), `${path} must contain a JSON object`);
  if (isObject(value)) return value;
  throw new WrongUse(`${path} must contain a JSON object, but contains ${JSON.stringify(value).slice(0, 100)}`);
}

/**
 * A JSON value, or the text itself if it is none.
 *
 * @throws WrongUse for an integer that a JSON number of JavaScript would change
 */
export function parseValue(text: string, what: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new WrongUse(
      `${what} must be an integer of at most 15 digits, but is ${text}. If it is a text, write '"${text}"'.`,
    );
  return value;
}

function parseJson(text: string, expectation: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WrongUse(`${expectation}: ${(error as Error).message}`);
  }
}

function isObject(value: unknown): value is { [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
