/** Operands: literals, names, and everything that starts with its own word or bracket. */
import { parseNumber } from '../values/decimal.js';
import { parseTemporal } from '../temporal/parse.js';
import type { Node, TemporalNode } from '../tree.js';
import { readFor, readFunction, readIf, readQuantified } from './blocks.js';
import { readContext } from './context.js';
import { beginsOperand, readIntervalEnd, readOpenInterval } from './interval.js';
import { readVariable } from './names/name.js';
import type { Parser, Place } from './parser.js';
import { unquote } from './text/text.js';
import { isReserved } from './names/vocabulary.js';

type ReadNode = (parser: Parser, scope: Place) => Node;

const WORDS: Readonly<Record<string, ReadNode>> = {
  null: (parser) => readConstant(parser, null),
  true: (parser) => readConstant(parser, true),
  false: (parser) => readConstant(parser, false),
  if: readIf,
  for: readFor,
  some: readQuantified,
  every: readQuantified,
  function: readFunction,
};

const SIGNS: Readonly<Record<string, ReadNode>> = {
  '(': readParentheses,
  '[': readListOrInterval,
  ']': readOpenInterval,
  '{': readContext,
};

function readTemporal({ cursor, uses }: Parser): Node {
  const { text, from } = cursor.token;
  cursor.advance();
  const node: TemporalNode = { kind: 'temporal', text: unquote(text.slice(1)), at: cursor.since(from) };
  if (parseTemporal(node.text) === undefined) uses.unreadableLiterals.push(node);
  return node;
}

export function readPrimary(parser: Parser, scope: Place): Node {
  const { cursor, names } = parser;
  const { kind, text, from } = cursor.token;
  if (kind === 'number') return readNumber(parser);
  if (kind === 'string') return readConstant(parser, unquote(text));
  if (kind === 'temporal') return readTemporal(parser);
  if (kind === 'backtick') return readVariable(parser, scope);
  if (kind === 'word') {
    if (text === '?' || !isReserved(text) || names.endOfName(cursor.text, from, false) !== undefined)
      return readVariable(parser, scope);
    if (Object.hasOwn(WORDS, text)) return (WORDS[text] as ReadNode)(parser, scope);
    return cursor.refuse(` A name like this needs backticks: \`${text}\`.`);
  }
  return kind === 'sign' && Object.hasOwn(SIGNS, text) ? (SIGNS[text] as ReadNode)(parser, scope) : cursor.refuse();
}

function readConstant({ cursor }: Parser, value: null | boolean | string): Node {
  const { from } = cursor.advance();
  return { kind: 'literal', value, at: cursor.since(from) };
}

function readNumber({ cursor }: Parser): Node {
  const { text, from } = cursor.advance();
  const value = parseNumber(text);
  const at = cursor.since(from);
  return typeof value === 'number' ? { kind: 'literal', value, at } : { kind: 'decimal', text, at };
}

function readParentheses(parser: Parser, scope: Place): Node {
  const { cursor } = parser;
  const { from } = cursor.advance();
  const node = parser.inside(false, () => parser.expression(scope));
  if (cursor.accept('..')) return readIntervalEnd(parser, scope, from, node, false);
  cursor.expect(')');
  return node;
}

function readListOrInterval(parser: Parser, scope: Place): Node {
  const { cursor } = parser;
  const { from } = cursor.token;
  const isEmpty = cursor.peek().text === ']';
  cursor.advance();
  // `[]` is a list, and `[]1..3[]` is a list with one interval.
  if (isEmpty && !beginsOperand(parser, ['(', '{'])) {
    cursor.advance();
    return { kind: 'list', items: [], at: cursor.since(from) };
  }
  const items = [parser.inside(false, () => parser.expression(scope))];
  if (cursor.accept('..')) return readIntervalEnd(parser, scope, from, items[0] as Node, true);
  while (cursor.accept(',')) items.push(parser.inside(false, () => parser.expression(scope)));
  cursor.expect(']');
  return { kind: 'list', items, at: cursor.since(from) };
}
