/** Reads model files that are JSON: forms and element templates. */
import { utf8Length } from './utf8.js';

/** A problem of a file, with its place if it has one, counted from 1. */
export interface FileProblem {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

export interface JsonFileLimits {
  /** For messages: a noun after "a". */
  readonly noun: string;
  readonly maxBytes: number;
}

type Reading = { ok: true; value: unknown } | { ok: false; problem: FileProblem };

/** Postgres and the console walk values recursively. */
const MAX_VALUE_DEPTH = 200;

/** Never throws because of the content. */
export function readJsonFile(text: string, { noun, maxBytes }: JsonFileLimits): Reading {
  const bytes = utf8Length(text);
  if (bytes > maxBytes) return refused(`A ${noun} must have at most ${maxBytes} bytes, but has ${bytes}. Split it.`);
  if (isTooDeep(text)) return refused(`Values in a ${noun} must be nested at most ${MAX_VALUE_DEPTH} levels deep`);
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, problem: { message: `The ${noun} is not valid JSON`, ...placeOf(error, text) } };
  }
}

function refused(message: string): Reading {
  return { ok: false, problem: { message } };
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    if (depth > MAX_VALUE_DEPTH) return true;
  }
  return false;
}

/** V8 names the position of most errors. */
function placeOf(error: unknown, text: string): { line?: number; column?: number } {
  const position = /position (\d+)/.exec((error as Error).message)?.[1];
  if (position === undefined) return {};
  const before = text.slice(0, Number(position)).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

/** Postgres cannot store some of them. */
const CONTROL = /[\u0000-\u001f\ud800-\udfff]/u;

export const MAX_NAME_LENGTH = 255;

/** Whether it is a text that can be an id or a name. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length >= 1 && value.length <= MAX_NAME_LENGTH && !CONTROL.test(value);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
