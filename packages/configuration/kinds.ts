/** Kinds of values: how the text of a variable becomes a value, and the rule in words for messages and tables. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseDuration } from '@perdure/lib/duration.js';

export interface Kind<Value> {
  readonly schema: z.ZodType<Value, string>;
  /** Completes "must be ...". */
  readonly expected: string;
}

export const port = wholeNumberIn(0, 65_535, 'a port number from 0 to 65535');

export function text(expected: string, pattern: RegExp = /^/): Kind<string> {
  return { schema: z.string().regex(pattern), expected };
}

export function wholeNumber(least: number, most: number): Kind<number> {
  return wholeNumberIn(least, most, `a whole number from ${least} to ${most}`);
}

function wholeNumberIn(least: number, most: number, expected: string): Kind<number> {
  const schema = z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().min(least).max(most));
  return { schema, expected };
}

export function oneOf<const Word extends string>(words: readonly Word[]): Kind<Word> {
  return { schema: z.enum(words), expected: inWords(words) };
}

function inWords(words: readonly string[]): string {
  return words.length === 2 ? words.join(' or ') : `one of ${words.join(', ')}`;
}

/** Items between commas, of which each must match. */
export function list<Item>(expected: string, item: z.ZodType<Item, string>): Kind<Item[]> {
  return { schema: z.string().transform(splitList).pipe(z.array(item)), expected };
}

export function nonEmptyList<Item>(expected: string, item: z.ZodType<Item, string>): Kind<Item[]> {
  return { schema: list(expected, item).schema.refine((items) => items.length > 0), expected };
}

export function origins(example: string): Kind<string[]> {
  return list(`a comma-separated list of origins such as ${example}`, z.string().refine(isOrigin));
}

export function duration(least: string, most: string, expected: string): Kind<number> {
  const [minimum, maximum] = [parseDuration(least)!, parseDuration(most)!];
  const schema = z
    .string()
    .max(100)
    .transform((given) => parseDuration(given))
    .pipe(z.number().min(minimum).max(maximum));
  return { schema, expected };
}

/** The content of the file at a path. */
export const file: Kind<Buffer> = { schema: z.string().transform(readBytes), expected: 'a readable file' };

function splitList(given: string): string[] {
  return given
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function isOrigin(given: string): boolean {
  return URL.canParse(given) && /^https?:$/.test(new URL(given).protocol) && new URL(given).origin === given;
}

function readBytes(path: string, context: z.RefinementCtx): Buffer {
  try {
    return readFileSync(path);
  } catch {
    context.addIssue({ code: 'custom', message: 'cannot be read' });
    return z.NEVER;
  }
}
