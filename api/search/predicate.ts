/** The static check of a search predicate, before anything is read from the database. */
import { compile, type CompiledExpression } from '@perdure/feel/evaluate.js';
import { parseFeel, type Parsed } from '@perdure/feel/parse.js';
import type { Prefilter } from '../../store/search/prefilter.js';
import { prefilterOf } from './prefilter.js';

export interface Predicate {
  readonly ok: true;
  readonly expression: CompiledExpression;
  /** An instance that lacks one of these variables cannot be evaluated. */
  readonly required: readonly string[];
  /**
   * The variables to read from an instance: the required ones, and names in filters, which can also be entries of the
   * filtered items.
   */
  readonly names: readonly string[];
  /** The prefilter with which Postgres excludes most instances; or undefined. */
  readonly prefilter: Prefilter | undefined;
}

/** `line` and `column` count from 1. */
export interface PredicateProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface BadPredicate {
  readonly ok: false;
  readonly problems: readonly PredicateProblem[];
}

/** Parses a predicate: a FEEL expression over the variables of instances. Never throws. */
export function readPredicate(text: string): Predicate | BadPredicate {
  const parsed = parseFeel(text);
  if (!parsed.ok)
    return { ok: false, problems: parsed.errors.map(({ line, column, message }) => ({ line, column, message })) };
  const failing = [...unknownFunctions(parsed), ...unreadableLiterals(parsed)];
  if (failing.length > 0) return { ok: false, problems: failing };
  const compiled = compileShallow(parsed);
  if (compiled === undefined)
    return { ok: false, problems: [{ line: 1, column: 1, message: 'The expression is nested too deeply' }] };
  const { freeVariables: required, possibleVariables } = parsed;
  return { ok: true, ...compiled, required, names: [...new Set([...required, ...possibleVariables])] };
}

/** A predicate without what only the thread that evaluates it needs, and what cannot leave a thread. */
export type CheckedPredicate = Omit<Predicate, 'expression'>;

export function checkPredicate(text: string): CheckedPredicate | BadPredicate {
  const read = readPredicate(text);
  if (!read.ok) return read;
  const { ok, required, names, prefilter } = read;
  return { ok, required, names, prefilter };
}

export function unknownFunctions({ unknownFunctions: unknown }: Parsed): PredicateProblem[] {
  return unknown.map(({ name, line, column }) => ({ line, column, message: `There is no function ${name}` }));
}

export function unreadableLiterals({ unreadableLiterals: unreadable }: Parsed): PredicateProblem[] {
  const message = 'The text after @ is not a date, time, date and time, or duration';
  return unreadable.map(({ line, column }) => ({ line, column, message }));
}

/** Compilation descends the tree recursively; undefined on a stack overflow. */
function compileShallow({ tree, freeVariables }: Parsed): Pick<Predicate, 'expression' | 'prefilter'> | undefined {
  try {
    return { expression: compile(tree), prefilter: prefilterOf(tree.root, freeVariables) };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
