/** Runs feelin's grammar over a text, within limits. */
import { parseExpression, parseUnaryTests } from 'feelin';
import { parserContext } from './names.js';
import type { Syntax, SyntaxTree } from './syntax.js';
import { positionOf } from './text.js';

export interface SyntaxProblem {
  code: 'SYNTAX';
  message: string;
  from: number;
  to: number;
  line: number;
  column: number;
}

export interface Grammar {
  tree: SyntaxTree;
  /** Offsets of types written `range<...>`. */
  rangeTypes: ReadonlySet<number>;
}

/** The parser's time grows with the square of the words and signs of an expression, and with the cube of the names it defines; these limits keep it short. */
const LONGEST_TEXT = 16_384;
const MOST_TOKENS = 2000;
const MOST_DEFINITIONS = 200;

const DIALECT = 'camunda';
/** Built-in functions that the grammar would take apart at a keyword. */
const NAMES_WITH_KEYWORDS = ['get or else'];

export function runGrammar(text: string, kind: 'expression' | 'unary-tests', names: readonly string[]): Grammar | SyntaxProblem {
  const refusal = refuse(text);
  if (refusal !== undefined) return problem(text, refusal, 0, text.length);
  const { text: readable, rangeTypes } = withoutRangeTypes(text);
  try {
    const context = parserContext(readable, [...names, ...NAMES_WITH_KEYWORDS]);
    const parse = kind === 'expression' ? parseExpression : parseUnaryTests;
    const tree = parse(readable, context, DIALECT);
    return firstProblem(tree, text) ?? { tree, rangeTypes };
  } catch {
    return problem(text, 'The expression is nested too deeply.', 0, text.length);
  }
}

export function problem(text: string, message: string, from: number, to: number): SyntaxProblem {
  return { code: 'SYNTAX', message, from, to, ...positionOf(text, from) };
}

function refuse(text: string): string | undefined {
  if (text.trim() === '') return 'The expression is empty.';
  if (text.length > LONGEST_TEXT) return `The expression is longer than ${LONGEST_TEXT} characters.`;
  const blank = blankStrings(text);
  const tokens = blank.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu)?.length ?? 0;
  if (tokens > MOST_TOKENS) return `The expression has more than ${MOST_TOKENS} words and signs. Divide it, or pass large lists in as variables.`;
  const definitions = blank.match(/:|\bin\b|\bfunction\b/g)?.length ?? 0;
  if (definitions > MOST_DEFINITIONS) return `The expression defines more than ${MOST_DEFINITIONS} entries, parameters and iteration variables.`;
  return undefined;
}

/** The text with the content of strings replaced by spaces, so that offsets stay. */
function blankStrings(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"/gs, (literal) => `"${' '.repeat(literal.length - 2)}"`);
}

/**
 * The grammar has `list<...>` but not `range<...>` (DMN 1.5 grammar rule 50), so the latter is shown to it as the former, in the
 * same number of characters.
 */
function withoutRangeTypes(text: string): { text: string; rangeTypes: Set<number> } {
  const rangeTypes = new Set<number>();
  let readable = text;
  for (const match of blankStrings(text).matchAll(/\brange(?=\s*<[\w\s.]+>)/g)) {
    rangeTypes.add(match.index);
    readable = `${readable.slice(0, match.index)}list ${readable.slice(match.index + 5)}`;
  }
  return { text: readable, rangeTypes };
}

function firstProblem(tree: SyntaxTree, text: string): SyntaxProblem | undefined {
  let error: Syntax | undefined;
  tree.iterate({
    enter: (node) => {
      if (error === undefined && node.type.isError) error = node.node;
      return error === undefined;
    },
  });
  return error && describeError(error, text);
}

/** The parser marks either the text it could not use or, with no width, the place where something is missing. */
function describeError(error: Syntax, text: string): SyntaxProblem {
  const from = error.from + leadingSpace(text, error.from);
  const token = /^(?:"(?:[^"\\\n]|\\.)*"|[\p{L}_][\p{L}\p{N}_]*|\d[\d.]*|\*\*|\.\.|[<>!]=|.)/u.exec(text.slice(from))?.[0];
  if (token === undefined) return problem(text, 'The expression ends before it is complete.', from, text.length);
  if (token === '"') return problem(text, 'A string begins here and does not end.', from, text.length);
  return problem(text, `"${token.replaceAll('"', '')}" is not expected here.`, from, from + token.length);
}

function leadingSpace(text: string, from: number): number {
  return /^\s*/.exec(text.slice(from))?.[0].length ?? 0;
}
