/** The static check of a search's predicate, before anything is read. */
import { compile, type CompiledExpression } from '../../feel/evaluate.js';
import { parseFeel, type Parsed } from '../../feel/parse.js';
import type { Screening } from '../../store/search-screening.js';
import { screeningOf } from './screening.js';

export interface Predicate {
  readonly ok: true;
  readonly expression: CompiledExpression;
  /** An instance that lacks one of these cannot be evaluated. */
  readonly required: readonly string[];
  /** What is read of an instance: the required variables, and names in filters, which may be entries of the filtered items. */
  readonly names: readonly string[];
  /** How Postgres can spare us most instances; undefined when it cannot. */
  readonly screening: Screening | undefined;
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

/** Reads a predicate: a FEEL expression that names variables of instances. Never throws. */
export function readPredicate(text: string): Predicate | BadPredicate {
  const parsed = parseFeel(text);
  if (!parsed.ok) return { ok: false, problems: parsed.errors.map(({ line, column, message }) => ({ line, column, message })) };
  if (parsed.unknownFunctions.length > 0) return { ok: false, problems: unknownFunctions(parsed) };
  const compiled = compileShallow(parsed);
  if (compiled === undefined) return { ok: false, problems: [{ line: 1, column: 1, message: 'The expression is nested too deeply.' }] };
  const { freeVariables: required, possibleVariables } = parsed;
  return { ok: true, ...compiled, required, names: [...new Set([...required, ...possibleVariables])] };
}

function unknownFunctions({ unknownFunctions: unknown }: Parsed): PredicateProblem[] {
  return unknown.map(({ name, line, column }) => ({ line, column, message: `There is no function ${name}.` }));
}

/** Compiling goes down the tree by recursion; undefined when the stack does not suffice. */
function compileShallow({ tree, freeVariables }: Parsed): Pick<Predicate, 'expression' | 'screening'> | undefined {
  try {
    return { expression: compile(tree), screening: screeningOf(tree.root, freeVariables) };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
