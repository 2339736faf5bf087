/** Reads a whole text: an expression, or a cell of a decision table. */
import type { Node } from '../tree.js';
import { readExpression } from './expression.js';
import { Parser } from './parser.js';
import { SyntaxFault, type SyntaxProblem } from './text/problem.js';
import { readCell, readNegatedCell } from './tests.js';
import type { Uses } from './names/uses.js';

const MAX_TEXT_LENGTH = 16_384;

interface Read {
  root: Node;
  uses: Uses;
}

/** Throws a `SyntaxFault` if the text is not FEEL. */
export function readText(text: string, kind: 'expression' | 'unary-tests', names: readonly string[]): Read {
  if (text.trim() === '') throw new SyntaxFault('The expression is empty.', 0, text.length);
  const tooLong = lengthProblem(text.length);
  if (tooLong !== undefined) throw new SyntaxFault(`The expression ${tooLong}`, 0, text.length, 'LENGTH');
  const begin = (): Parser => new Parser(text, names, readExpression);
  const parser = begin();
  if (kind === 'expression') return readWhole(parser, () => parser.expression(undefined));
  return parser.cursor.is('not') ? readNegation(begin) : readWhole(parser, readCell);
}

/** @param what names the expression: `condition` */
export function describeProblem(what: string, { code, to, line, column, message }: SyntaxProblem): string {
  return code === 'LENGTH'
    ? `The ${what} ${lengthProblem(to)}`
    : `The ${what} is not valid FEEL at line ${line}, column ${column}: ${message}`;
}

/** Undefined if a text of `length` characters can be read; otherwise the rest of a sentence about it. */
export function lengthProblem(length: number): string | undefined {
  return length > MAX_TEXT_LENGTH
    ? `has ${length} characters as FEEL, but the limit is ${MAX_TEXT_LENGTH}. Split it into several expressions.`
    : undefined;
}

/** `not(...)` is the negation of a whole cell, or the start of an expression. */
function readNegation(begin: () => Parser): Read {
  let negated: SyntaxFault;
  try {
    return readWhole(begin(), readNegatedCell);
  } catch (fault) {
    if (!(fault instanceof SyntaxFault)) throw fault;
    negated = fault;
  }
  try {
    return readWhole(begin(), readCell);
  } catch (fault) {
    // The attempt that got further is the intended one.
    throw fault instanceof SyntaxFault && fault.from < negated.from ? negated : fault;
  }
}

function readWhole(parser: Parser, part: (parser: Parser) => Node): Read {
  const root = part(parser);
  if (parser.cursor.token.kind !== 'end') parser.cursor.refuse();
  return { root, uses: parser.uses };
}
