/**
 * One expression over the variables of an instance, as an evaluation thread computes it: strict, with the budget of a
 * condition.
 */
import { compile, evaluate, toJson, type Json } from '@perdure/feel/evaluate.js';
import { parseFeel, type Parsed } from '@perdure/feel/parse.js';
import { positionOf } from '@perdure/feel/syntax/text/text.js';
import { UNIT_WORK } from '@perdure/engine/budget.js';
import { unknownFunctions, unreadableLiterals } from '../search/predicate.js';

export interface ExpressionWork {
  /** With or without `=` in front. */
  readonly expression: string;
  /** The variables that the expression sees, by name, as JSON text. */
  readonly variables: string;
  /** The result of `now()`, in epoch milliseconds. */
  readonly now: number;
}

interface ExpressionProblem {
  /** Names types and variables, never a value of a variable. */
  readonly message: string;
  /** From 1, as is `column`. */
  readonly line?: number;
  readonly column?: number;
}

export type EvaluatedExpression =
  { readonly value: Json } | { readonly value: null; readonly problem: ExpressionProblem };

/** Never throws. */
export function evaluateExpression({ expression, variables, now }: ExpressionWork): EvaluatedExpression {
  const seen = JSON.parse(variables) as Record<string, unknown>;
  // A space keeps the positions of everything behind the sign.
  const text = expression.replace(/^(\s*)=/, '$1 ');
  const parsed = parseFeel(text, { names: Object.keys(seen) });
  if (!parsed.ok) return failed(parsed.errors[0]!);
  const [mistake] = [...unknownFunctions(parsed), ...unreadableLiterals(parsed)];
  return mistake ? failed(mistake) : compute(text, parsed, seen, now);
}

function compute(text: string, { tree }: Parsed, seen: Record<string, unknown>, now: number): EvaluatedExpression {
  try {
    const result = evaluate(compile(tree), seen, { now, mode: 'strict', steps: UNIT_WORK });
    return result.ok
      ? { value: toJson(result.value) }
      : failed({ ...result.error, ...positionOf(text, result.error.from) });
  } catch (error) {
    // Compiling and serializing descend recursively.
    if (error instanceof RangeError) return failed({ message: 'The expression or its result is nested too deeply.' });
    throw error;
  }
}

function failed({ message, line, column }: ExpressionProblem): EvaluatedExpression {
  return {
    value: null,
    problem: { message, ...(line !== undefined && { line }), ...(column !== undefined && { column }) },
  };
}
