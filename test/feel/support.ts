import {
  compile,
  evaluate,
  toJson,
  type Environment,
  type FeelError,
  type Json,
  type VariableSource,
} from '@perdure/feel/evaluate.js';
import { parseFeel, type FeelTree } from '@perdure/feel/parse.js';

/** 2026-11-21T12:00:00Z */
export const NOON = Date.UTC(2026, 10, 21, 12);

/** The tree of an expression that parses. */
export function treeOf(
  text: string,
  names: readonly string[] = [],
  kind: 'expression' | 'unary-tests' = 'expression',
): FeelTree {
  const parsed = parseFeel(text, { names, kind });
  if (!parsed.ok) throw new Error(`${text} does not parse: ${parsed.errors.map(({ message }) => message).join(' ')}`);
  return parsed.tree;
}

/** Evaluates text through the stored form of its tree, as the engine does. */
export function run(
  text: string,
  variables: VariableSource,
  environment: Partial<Environment> = {},
): ReturnType<typeof evaluate> {
  const names = 'has' in variables && typeof variables['has'] === 'function' ? [] : namesOf(variables);
  const stored = JSON.parse(JSON.stringify(treeOf(text, names))) as FeelTree;
  return evaluate(compile(stored), variables, { now: NOON, mode: 'strict', ...environment });
}

function namesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) =>
    Array.isArray(value) ? namesOf(entry) : [key, ...namesOf(entry)],
  );
}

/** The JSON result of a strict evaluation that succeeds. */
export function strict(text: string, variables: VariableSource = {}, environment: Partial<Environment> = {}): Json {
  const result = run(text, variables, environment);
  if (!result.ok) throw new Error(`${text} fails: ${result.error.code} ${result.error.message}`);
  return toJson(result.value);
}

/** The failure of a strict evaluation. */
export function failure(
  text: string,
  variables: VariableSource = {},
  environment: Partial<Environment> = {},
): FeelError {
  const result = run(text, variables, environment);
  if (result.ok) throw new Error(`${text} does not fail but gives ${JSON.stringify(toJson(result.value))}`);
  return result.error;
}

/** The JSON result of a lenient evaluation. */
export function lenient(text: string, variables: VariableSource = {}): Json {
  const result = run(text, variables, { mode: 'lenient' });
  if (!result.ok) throw new Error(`${text} fails: ${result.error.code} ${result.error.message}`);
  return toJson(result.value);
}
