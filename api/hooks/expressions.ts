/** The FEEL expressions of a hook: compiled when it is saved, and once for each process that receives deliveries. */
import { compile, type CompiledExpression } from '@perdure/feel/evaluate.js';
import { parseFeel } from '@perdure/feel/parse.js';
import { unknownFunctions, unreadableLiterals } from '../search/predicate.js';

/** The variables of the expressions. */
const INPUTS = ['body', 'headers', 'query'];

export interface ExpressionTexts {
  readonly messageName: string;
  readonly correlationKeys?: string | null | undefined;
  readonly variables?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

/** Those of a hook, without its other members. */
export function textsOf({ messageName, correlationKeys, variables, idempotencyKey }: ExpressionTexts): ExpressionTexts {
  return { messageName, correlationKeys, variables, idempotencyKey };
}

const MEMBERS = ['messageName', 'correlationKeys', 'variables', 'idempotencyKey'] as const;
export type ExpressionMember = (typeof MEMBERS)[number];

export type Expressions = Readonly<Partial<Record<ExpressionMember, CompiledExpression>>>;

/** `line` and `column` count from 1. */
export interface ExpressionProblem {
  readonly member: ExpressionMember;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

type Compiled =
  { readonly expression: CompiledExpression } | { readonly problems: Omit<ExpressionProblem, 'member'>[] };

/** @returns the expressions, or all problems in them */
export function compileExpressions(
  texts: ExpressionTexts,
):
  | { readonly ok: true; readonly expressions: Expressions }
  | { readonly ok: false; readonly problems: ExpressionProblem[] } {
  const expressions: Partial<Record<ExpressionMember, CompiledExpression>> = {};
  const problems: ExpressionProblem[] = [];
  for (const member of MEMBERS) {
    const text = texts[member];
    if (text === undefined || text === null) continue;
    const compiled = compileText(text);
    if ('expression' in compiled) expressions[member] = compiled.expression;
    else problems.push(...compiled.problems.map((problem) => ({ member, ...problem })));
  }
  return problems.length === 0 ? { ok: true, expressions } : { ok: false, problems };
}

function compileText(text: string): Compiled {
  const parsed = parseFeel(text, { names: INPUTS });
  if (!parsed.ok) return { problems: parsed.errors.map(({ line, column, message }) => ({ line, column, message })) };
  const { tree, freeVariables } = parsed;
  const failing = [...unknownFunctions(parsed), ...unreadableLiterals(parsed)];
  if (failing.length > 0) return { problems: failing };
  const unknown = freeVariables.filter((name) => !INPUTS.includes(name));
  if (unknown.length > 0) return atStart(`There is no variable ${unknown[0]}. Use body, headers, or query.`);
  try {
    return { expression: compile(tree) };
  } catch (error) {
    if (error instanceof RangeError) return atStart('The expression is nested too deeply');
    throw error;
  }
}

/** The parser does not know the position of these problems. */
function atStart(message: string): Compiled {
  return { problems: [{ line: 1, column: 1, message }] };
}
