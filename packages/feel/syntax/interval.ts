/** Intervals: `[1..5]`, `(1..5)`, `]1..5[` (grammar rules 8 to 13). */
import type { Node, RangeNode } from '../tree.js';
import type { Parser, Place } from './parser.js';
import { isReserved } from './names/vocabulary.js';

/** Reads the end of an interval after its two endpoints. */
export function readIntervalEnd(
  parser: Parser,
  scope: Place,
  from: number,
  start: Node,
  startIncluded: boolean,
): RangeNode {
  const { cursor } = parser;
  const end = parser.inside(true, () => parser.expression(scope));
  const endIncluded = cursor.is(']');
  if (!endIncluded && !cursor.is(')')) cursor.expect('[');
  else cursor.advance();
  return { kind: 'range', start, end, startIncluded, endIncluded, at: cursor.since(from) };
}

/** Starts with `]`, which excludes the start. */
export function readOpenInterval(parser: Parser, scope: Place): RangeNode {
  const { cursor } = parser;
  const { from } = cursor.advance();
  const start = parser.inside(false, () => parser.expression(scope));
  cursor.expect('..');
  return readIntervalEnd(parser, scope, from, start, false);
}

/** Whether the next `[` closes an interval: then nothing follows that a filter could start with. */
export function closesInterval(parser: Parser): boolean {
  return parser.endsInterval && !beginsOperand(parser);
}

/** Whether the token after the next one certainly starts an operand, which signs and brackets may not. */
export function beginsOperand({ cursor }: Parser, signs: readonly string[] = ['(', '[', '{', '-']): boolean {
  const { kind, text } = cursor.peek();
  if (kind === 'end') return false;
  if (kind === 'word') return !isReserved(text) || OPERAND_WORDS.includes(text);
  return kind !== 'sign' || signs.includes(text);
}

/** Reserved words that start an operand. */
const OPERAND_WORDS = ['every', 'false', 'for', 'function', 'if', 'null', 'some', 'true', '?'];
